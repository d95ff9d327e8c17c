#!/usr/bin/env python3
"""Measures the time of the language server from an edit to its diagnostics.

    python3 bench/editor.py --structured-gen build/release/bin/structured-gen [--edits N]

Uses the structured-lsp beside structured-gen. Three sources have 10, 100 and 1,000 annotated functions with bodies; a fourth,
our own upsampling kernels, has helper functions and large headers. Each edit introduces or removes a wrong parameter type, so
that the diagnostics change. `shown` is the time from sending the edit until the diagnostics arrive, `parse` and `check` are the
parts for parsing the source and checking the library; these figures are medians. `least` is the minimal processor time of a
parse, which depends less on other work of the machine; `cpu` is the mean processor time of the server for one edit.
"""
import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'test/lit/lsp/Inputs'))
sys.dont_write_bytecode = True
from client import Client, compile_commands  # noqa: E402

HEAD = '#include <structured/structured.h>\nusing namespace structured;\n'
OPERATOR = '''
/// Scales `self`.
[[structured::meta("op{i}", "op{i}_", "op{i}.out")]]
void op{i}_meta(MetaBase& op, const Tensor& self, double alpha = 1) {{
  STRUCTURED_CHECK(self.dim() > 0, "op{i}: expected `self` with dimensions, got sizes ", self.sizes());
  op.set_output_raw_strided(0, self.sizes(), {{}}, self.options());
}}

[[structured::impl("op{i}.out", "CPU")]]
void op{i}_cpu(const Tensor& self, double alpha, const Tensor& out) {{
  for (int64_t i = 0; i < self.numel(); ++i) {{
    out.data_ptr<double>()[i] = alpha * self.data_ptr<double>()[i];
  }}
}}
'''


def generated(functions):
    return HEAD + ''.join(OPERATOR.format(i=i) for i in range(functions // 2))


def cpu_seconds(process):
    """Processor time of all threads, in units of 0.01 s."""
    fields = pathlib.Path(f'/proc/{process.pid}/stat').read_text().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def wait_for_diagnostics(client, path):
    client.published.clear()
    client._until(lambda: client.uri(path) in client.published, 'diagnostics')


def measure(server, name, text, old, new, edits, headers=None, others=()):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / 'edited.cpp').write_text(text)
        for other, contents in others:
            (root / other).write_text(contents)
        compile_commands(root, ['edited.cpp', *(other for other, _ in others)], ROOT / 'runtime',
                         f'-I{headers}' if headers else '')
        client = Client(server, root)
        client.initialize()
        start = time.perf_counter()
        client.open('edited.cpp')
        client.settle()
        opened = time.perf_counter() - start
        shown, parse, least, check = [], [], [], []
        for edit in range(edits + 2):
            if edit == 2:
                before = cpu_seconds(client.process)
            wrong = edit % 2 == 0
            start = time.perf_counter()
            client.change('edited.cpp', *((old, new) if wrong else (new, old)))
            wait_for_diagnostics(client, 'edited.cpp')
            elapsed = (time.perf_counter() - start) * 1e3
            status = client.result('structured/status', {'completes': False})
            if edit < 2:
                continue  # the first ones find out how long the source takes
            shown.append(elapsed)
            parse.append(status['parseMilliseconds'])
            least.append(status['parseProcessorMilliseconds'])
            check.append(status['checkMilliseconds'])
        cpu = (cpu_seconds(client.process) - before) / edits
        client.result('shutdown')
        client.notify('exit')
        client.process.wait()
    print(f'{name:34} {opened * 1e3:8.0f} {statistics.median(shown):8.1f} {statistics.median(parse):8.1f} '
          f'{min(least):8.1f} {statistics.median(check):8.1f} {cpu * 1e3:8.1f}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', required=True, type=pathlib.Path)
    parser.add_argument('--edits', type=int, default=40)
    options = parser.parse_args()
    server = options.structured_gen.parent / 'structured-lsp'
    print(f'{"ms":34} {"opened":>8} {"shown":>8} {"parse":>8} {"least":>8} {"check":>8} {"cpu":>8}')
    meta = (ROOT / 'kernels/meta/upsample.cpp').read_text()
    cpu = (ROOT / 'kernels/cpu/upsample.cpp').read_text()
    measure(server, 'kernels/cpu/upsample.cpp', cpu, 'std::optional<double> scales,\n', 'double scales,\n', options.edits,
            ROOT / 'kernels', [('meta.cpp', meta)])
    for functions in 10, 100, 1000:
        middle = functions // 4
        old = f'void op{middle}_cpu(const Tensor& self, double'
        measure(server, f'{functions} annotated functions', generated(functions), old, old.replace('double', 'float'),
                options.edits)


main()
