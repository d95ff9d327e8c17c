#!/usr/bin/env python3
"""Writes annotated C++ for every function of ATen's native_functions.yaml, scans it, and compares the schemas.

    /usr/bin/python3 annotate_aten.py --structured-gen PATH --work DIR [--yaml FILE]

Needs Debian's python3-torch (torchgen, used as an oracle, and its packaged yaml) and libtorch-dev (the headers that
the written sources include). Every `func:` line must come back from the scan; what does not is printed. Closes with
`N of N schemas come back` and exits 1 unless both are the same.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import time

import torchgen
from torchgen import local
from torchgen.api import cpp, native, structured
from torchgen.gen import get_grouped_native_functions, parse_native_yaml
from torchgen.model import NativeFunctionsGroup

PACKAGED = pathlib.Path(torchgen.__file__).parent / 'packaged' / 'ATen' / 'native'
FUNCTIONS_PER_SOURCE = 120


def literal(text):
    return '"' + text.replace('\\', '\\\\').replace('"', '\\"') + '"'


def attribute(name, *arguments):
    written = ', '.join(a if isinstance(a, int) else literal(a) if isinstance(a, str) else str(a) for a in arguments)
    return f'structured::{name}({written})' if arguments else f'structured::{name}'


def marked(attributes):
    return f'[[{", ".join(attributes)}]] ' if attributes else ''


def is_written_list(argument):
    return argument.is_write and argument.type.is_list_like() is not None


def alias_attribute(argument, returns):
    """The alias attribute of a view's argument or of a written list, or nothing."""
    annotation = argument.annotation
    if annotation is None or (annotation.is_write and not is_written_list(argument)):
        return []
    if annotation.is_write:
        return ['structured::alias("a!")']
    holders = [i for i, r in enumerate(returns) if r.annotation is not None
               and set(r.annotation.alias_set) & set(annotation.alias_set)]
    tensors = [i for i, r in enumerate(returns) if r.type.is_tensor_like()]
    text = str(annotation)
    if holders and holders[0] != tensors[0]:
        return [f'structured::alias({literal(text)}, {holders[0]})']
    return [f'structured::alias({literal(text)})']


def parameter(argument, spelled, returns, *, kwonly, default_in_cpp):
    attributes = ['structured::kwonly'] if kwonly else []
    attributes += alias_attribute(argument, returns)
    kind = argument.type
    base = kind.elem if hasattr(kind, 'elem') and str(kind).endswith('?') else kind
    size = getattr(base, 'size', None)
    if size is not None and not spelled.startswith('::std::array'):
        attributes.append(f'structured::size({size})')
    if 'SymInt' in str(kind) and 'SymInt' not in spelled:
        attributes.append('structured::symint')
    default = ''
    if argument.default is not None:
        if default_in_cpp:
            default = cpp.default_expr(argument.default, kind)
            if default == 'c10::nullopt' and spelled.endswith('Ref'):
                default = '{}'  # ATen's optional references have no conversion from nullopt
            default = ' = ' + default
        else:
            attributes.append(f'structured::schema_default({literal(argument.default)})')
    return f'{marked(attributes)}{spelled} {argument.name}{default}'


def returns_attributes(variants):
    """Result names: once if all variants share them, else limited to each variant that has some."""
    named = {str(f.func.name): [r.name for r in f.func.returns] for f in variants}
    given = {name: names for name, names in named.items() if all(names) and names}
    if not given:
        return []
    if len(given) == len(named) and len({tuple(n) for n in given.values()}) == 1:
        return [attribute('returns', *next(iter(given.values())))]
    return [attribute('returns', name, *names) for name, names in given.items()]


def backends_of(function, indices):
    return [key.name for key, index in indices.items() if index.has_kernel(function)]


def unstructured(function, indices):
    func = function.func
    out_count = len(func.arguments.out)
    parameters = []
    first_kwonly = next((a.name for a in func.arguments.flat_kwarg_only if a not in func.arguments.out), None)
    for argument in func.schema_order_arguments():
        spelled = native.argument_type(argument, binds=argument.name, symint=True).cpp_type()
        parameters.append(parameter(argument, spelled, func.returns, kwonly=argument.name == first_kwonly,
                                    default_in_cpp=out_count == 0))
    name = str(func.name)
    backends = backends_of(function, indices)
    if backends == ['CompositeImplicitAutograd']:
        attributes = [attribute('composite', name)]
    else:
        attributes = [attribute('kernel', name, *backends)]
    attributes += returns_attributes([function])
    if out_count and not func.returns:
        attributes.append('structured::out')
    result = native.returns_type(func.returns, symint=True).cpp_type()
    function_name = func.name.unambiguous_name() + '__kernel'
    return f'{marked(attributes).strip()}\n{result} {function_name}({", ".join(parameters)});\n'


def structured_trio(group, indices):
    variants = [f for f in (group.functional, group.inplace, group.mutable, group.out) if f is not None]
    func = group.functional.func
    base = group.out.structured_inherits
    base = f'at::{base}' if base else 'at::impl::MetaBase'
    meta_parameters, impl_parameters = [f'{base}& op'], [f'{base}& op']
    first_kwonly = next((a.name for a in func.arguments.flat_kwarg_only), None)
    for argument in func.schema_order_arguments():
        spelled = structured.argument_type(argument, binds=argument.name).cpp_type()
        meta_parameters.append(parameter(argument, spelled, func.returns, kwonly=argument.name == first_kwonly,
                                         default_in_cpp=True))
        impl_parameters.append(f'{spelled} {argument.name}')
    impl_parameters += [f'const at::Tensor& {a.name}' for a in group.out.func.arguments.out]
    names = [str(f.func.name) for f in variants]
    attributes = [attribute('meta', *names)] + returns_attributes(variants)
    stem = func.name.unambiguous_name()
    text = f'{marked(attributes).strip()}\nvoid {stem}__meta({", ".join(meta_parameters)});\n'
    for backend in [k.name for k, index in indices.items() if index.get_kernel(group) is not None
                    and index.get_kernel(group).structured and index.has_kernel(group.out)]:
        text += (f'[[structured::impl({literal(names[-1])}, {literal(backend)})]]\n'
                 f'void {stem}__{backend}({", ".join(impl_parameters)});\n')
    return text


def declarations(parsed):
    """Pairs of the functions covered and the annotated text that declares them."""
    indices = parsed.backend_indices
    for entry in get_grouped_native_functions(parsed.native_functions):
        if isinstance(entry, NativeFunctionsGroup) and entry.structured:
            covered = [f for f in (entry.functional, entry.inplace, entry.mutable, entry.out) if f is not None]
            yield covered, structured_trio(entry, indices)
        else:
            functions = [entry] if not isinstance(entry, NativeFunctionsGroup) else list(entry.functions())
            for function in functions:
                yield [function], unstructured(function, indices)


def write_sources(work, texts):
    prelude = work / 'aten_prelude.h'
    prelude.write_text('#pragma once\n#include <structured/annotate.h>\n#include <ATen/ATen.h>\n'
                       '#include <ATen/TensorIterator.h>\n#include <ATen/TensorMeta.h>\n')
    sources = []
    for start in range(0, len(texts), FUNCTIONS_PER_SOURCE):
        source = work / f'aten_{start // FUNCTIONS_PER_SOURCE:02}.cpp'
        source.write_text('#include "aten_prelude.h"\nnamespace at::native_kernels {\nusing namespace at;\n\n' +
                          '\n'.join(texts[start:start + FUNCTIONS_PER_SOURCE]) + '}\n')
        sources.append(source)
    return prelude, sources


def normal(line):
    """The line with its string defaults in double quotes."""
    def requoted(match):
        inside = match.group(0)[1:-1].replace("\\'", "'")
        return '"' + re.sub(r'(?<!\\)"', r'\\"', inside) + '"'
    return re.sub(r"'(?:[^'\\]|\\.)*'" + r'|"(?:[^"\\]|\\.)*"',
                  lambda m: requoted(m) if m.group(0)[0] == "'" else m.group(0), line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', required=True)
    parser.add_argument('--runtime', required=True, help='directory that holds structured/annotate.h')
    parser.add_argument('--work', required=True, type=pathlib.Path)
    parser.add_argument('--yaml', type=pathlib.Path, default=PACKAGED / 'native_functions.yaml')
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)

    expected = [normal(line[len('- func:'):].split('#')[0].strip())
                for line in options.yaml.read_text().splitlines() if line.startswith('- func:')]
    wanted_names = {line.split('(')[0] for line in expected}
    texts = []
    with local.parametrize(use_const_ref_for_mutable_tensors=False, use_ilistref_for_tensor_lists=False):
        parsed = parse_native_yaml(str(options.yaml), str(options.yaml.parent / 'tags.yaml'))
        for covered, text in declarations(parsed):
            if any(str(f.func.name) in wanted_names for f in covered):
                texts.append(text)
    prelude, sources = write_sources(options.work, texts)

    flags = ['-std=c++17', f'-I{options.work}', f'-I{options.runtime}']
    tool = options.structured_gen
    start = time.time()
    subprocess.run([tool, 'precompile', '-o', str(options.work / 'aten.pch'), str(prelude), '--', *flags], check=True)
    print(f'precompiled headers: {time.time() - start:.2f} s')
    start = time.time()
    subprocess.run([tool, 'scan', '--dialect=aten', '--pch', str(options.work / 'aten.pch'), '--source-root',
                    str(options.work), '--output-dir', str(options.work / 'fragments'), *map(str, sources), '--', *flags],
                   check=True)
    print(f'scan of {len(texts)} operators in {len(sources)} sources: {time.time() - start:.2f} s')
    start = time.time()
    fragments = sorted(map(str, (options.work / 'fragments').rglob('*.fragment.json')))
    listed = subprocess.run([tool, 'list', '--dialect=aten', '--namespace=aten', '--cpp-namespace=at', *fragments],
                            check=True, capture_output=True, text=True).stdout
    print(f'list: {time.time() - start:.2f} s')
    found = {normal(line) for line in listed.splitlines() if line}

    missing = [line for line in expected if line not in found]
    by_name = {line.split('(')[0]: line for line in found}
    for line in missing:
        print('missing: ' + line)
        print('  found: ' + by_name.get(line.split('(')[0], 'nothing of that name'))
    print(f'{len(expected) - len(missing)} of {len(expected)} schemas come back')
    return 1 if missing else 0


if __name__ == '__main__':
    sys.exit(main())
