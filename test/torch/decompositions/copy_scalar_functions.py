"""copy_scalar_functions.py KERNELS OUTPUT: copies the scalar functions of kernels/pointwise for a library for PyTorch.

Their derivatives are elsewhere, and their complex and 16-bit numbers are classes of our runtime. The copies are not differentiable
and for real dtypes; those that do not compute 16-bit numbers in float have none.
"""
import pathlib
import re
import sys

ATTRIBUTES = re.compile(r'\[\[structured::pointwise\((?P<names>[^)]*)\)(?P<rest>.*?)\]\]', re.DOTALL)
DTYPES = re.compile(r'structured::dtypes\(([^)]*)\)')


def real_only(attributes):
    rest = attributes['rest']
    listed = DTYPES.search(rest)
    if listed:
        names = [each for each in re.findall(r'"([^"]+)"', listed[1]) if not each.startswith('complex')]
    else:
        names = ['floating'] if '"int_to_float"' in rest else ['floating', 'integral', 'bool']
    if '"no_opmath"' in rest:
        names = [word for each in names for word in (['float', 'double'] if each == 'floating' else [each])]
    dtypes = f'structured::dtypes({", ".join(f"{chr(34)}{each}{chr(34)}" for each in names)})'
    rest = rest.replace(listed[0], dtypes) if listed else f'{rest}, {dtypes}'
    return f'[[structured::pointwise({attributes["names"]}), structured::not_differentiable{rest}]]'


def main(kernels, output):
    for folder in ('math', 'pointwise'):
        (output / folder).mkdir(parents=True, exist_ok=True)
        for header in sorted((kernels / folder).glob('*.h')):
            text = header.read_text()
            if folder == 'pointwise':
                text = ATTRIBUTES.sub(real_only, text)
            copy = output / folder / header.name
            if not copy.exists() or copy.read_text() != text:
                copy.write_text(text)


if __name__ == '__main__':
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
