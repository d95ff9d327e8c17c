#!/usr/bin/env python3
"""Times decompositions, inverses and solutions of linear systems, ours and PyTorch's in turns.

    python3 bench/linear_algebra.py --structured-gen build/release/bin/structured-gen [--threads N] [--rounds N] [--markdown FILE]

Runs bench/linear_algebra/ours.cpp and PyTorch in turns and prints the best of all rounds; without PyTorch, runs only ours.
Debian's PyTorch uses the LAPACK that we use.
"""
from shared import beside_python


def cases():
    """The cases of ours.cpp, with equal names."""
    import torch
    linalg = torch.linalg
    for dtype_name, dtype in ('Float', torch.float32), ('Double', torch.float64):
        def random(*sizes, dtype=dtype):
            return torch.rand(*sizes, dtype=dtype)

        def definite(a):
            return a @ a.mT + torch.eye(a.shape[-1], dtype=a.dtype)

        a, b, small, middle = random(512, 512), random(512, 64), random(128, 128), random(256, 256)
        batch, tall = random(1000, 8, 8), random(1024, 128)
        yield f'cholesky 512, {dtype_name}', lambda a=definite(a): linalg.cholesky_ex(a)
        yield f'lu_factor 512, {dtype_name}', lambda a=a: linalg.lu_factor_ex(a)
        yield f'inv 512, {dtype_name}', lambda a=a: linalg.inv_ex(a)
        yield f'solve 512 for 64, {dtype_name}', lambda a=a, b=b: linalg.solve_ex(a, b)
        yield f'solve_triangular 512 for 64, {dtype_name}', lambda a=a, b=b: linalg.solve_triangular(a, b, upper=True)
        yield f'qr 1024x128, {dtype_name}', lambda a=tall: linalg.qr(a)
        yield f'eigh 256, {dtype_name}', lambda a=middle: linalg.eigh(a)
        yield f'eig 128, {dtype_name}', lambda a=small: linalg.eig(a)
        yield f'svd 256, {dtype_name}', lambda a=middle: linalg.svd(a, full_matrices=False)
        yield f'pinv 128, {dtype_name}', lambda a=small: linalg.pinv(a)
        yield f'matrix_exp 128, {dtype_name}', lambda a=small: linalg.matrix_exp(a)
        yield f'cholesky of 1000 8x8, {dtype_name}', lambda a=definite(batch): linalg.cholesky_ex(a)
        yield f'inv of 1000 8x8, {dtype_name}', lambda a=batch: linalg.inv_ex(a)
        yield f'det of 1000 8x8, {dtype_name}', lambda a=batch: linalg.det(a)
    vectors = torch.rand(100000, 3)
    yield 'cross of 100,000, Float', lambda: linalg.cross(vectors, vectors)


if __name__ == '__main__':
    beside_python.main(__file__, __doc__, cases)
