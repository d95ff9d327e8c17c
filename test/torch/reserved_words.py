"""Compares the words that the tool refuses in schemas with those that PyTorch's parser refuses.

    reserved_words.py SOURCE_DIR
"""
import keyword
import pathlib
import re
import sys

try:
    import torch
except ImportError:
    print('skipped: no PyTorch; Debian has it in python3-torch and libtorch-dev')
    sys.exit(77)


def words_of(text, name):
    """The words in the array of that name in C++."""
    body = re.search(rf'\b{name}\[\] = {{(.*?)}};', text, re.DOTALL)[1]
    return set(re.findall(r'"(\w+)"', body))


def is_refused(schema):
    try:
        torch._C.parse_schema(schema)
    except RuntimeError:
        return True
    return False


def main(source_dir):
    source = pathlib.Path(source_dir)
    names = (source / 'tool/model/python_names.cpp').read_text()
    reserved = words_of(names, 'reserved_in_torch')
    python = reserved | words_of(names, 'other_keywords')
    cpp = words_of((source / 'tool/model/cpp_names.cpp').read_text(), 'keywords')
    types = {'Tensor', 'Scalar', 'int', 'float', 'bool', 'str', 'Device', 'Optional', 'List', 'Future', 'inf', 'nan'}
    words = sorted(python | cpp | types | set(keyword.kwlist) | set(getattr(keyword, 'softkwlist', [])) | {'self', 'print'})
    faults = []
    if python != set(keyword.kwlist):
        faults.append(f'the keywords of Python differ: {sorted(python ^ set(keyword.kwlist))}')
    for word in words:
        for place, schema in {'an argument': f'f(Tensor {word}) -> Tensor', 'a namespace': f'{word}::f(Tensor self) -> Tensor',
                              'a result': f'f(Tensor self) -> (Tensor {word}, Tensor other)'}.items():
            refused = is_refused(schema)
            if refused != (word in reserved):
                faults.append(f'`{word}` as the name of {place}: PyTorch {torch.__version__} '
                              f'{"refuses" if refused else "accepts"} it, and the tool does not')
    print('\n'.join(faults) or f'PyTorch {torch.__version__}: {len(words)} words, {len(reserved)} reserved')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
