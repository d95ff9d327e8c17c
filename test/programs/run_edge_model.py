"""run_edge_model.py SOURCE_DIR WORK STRUCTURED_GEN CXX MODELS: builds examples/edge for its model and runs it.

Exports the model by the Python of MODELS/environment (run_models.py), selects its operators, builds the program, and checks
that outputs are as expected, that the program's own relu is called, that another model is refused by the names of the
operators that are missing, and what the program contains. Flags: -Os -DNDEBUG -ffunction-sections -fdata-sections
-Wl,--gc-sections, exceptions on, stripped, libstdc++ shared.
"""
import pathlib
import subprocess
import sys

from run_models import newest_python

MOST_BYTES = 690_000
# Another model, with operators that the first one does not have.
OTHER = """
import pathlib, sys, torch
class Other(torch.nn.Module):
    def forward(self, x):
        return torch.relu(torch.cumsum(x, 0)) + torch.erfinv(x)
torch.export.save(torch.export.export(Other(), (torch.rand(4),)), sys.argv[1])
"""


def run(*command, fails=False):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if (done.returncode != 0) != fails:
        sys.exit(f'{command}: exit status {done.returncode}\n{done.stdout}{done.stderr}')
    return done.stdout + done.stderr


def main(source, work, gen, cxx, models):
    source, work = pathlib.Path(source), pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    model, expected, selection = work / 'model.pt2', work / 'expected.safetensors', work / 'selection.json'
    example = source / 'examples/edge'
    if not expected.exists():
        python = newest_python(pathlib.Path(models) / 'environment')
        run(python, example / 'export_model.py', work)
        run(python, '-c', OTHER, work / 'other.pt2')
    run(gen, 'select', model, '-o', selection)
    run('cmake', '-G', 'Ninja', '-S', example, '-B', work / 'build', '-DCMAKE_BUILD_TYPE=MinSizeRel',
        f'-DCMAKE_CXX_COMPILER={cxx}', f'-DSTRUCTURED_GEN_EXECUTABLE={gen}', '-DSTRUCTURED_BUILD_TOOL=OFF',
        f'-DSELECTION={selection}', '-DCMAKE_CXX_COMPILER_LAUNCHER=' + launcher())
    run('cmake', '--build', work / 'build', '-j2')
    program = work / 'build/run_model'
    run('strip', '-o', work / 'run_model', program)
    size = (work / 'run_model').stat().st_size
    print(f'run_model: {size} bytes')
    faults = [] if size <= MOST_BYTES else [f'expected at most {MOST_BYTES} bytes']
    output = run(work / 'run_model', model, expected)
    print(output, end='')
    if output.splitlines()[:2] != ['run 1: as expected', 'run 2: as expected'] or 'own relu: 0' in output:
        faults.append('expected equal outputs of two runs, and calls of the own relu')
    refusal = run(work / 'run_model', work / 'other.pt2', expected, fails=True)
    print(refusal, end='')
    if any(name not in refusal for name in ('`aten::cumsum`', '`aten::erfinv`', '`aten::add.Tensor`')):
        faults.append('expected the names of all missing operators')
    symbols = run('nm', '-C', program)
    absent = ['read_schema', 'boxed_cumsum', 'cumsum_cpu', 'structured::Operator<']
    faults += [f'has {name}' for name in absent if name in symbols]
    print('\n'.join(faults))
    return 1 if faults else 0


def launcher():
    """ccache, if it is there."""
    return 'ccache' if subprocess.run(['which', 'ccache'], capture_output=True).returncode == 0 else ''


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
