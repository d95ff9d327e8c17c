"""run_modules.py STRUCTURED_RUN WORK [STRUCTURED_GEN]: runs modules for PyTorch's lite interpreter and compares their results
with PyTorch's.

Writes the modules by export_modules.py with Debian's python3-torch, and runs each in both encodings by `structured-run
--expect`; the results of the module with quantized tensors must be equal. `structured-gen select` must select the operators
that loading a module takes from the library. Exits with 77, which ctest counts as skipped, without python3-torch.
"""
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def selection_problem(structured_run, structured_gen, module):
    """A fault in the selection of a module. A record without a run has the operators that loading takes from the library."""
    selection = module.with_suffix('.json')
    subprocess.run([structured_gen, 'select', module, '-o', selection], check=True)
    selected = set(json.loads(selection.read_text())['operators'])
    record = module.with_suffix('.record.json')
    subprocess.run([structured_run, module, '--record', record], check=True, stdout=subprocess.DEVNULL)
    expected = set(json.loads(record.read_text())['operators'])
    return '' if selected == expected else f'selected {sorted(selected)}, expected {sorted(expected)}'


def main(structured_run, work, structured_gen=None):
    work = pathlib.Path(work)
    if subprocess.run(['/usr/bin/python3', '-c', 'import torch']).returncode:
        print('skipped: /usr/bin/python3 has no torch; Debian has it in python3-torch')
        return 77
    if not (work / 'custom.values.pt').exists():
        subprocess.run(['/usr/bin/python3', HERE / 'export_modules.py', work], check=True)
    failed, passed = [], 0
    for values in sorted(work.glob('*.values.pt')):
        name = values.name.removesuffix('.values.pt')
        for suffix in ['.ptl', '.fb.ptl']:
            tolerance = '0' if name == 'quantized' else '1e-5'
            run = subprocess.run([structured_run, work / (name + suffix), '--expect', values, '--tolerance', tolerance],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            is_good = run.returncode == 0
            problem = structured_gen and is_good and selection_problem(structured_run, structured_gen, work / (name + suffix))
            if problem:
                is_good = False
                print(problem)
            passed += is_good
            if not is_good:
                failed.append(name + suffix)
                print(f'{name + suffix}: {run.stdout.strip()}', flush=True)
    print(f'{passed} modules run as PyTorch does; failed: {failed or "none"}')
    return 1 if failed or not passed else 0


sys.exit(main(*sys.argv[1:]))
