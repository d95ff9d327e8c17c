"""kernel_builder.py FOLDER: writes a project for kernel-builder, compiles it as kernel-builder does, for two names of the extension,
and calls the operators of both in one process."""
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tomllib

import torch
import structured_gen
from structured_gen.toolchain import find_torch

SOURCE = """
#include <structured/torch.h>

#include "kernels_shared.h"

namespace my {

[[structured::kernel("twice", "CPU")]]
at::Tensor twice(const at::Tensor& self) {
  return self.mul(kFactor);
}

[[structured::backward("twice")]]
at::Tensor twice_backward(const at::Tensor& grad) {
  return grad.mul(kFactor);
}

}  // namespace my
"""
# In place of the header that kernel-builder has.
REGISTRATION = """
#include <Python.h>
#define STRINGIZE(A) #A
#define STRING(A) STRINGIZE(A)
#define JOIN_(A, B) A##B
#define JOIN(A, B) JOIN_(A, B)
#define REGISTER_EXTENSION(NAME)                                                \\
  PyMODINIT_FUNC JOIN(PyInit_, NAME)() {                                        \\
    static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, STRING(NAME), nullptr, 0, nullptr}; \\
    return PyModule_Create(&module);                                            \\
  }
"""


def build(project, name):
    """Compiles the sources of build.toml, in one command for each, and links a module."""
    options = tomllib.loads((project / 'build.toml').read_text())
    kernel = options['kernel']['my']
    assert kernel['backend'] == 'cpu' and options['general']['backends'] == ['cpu']
    folder = project.parent / name
    folder.mkdir()
    found = find_torch()
    flags = [f'-I{project / each}' for each in kernel['include']] + [f'-isystem{each}' for each in found.include_dirs]
    flags += ['-isystem' + sysconfig.get_path('include'), f'-I{folder}', f'-DTORCH_EXTENSION_NAME={name}', '-fPIC', '-O1', '-w']
    (folder / 'registration.h').write_text(REGISTRATION)
    sources = [each for each in kernel['src'] + options['torch']['src'] if each.endswith('.cpp')]
    assert all((project / each).exists() for each in kernel['src'])
    running, objects = [], []
    for number, source in enumerate(sources):
        objects.append(folder / f'{number}.o')
        running.append(subprocess.Popen(['g++', *kernel['cxx-flags'], *flags, '-c', project / source, '-o', objects[-1]]))
    assert not any(each.wait() for each in running)
    library = folder / f'{name}.so'
    subprocess.run(['g++', '-shared', '-o', library, *objects, f'-L{found.root}/lib', '-ltorch_cpu', '-lc10'], check=True)
    return library


def main(folder):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / 'sources').mkdir(parents=True)
    (folder / 'sources' / 'kernels_shared.h').write_text('#pragma once\nconstexpr double kFactor = 2;\n')
    (folder / 'sources' / 'twice.cpp').write_text(SOURCE)
    project = folder / 'hub'
    subprocess.run([sys.executable, '-m', 'structured_gen', 'emit', '--for=kernel-builder', '--name=my', f'--output-dir={project}',
                    '--repo-id=me/my', folder / 'sources' / 'twice.cpp'], check=True)
    assert 'repo-id = "me/my"' in (project / 'build.toml').read_text()
    assert str(structured_gen.source_dir()) not in ''.join(path.read_text() for path in project.rglob('*') if path.is_file())
    for name in ('_my_1', '_my_2'):
        torch.ops.load_library(str(build(project, name)))
        twice = getattr(torch.ops, name).twice
        x = torch.ones(2, requires_grad=True)
        twice(x).sum().backward()
        assert x.grad.tolist() == [2, 2]
    module = (project / 'torch-ext' / 'my' / '__init__.py').read_text()
    assert 'from ._ops import ops' in module and 'twice = ops.twice' in module
    print('two builds of one kernel in a process')


main(*sys.argv[1:])
