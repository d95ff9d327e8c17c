#!/usr/bin/env python3
"""Writes annotated C++ for every function of ATen's native_functions.yaml, scans it, and compares the schemas.

    /usr/bin/python3 annotate_aten.py --structured-gen PATH --work DIR [--yaml FILE]

Needs Debian's python3-torch (torchgen and its packaged yaml) and libtorch-dev (headers that the sources include). The scan must
reproduce every `func:` line; differences are printed. Then torchgen reads the export (`list --format=yaml`) and must find the
facts of its own file: structured and delegating operators, base classes, precomputed values, methods, tags, backends. Closes
with `N of N schemas come back` and `torchgen reads N of N operators from the export`; exits with 1 unless all numbers are equal.
"""
import argparse
import pathlib
import subprocess
import sys
import time

import torchgen_yaml
from torchgen import local
from torchgen.api import cpp, native, structured
from torchgen.gen import get_grouped_native_functions
from torchgen.model import DeviceCheckType, NativeFunctionsGroup, Variant
from torchgen_yaml import PACKAGED, normal

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
    """The alias attribute of a view's argument or of a mutable list, or an empty list."""
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
    """Result names: one attribute if all variants share them, otherwise one for each variant that has names."""
    named = {str(f.func.name): [r.name for r in f.func.returns] for f in variants}
    given = {name: names for name, names in named.items() if all(names) and names}
    if not given:
        return []
    if len(given) == len(named) and len({tuple(n) for n in given.values()}) == 1:
        return [attribute('returns', *next(iter(given.values())))]
    return [attribute('returns', name, *names) for name, names in given.items()]


def metadata_attributes(function):
    """Attributes of an operator besides its schema: methods, device checks, tags, omitted C++ defaults."""
    attributes = ['structured::method'] if Variant.method in function.variants else []
    if function.device_check is DeviceCheckType.NoCheck:
        attributes.append('structured::device_check(false)')
    if function.tags:
        attributes.append(attribute('tags', *sorted(function.tags)))
    attributes += [attribute('no_cpp_default', name) for name in sorted(function.cpp_no_default_args)]
    return attributes


def backends_of(function, indices):
    return [key.name for key, index in indices.items() if index.has_kernel(function)]


def unstructured(function, backends, *, is_whole_operator=True):
    func = function.func
    out_count = len(func.arguments.out)
    parameters = []
    first_kwonly = next((a.name for a in func.arguments.flat_kwarg_only if a not in func.arguments.out), None)
    for argument in func.schema_order_arguments():
        spelled = native.argument_type(argument, binds=argument.name, symint=True).cpp_type()
        parameters.append(parameter(argument, spelled, func.returns, kwonly=argument.name == first_kwonly,
                                    default_in_cpp=out_count == 0))
    name = str(func.name)
    if backends == ['CompositeImplicitAutograd']:
        attributes = [attribute('composite', name)]
    else:
        attributes = [attribute('kernel', name, *backends)]
    attributes += returns_attributes([function])
    if is_whole_operator:
        attributes += metadata_attributes(function)
    if out_count and not func.returns:
        attributes.append('structured::out')
    result = native.returns_type(func.returns, symint=True).cpp_type()
    function_name = func.name.unambiguous_name() + '__kernel'
    return f'{marked(attributes).strip()}\n{result} {function_name}({", ".join(parameters)});\n'


def precomputed_class(group):
    """The text of the class with precomputed values, and the inputs that it replaces; both empty if there are none.

    Our annotations replace an input by a member of its name. Where ATen replaces one by others, impl keeps the input."""
    precomputed = group.out.precomputed
    if not precomputed:
        return '', []
    values = [value for values in precomputed.replace.values() for value in values] + precomputed.add
    members = [f'{structured.argument_type(value, binds=value.name).cpp_type()} {value.name};' for value in values]
    replaced = [name for name, values in precomputed.replace.items() if name in (value.name for value in values)]
    return f'struct {values_name(group)} {{ {" ".join(members)} }};\n', replaced


def values_name(group):
    return group.functional.func.name.unambiguous_name() + '__values'


def structured_trio(group, indices):
    values, replaced = precomputed_class(group)
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
        if argument.name not in replaced:
            impl_parameters.append(f'{spelled} {argument.name}')
    if values:
        impl_parameters.append(f'const {values_name(group)}& values')
    impl_parameters += [f'const at::Tensor& {a.name}' for a in group.out.func.arguments.out]
    names = [str(f.func.name) for f in variants]
    attributes = [attribute('meta', *names)] + returns_attributes(variants) + metadata_attributes(group.functional)
    stem = func.name.unambiguous_name()
    result = values_name(group) if values else 'void'
    text = f'{marked(attributes).strip()}\n{result} {stem}__meta({", ".join(meta_parameters)});\n'
    impl_backends = {k.name for k, index in indices.items() if index.get_kernel(group) is not None
                     and index.get_kernel(group).structured and index.has_kernel(group.out)}
    for backend in sorted(impl_backends):
        text += (f'[[structured::impl({literal(names[-1])}, {literal(backend)})]]\n'
                 f'void {stem}__{backend}({", ".join(impl_parameters)});\n')
    for function in variants:
        others = [name for name in backends_of(function, indices) if name not in impl_backends]
        if others:
            text += unstructured(function, others, is_whole_operator=False)
    return text


def declarations(parsed):
    """Yields (functions, class that a header defines for them, annotated declarations)."""
    indices = parsed.backend_indices
    for entry in get_grouped_native_functions(parsed.native_functions):
        if isinstance(entry, NativeFunctionsGroup) and entry.structured:
            covered = [f for f in (entry.functional, entry.inplace, entry.mutable, entry.out) if f is not None]
            yield covered, precomputed_class(entry)[0], structured_trio(entry, indices)
        else:
            functions = [entry] if not isinstance(entry, NativeFunctionsGroup) else list(entry.functions())
            for function in functions:
                yield [function], '', unstructured(function, backends_of(function, indices))


def write_sources(work, classes, texts):
    prelude = work / 'aten_prelude.h'
    prelude.write_text('#pragma once\n#include <structured/annotate.h>\n#include <ATen/ATen.h>\n'
                       '#include <ATen/TensorIterator.h>\n#include <ATen/TensorMeta.h>\n'
                       f'namespace at::native_kernels {{\n{"".join(classes)}}}\n')
    sources = []
    for start in range(0, len(texts), FUNCTIONS_PER_SOURCE):
        source = work / f'aten_{start // FUNCTIONS_PER_SOURCE:02}.cpp'
        source.write_text('#include "aten_prelude.h"\nnamespace at::native_kernels {\nusing namespace at;\n\n' +
                          '\n'.join(texts[start:start + FUNCTIONS_PER_SOURCE]) + '}\n')
        sources.append(source)
    return prelude, sources


def run(*command):
    """The command's output. If the command fails, exits with its error output."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f'{done.stderr}{command[0]} failed with {done.returncode}')
    return done.stdout


def scan(options, prelude, sources):
    flags = ['-std=c++17', f'-I{options.work}', f'-I{options.runtime}']
    pch = str(options.work / 'aten.pch')
    start = time.time()
    run(options.structured_gen, 'precompile', '-o', pch, str(prelude), '--', *flags)
    print(f'precompiled headers: {time.time() - start:.2f} s')
    start = time.time()
    run(options.structured_gen, 'scan', '--dialect=aten', '--pch', pch, '--source-root', str(options.work),
        '--output-dir', str(options.work / 'fragments'), *map(str, sources), '--', *flags)
    print(f'scan of {len(sources)} sources: {time.time() - start:.2f} s')


def export(options, form):
    start = time.time()
    fragments = sorted(map(str, (options.work / 'fragments').rglob('*.fragment.json')))
    text = run(options.structured_gen, 'list', f'--format={form}', '--dialect=aten', '--namespace=aten',
               '--cpp-namespace=at', *fragments)
    print(f'list --format={form}: {time.time() - start:.2f} s')
    return text


def missing_schemas(expected, listed):
    """The lines of `expected` that were not listed; prints each with the listed schema of equal name."""
    found = {normal(line) for line in listed.splitlines() if line}
    by_name = {line.split('(')[0]: line for line in found}
    missing = [line for line in expected if line not in found]
    for line in missing:
        print('missing: ' + line)
        print('  found: ' + by_name.get(line.split('(')[0], 'no schema of that name'))
    return missing


def as_annotations_can_say(parsed):
    """Facts that torchgen reads from its own file, without those that annotations cannot express for single variants."""
    facts = torchgen_yaml.facts(parsed)
    for known in facts.values():
        if known['precomputed']:
            replaced, added = known['precomputed']
            # ATen replaces an input by any number of values, annotations by the one of its name; the others are added.
            pairs = [(line.split(' -> ')[0], value) for line in replaced for value in line.split(' -> ')[1].split(', ')]
            same = [f'{name} -> {value}' for name, value in pairs if value.split()[-1] == name]
            known['precomputed'] = (same, [value for name, value in pairs if value.split()[-1] != name] + added)
    for entry in get_grouped_native_functions(parsed.native_functions):
        if isinstance(entry, NativeFunctionsGroup) and entry.structured:
            whole = facts[str(entry.functional.func.name)]
            for function in entry.functions():
                facts[str(function.func.name)].update(device_check=whole['device_check'], tags=whole['tags'])
    # torchgen excepts this one name from its own rule about names with `dropout`.
    facts['_cudnn_init_dropout_state']['tags'] = ['nondeterministic_seeded']
    return facts


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
    classes, texts = [], []
    with local.parametrize(use_const_ref_for_mutable_tensors=False, use_ilistref_for_tensor_lists=False):
        parsed = torchgen_yaml.parse(options.yaml)
        for covered, class_text, text in declarations(parsed):
            if any(str(f.func.name) in wanted_names for f in covered):
                classes.append(class_text)
                texts.append(text)
    prelude, sources = write_sources(options.work, classes, texts)
    scan(options, prelude, sources)
    listed = export(options, 'schema')
    missing = missing_schemas(expected, listed)
    print(f'{len(expected) - len(missing)} of {len(expected)} schemas come back')

    exported = options.work / 'native_functions.yaml'
    exported.write_text(export(options, 'yaml'))
    ours = torchgen_yaml.facts(torchgen_yaml.parse(exported))
    differences = torchgen_yaml.differences(as_annotations_can_say(parsed), ours)
    print(''.join(line + '\n' for line in differences), end='')
    print(f'torchgen reads {len(ours)} of {len(expected)} operators from the export')
    return 1 if missing or differences or len(ours) != len(expected) else 0


if __name__ == '__main__':
    sys.exit(main())
