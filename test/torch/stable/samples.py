"""Arguments for the tests of all operators, which the build emits."""


def samples(make):
    n = make.n
    yield 'scale', (make(n, 5).t(), 0.5, make(1))
    yield 'scale', (make(n, 5),)
    yield 'row_range', (make(n, 5), True)
    yield 'tile', (make(n, 5), [2, 3])
    yield 'join', ([make(n), make(2 * n)],)
    yield 'measure', (make(n, 5), 'four')
