"""Arguments for the tests of all operators, which the build emits."""


def samples(make):
    n = make.n
    yield 'scale', (make(n, 5).t(), 0.5, make(1))
    yield 'scale', (make(n, 5),)
    yield 'row_range', (make(n, 5), True)
    yield 'tile', (make(n, 5), [2, 3])
    yield 'join', ([make(n), make(2 * n)],)
    yield 'measure', (make(n, 5), 'four')

    yield 'axpy.Tensor', (make(n, 5), make(5)), {'alpha': 2}
    yield 'gated', (make(n, 5), 0.5, make(5))
    yield 'mix', (make(n, 5), make(5), make(n, 1)), {'most': 0.5}
    yield 'int_power', (make(n, 5), 2, True)
    yield 'choose', (make(n, 5), make(5), make(n, 1) > 0, 0.5)
