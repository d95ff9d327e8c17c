#!/usr/bin/env python3
"""Times operators on lists of tensors and fused steps of optimisers, ours and PyTorch's in turns.

    python3 bench/lists.py --structured-gen build/release/bin/structured-gen --python build/venv-torch/bin/python3
                           [--threads N] [--rounds N] [--markdown FILE]

Runs bench/lists/ours.cpp and PyTorch in turns and prints the best of all rounds; without PyTorch, runs only ours. The
lists are the parameters of a network of 30 layers (30 matrices 64x64 and 30 vectors of 64), and one tensor of 1M elements.
"""
from shared import beside_python


def cases():
    """The cases of ours.cpp, with equal names."""
    import torch
    lists = {'60 tensors': [(64, 64), (64,)] * 30, '1M': [(1 << 20,)]}
    for size, shapes in lists.items():
        def tensors(dtype=torch.float32):
            return [torch.rand(shape).to(dtype) for shape in shapes]

        a, b, c = tensors(), tensors(), tensors()
        scalars = [1.0] * len(a)
        yield f'_foreach_add.List of {size}', lambda a=a, b=b: torch._foreach_add(a, b)
        yield f'_foreach_mul_.Scalar of {size}', lambda a=a: torch._foreach_mul_(a, 1.0)
        yield f'_foreach_mul_.ScalarList of {size}', lambda a=b, s=scalars: torch._foreach_mul_(a, s)
        yield f'_foreach_lerp_.Scalar of {size}', lambda a=a, b=b: torch._foreach_lerp_(a, b, 0.1)
        yield f'_foreach_addcdiv_.Scalar of {size}', lambda a=a, b=b, c=c: torch._foreach_addcdiv_(a, b, c, value=1e-9)
        yield f'_foreach_sqrt of {size}', lambda a=c: torch._foreach_sqrt(a)
        yield f'_foreach_exp of {size}', lambda a=c: torch._foreach_exp(a)
        yield f'_foreach_norm of {size}', lambda a=c: torch._foreach_norm(a)
        yield f'_foreach_zero_ of {size}', lambda a=tensors(): torch._foreach_zero_(a)
        for suffix, dtype in ('', torch.float32), (', BFloat16', torch.bfloat16), (', Double', torch.float64):
            p, g, m, v = (tensors(dtype) for _ in range(4))
            steps = [torch.tensor(10.0)] * len(p)
            decay = {'weight_decay': 0.01, 'maximize': False}
            yield f'_fused_adam_ of {size}{suffix}', lambda p=p, g=g, m=m, v=v, s=steps, d=decay: torch._fused_adam_(
                p, g, m, v, [], s, lr=1e-9, beta1=0.9, beta2=0.999, eps=1e-8, amsgrad=False, **d)
            yield f'_fused_sgd_ of {size}{suffix}', lambda p=p, g=g, m=m, d=decay: torch._fused_sgd_(
                p, g, m, momentum=0.9, lr=1e-9, dampening=0.0, nesterov=False, is_first_step=False, **d)
            yield f'_fused_adagrad_ of {size}{suffix}', lambda p=p, g=g, v=v, s=steps, d=decay: torch._fused_adagrad_(
                p, g, v, s, lr=1e-9, lr_decay=0.0, eps=1e-8, **d)


if __name__ == '__main__':
    beside_python.main(__file__, __doc__, cases)
