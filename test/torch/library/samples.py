"""Arguments for the tests of all operators, which the build emits. Others are called with arguments by the types of their schemas."""
import torch


def samples(make):
    n = make.n
    yield 'soft_clip', (make(n, 5),)
    yield 'soft_clip', (make(n, 5).t(), 2.0)
    yield 'soft_clip', (make(2, 3, n, 7).to(memory_format=torch.channels_last),)
    yield 'blend.Tensor', (make(n, 5), make(5)), {'alpha': 2}
    yield 'blend.Tensor', (make(n, 5), make(n, 1)), {'mask': make(5)}

    yield 'extrema', (make(n, 5), 0)
    yield 'extrema', (make(3, n, 2 * n), 1, True)

    yield 'stack_rows', ([make(n, 3), make(2 * n, 3)], 0.5)
    yield 'copy_rows', (make(n, 3), [1, 2])
    yield 'tile', (make(n, 5), [2, 3])
    yield 'repeat_rows', (make(n, 3), [2, 3], 2)
    yield 'spread', (make(n), [2], None, 3)
    yield 'spread_rows', (make(n), [2], None)
    yield 'weigh', ([make(n)], make(n), [make(n), make(n)], [make(n)], None, [])
    yield 'add_squares', (make(n), [None, make(n)])
    yield 'sum_all', (make(n), [make(n)], [make(n), None])
    yield 'number_all.out', ([make(n), make(3)],), {'out': [make(n), make(3)]}
    yield 'copy_if', (make(n), True)
    yield 'describe', (make(n), ['a', 'bc'], None, [True, False], None, [1, 2.5])

    yield 'axpy.Tensor', (make(n, 5), make(5)), {'alpha': 2}
    yield 'axpy.Scalar', (make(n, 5), 3)
    yield 'gated', (make(n, 5), 0.5, make(5))
    yield 'mix', (make(n, 5), make(5), make(n, 1)), {'most': 0.5}
    yield 'mix', (make(n, 5), make(n, 5), make(5))
    yield 'int_power', (make(n, 5), 2, True)
    yield 'choose', (make(n, 5), make(5), make(n, 1) > 0, 0.5)

    yield 'row_products', (make(n, 5), make(3, 5), make(3))
    yield 'row_products', (make(2, n, 5), make(n, 5), None)
    yield 'gram', (make(n, 5), make(n, 3))
    yield 'shares', (make(n, 5), 0)
    yield 'side_by_side', ([make(n, 5), make(n, 2)], make(n))
    yield 'scale_rows_', (make(n, 5), make(n))
    yield 'running', (make(n, 5),)
    yield 'hidden', (make(n, 5),)

    yield 'windows', (make(2, 3, n, 2 * n + 1), [2, 3], [1, 2], 1)
    yield 'windows', (make(3, n, n + 2), [2, 2])
    yield 'total', (make(n, 2 * n, 40), [0, -1])
    yield 'total', (make(n, 2 * n), [0], True), {'dtype': torch.double}
    yield 'total', (make(n, 3, dtype=torch.int),)
    yield 'join', ([make(n, 4), make(2 * n, 4)],)
    yield 'join', ([make(0), make(4, n)], -1)
    yield 'affine', (make(n, 4), make(4, 2 * n), make(2 * n))
    yield 'affine', (make(2, n, 4), make(4, 3))
    for rest in 'drop', 'pad':
        yield 'blocks', (make(3 * n, 2), 0, 2, rest)
    yield 'norms', (make(n, 5).t(), 2)
    yield 'pairs', (make(n, 4, 3), make(2 * n))
    yield 'in_rows', (make(4, 3), 3 * n)
    yield 'in_rows', (make(4, 3), 3 * n, [n])
    yield 'positions', ((make(n, 3) > 0).to(make.dtype),)


OF_NUMBERS = 'the kernel for Meta reads sizes as numbers'
BACKWARD_OF_NUMBERS = {'dynamic_gradients': 'the derivative reads sizes as numbers'}
excluded = {
    'hashed': {'dynamic_sizes': 'its meta function is not translated', 'export_of_dynamic_sizes': 'its meta function is not translated'},
    'halves': {'dynamic_sizes': OF_NUMBERS, 'dynamic_gradients': OF_NUMBERS, 'export_of_dynamic_sizes': OF_NUMBERS},
    'moments': {'dynamic_sizes': OF_NUMBERS, 'dynamic_gradients': OF_NUMBERS, 'export_of_dynamic_sizes': OF_NUMBERS},
    **dict.fromkeys(['copy_rows', 'repeat_rows', 'spread', 'stack_clipped', 'stack_rows', 'tile', 'weigh'], BACKWARD_OF_NUMBERS),
    'copy_if': {'gradients': 'the derivative ignores the second copy'},
    'dense': 'returns its argument',
    'dense_constant': 'returns its argument',
    'dense_view': 'returns its argument',
}
