#!/usr/bin/env python3
"""Times attention, ours and PyTorch's in turns.

    python3 bench/attention.py --structured-gen build/release/bin/structured-gen --python build/venv-torch/bin/python3
                               [--threads N] [--rounds N] [--markdown FILE]

Runs bench/attention/ours.cpp and PyTorch in turns and prints the best of all rounds; without PyTorch, runs only ours. The
newest PyTorch has a flash kernel for CPUs.
"""
from shared import beside_python

SHAPES = {
    '8x12 heads of 128x64': (8, 12, 128, 128, 64),
    '8 heads of 1024x64': (1, 8, 1024, 1024, 64),
    '8 heads of 4096x64': (1, 8, 4096, 4096, 64),
    '32 heads of 1 query, 2048 keys, 128': (1, 32, 1, 2048, 128),
}


def cases():
    """The cases of ours.cpp, with equal names."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention as attention
    for dtype_name, dtype in ('Float', torch.float32), ('BFloat16', torch.bfloat16):
        for name, (batch, heads, queries, keys, width) in SHAPES.items():
            q, k, v = (torch.rand(batch, heads, length, width).to(dtype) for length in (queries, keys, keys))
            yield f'{name}, {dtype_name}', lambda q=q, k=k, v=v: attention(q, k, v)
            if queries != 1:
                yield f'{name}, {dtype_name}, causal', lambda q=q, k=k, v=v: attention(q, k, v, is_causal=True)


if __name__ == '__main__':
    beside_python.main(__file__, __doc__, cases)
