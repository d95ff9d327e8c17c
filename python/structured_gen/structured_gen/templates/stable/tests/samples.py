"""Arguments for the tests of all operators: `python3 -m structured_gen.torch_tests my_ops --samples=tests/samples.py`."""


def samples(make):
    yield 'add_column', (make(make.n, 5),)
    yield 'add_column', (make(2, make.n).t(), 2.0)
