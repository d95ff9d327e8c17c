"""load_saved.py SAVE_TRACED STRUCTURED_RUN WORK: PyTorch loads a program that our tracer recorded and save_program wrote.

SAVE_TRACED writes the program. torch.export.load reads it, and its outputs for random inputs are compared with those of
`structured-run`. The Python is the one of run_models.py. Exits with 77, which ctest counts as skipped, if there is none.
"""
import pathlib
import subprocess
import sys

from run_models import newest_python

LOAD = """
import sys, torch
from safetensors.torch import save_file
program, expected = sys.argv[1:]
module = torch.export.load(program).module()
torch.manual_seed(0)
x = torch.randn(2, 3, 16, 16)
y, z = module(x.clone())
save_file({'input.0': x, 'output.0': y.contiguous(), 'output.1': z.contiguous()}, expected)
"""


def main(save_traced, structured_run, work):
    work = pathlib.Path(work)
    work.mkdir(parents=True, exist_ok=True)
    program, expected = work / 'traced.pt2', work / 'traced.expected.safetensors'
    python = newest_python(work / 'environment')
    subprocess.run([save_traced, program], check=True)
    subprocess.run([python, '-c', LOAD, program, expected], check=True)
    return subprocess.run([structured_run, program, '--expect', expected, '--tolerance', '1e-4']).returncode


sys.exit(main(*sys.argv[1:]))
