"""stale_cache.py FOLDER CMAKE ARGUMENTS...: compiles a program, changes the scalar function that it calls, and compiles it again
in a new process, which must not get the earlier program from PyTorch's caches."""
import os
import pathlib
import shutil
import subprocess
import sys

PROJECT = '''cmake_minimum_required(VERSION 3.25)
project(cached LANGUAGES CXX)
find_package(Structured REQUIRED CONFIG)
structured_add_torch_library(cached cached.h PYTHON_MODULE)
'''
HEADER = '''#pragma once
#include <structured/torch.h>
/// `self` times a number.
template <typename T>
[[structured::pointwise("scaled"), structured::no_out, structured::not_differentiable, structured::dtypes("float")]]
T scaled(T self) {
  return self * T(NUMBER);
}
'''
PROGRAM = '''
import torch, cached
from torch._dynamo.utils import counters
result = torch.compile(lambda x: torch.ops.cached.scaled(x) + 1, fullgraph=True)(torch.ones(4))
print(result[0].item(), counters['inductor']['fxgraph_cache_hit'], counters['aot_autograd']['autograd_cache_hit'])
'''


def main(folder, *configure):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / 'source').mkdir(parents=True)
    (folder / 'source' / 'CMakeLists.txt').write_text(PROJECT)
    environment = dict(os.environ, TORCHINDUCTOR_CACHE_DIR=str(folder / 'cache'), TORCHINDUCTOR_FORCE_DISABLE_CACHES='0',
                       PYTHONPATH=str(folder / 'build' / 'python'))
    results = []
    for number in (2, 2, 3):
        (folder / 'source' / 'cached.h').write_text(HEADER.replace('NUMBER', str(number)))
        subprocess.run([*configure, '-S', folder / 'source', '-B', folder / 'build', f'-DPython_EXECUTABLE={sys.executable}'], check=True)
        subprocess.run([configure[0], '--build', folder / 'build'], check=True)
        output = subprocess.run([sys.executable, '-c', PROGRAM], check=True, capture_output=True, text=True, env=environment).stdout
        results.append(output.split())
    print(results)
    values = [float(result[0]) for result in results]
    if values != [3, 3, 4]:
        sys.exit(f'expected 3, 3 and 4, got {values}')
    hits = [int(result[1]) + int(result[2]) for result in results]
    if hits[0] or not hits[1] or hits[2]:
        sys.exit(f'expected a hit of a cache in the second process alone, got {hits}')


if __name__ == '__main__':
    main(*sys.argv[1:])
