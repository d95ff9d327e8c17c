#!/usr/bin/env python3
"""Times moving, sorting and looking up elements, ours and PyTorch's in turns.

    python3 bench/elements.py --structured-gen build/release/bin/structured-gen [--threads N] [--rounds N] [--markdown FILE]

Runs bench/elements/ours.cpp and PyTorch in turns and prints the best of all rounds; without PyTorch, runs only ours.
"""
from shared import beside_python


def cases():
    """The cases of ours.cpp, with equal names."""
    import torch
    matrix, images, channels_last = torch.rand(1000, 1000), torch.rand(16, 64, 56, 56), torch.rand(16, 56, 56, 64)
    four = [matrix] * 4
    yield 'contiguous of a transpose', lambda: matrix.t().contiguous()
    yield 'contiguous of channels last', lambda: channels_last.permute(0, 3, 1, 2).contiguous()
    yield 'channels last of contiguous', lambda: images.permute(0, 2, 3, 1).contiguous()
    yield 'flip of columns', lambda: matrix.flip(1)
    yield 'roll', lambda: matrix.roll((3, 5), (0, 1))
    yield 'repeat 3x3', lambda: matrix.repeat(3, 3)
    yield 'repeat_interleave by 2', lambda: matrix.repeat_interleave(2, 1)
    yield 'tril', lambda: matrix.tril()
    yield 'pixel_shuffle by 2', lambda: torch.pixel_shuffle(images, 2)
    yield 'cat of columns', lambda: torch.cat(four, 1)
    yield 'stack of elements', lambda: torch.stack(four, -1)

    row = matrix.view(-1)
    doubles, integers, short_rows = row.double(), (row * 1e6).long(), matrix.view(-1, 16)[:4096]
    routes, words = torch.rand(4096, 64), torch.rand(16, 50257)
    yield 'sort 1M', lambda: row.sort()
    yield 'sort 1M of Double', lambda: doubles.sort()
    yield 'sort 1M of Long', lambda: integers.sort()
    yield 'sort 1000x1000', lambda: matrix.sort()
    yield 'sort 1000x1000 along columns', lambda: matrix.sort(0)
    yield 'sort 4096x16', lambda: short_rows.sort()
    yield 'topk 10 of 1M', lambda: row.topk(10)
    yield 'topk 10 of 1000x1000', lambda: matrix.topk(10)
    yield 'topk 2 of 4096x64', lambda: routes.topk(2)
    yield 'topk 50 of 16x50257', lambda: words.topk(50)
    yield 'kthvalue 500 of 1000x1000', lambda: matrix.kthvalue(500)
    yield 'median of 1M', lambda: row.median()
    yield 'mode of 1000x1000', lambda: matrix.mode()
    yield 'unique of 1M of Long', lambda: torch._unique2(integers, True, True, True)
    yield 'cummax of 1000x1000', lambda: matrix.cummax(1)
    ordered, some, small = row.sort()[0], integers[:1000], integers % 1000
    yield 'searchsorted 1M in 1M', lambda: torch.searchsorted(ordered, row)
    yield 'isin 1M in 1000 of Long', lambda: torch.isin(integers, some)
    yield 'histc of 1M', lambda: row.histc(100)
    yield 'bincount of 1M', lambda: small.bincount()
    yield 'aminmax of 1M', lambda: row.aminmax()
    yield 'arange 1M', lambda: torch.arange(0.0, 1e6)
    yield 'linspace 1M', lambda: torch.linspace(0, 1, 1000000)

    column, places = torch.randint(1000, (1000,)), torch.randint(1000, (1000, 1000))
    out, words, table, mask = torch.zeros(1000, 1000), torch.randint(1000, (100000,)), row.view(-1, 100)[:1000], matrix > 0.5
    yield 'gather along rows', lambda: matrix.gather(1, places)
    yield 'gather along columns', lambda: matrix.gather(0, places)
    yield 'scatter along rows', lambda: out.scatter(1, places, matrix)
    yield 'scatter along columns', lambda: out.scatter(0, places, matrix)
    yield 'scatter_add along rows', lambda: out.scatter_add(1, places, matrix)
    yield 'scatter_reduce by amax along rows', lambda: out.scatter_reduce(1, places, matrix, 'amax')
    yield 'scatter_reduce by sum along columns', lambda: out.scatter_reduce(0, places, matrix, 'sum')
    yield 'embedding of 100,000 words', lambda: torch.embedding(table, words)
    yield 'index_select of rows', lambda: matrix.index_select(0, column)
    yield 'index_select of columns', lambda: matrix.index_select(1, column)
    yield 'index_add of rows', lambda: out.index_add(0, column, matrix)
    yield 'index of rows and columns', lambda: matrix[column, column]
    yield 'take', lambda: matrix.take(places)
    yield 'masked_select', lambda: matrix.masked_select(mask)
    yield 'where', lambda: torch.where(mask, matrix, out)
    yield 'nonzero', lambda: mask.nonzero()


if __name__ == '__main__':
    beside_python.main(__file__, __doc__, cases)
