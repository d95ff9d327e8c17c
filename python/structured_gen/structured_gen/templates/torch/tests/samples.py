"""Arguments for the tests of all operators: `python3 -m structured_gen.torch_tests my_ops --samples=tests/samples.py`."""


def samples(make):
    yield 'soft_clip', (make(make.n, 5),)
    yield 'soft_clip', (make(2, make.n).t(),), {'limit': 2.0}
