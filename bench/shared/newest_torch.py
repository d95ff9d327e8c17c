"""Builds the peer's programs against the newest PyTorch wheel, which stays in a folder for later runs.

    python3 bench/shared/newest_torch.py FOLDER NAME    e.g. build/newest_torch throughput

prints PyTorch's version and the path of the program built from bench/NAME/peer_torch.cpp. The first run downloads the wheel
and keeps its headers and libraries, half a gigabyte; each program takes a minute to compile.
"""
import os
import pathlib
import re
import subprocess
import sys
import venv
import zipfile

BENCH = pathlib.Path(__file__).resolve().parent.parent
NEEDED = re.compile(r'torch/include/|torch/lib/lib(c10|torch_cpu|gomp)[-.]|.*/lib(cupti|cudart)\.so')


def unpack(folder):
    """Unpacks PyTorch's headers and CPU libraries, and the CUDA libraries that these are linked with."""
    downloads = folder / 'downloads'
    venv.create(folder / 'environment', with_pip=True)
    for package in 'torch', 'nvidia-cuda-cupti', 'nvidia-cuda-runtime':
        subprocess.run([folder / 'environment/bin/python3', '-m', 'pip', 'download', '--quiet', '--no-deps',
                        '--only-binary=:all:', '-d', downloads, package], check=True)
    for wheel in downloads.glob('*.whl'):
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if not NEEDED.match(name) or name.endswith('/'):
                    continue
                path = folder / (name if name.startswith('torch/') else f'torch/lib/{pathlib.Path(name).name}')
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(name))
        wheel.unlink()


def version(folder):
    text = (folder / 'torch/include/torch/headeronly/version.h').read_text()
    return re.search(r'define TORCH_VERSION_MAJOR (\d+)', text)[1] + '.' + \
        re.search(r'define TORCH_VERSION_MINOR (\d+)', text)[1]


def program(folder, name):
    """("PyTorch 2.15", path of the program); downloads and compiles what is missing."""
    folder = pathlib.Path(folder).resolve()
    library = folder / 'torch/lib'
    if not (library / 'libtorch_cpu.so').exists():
        print(f'{folder}: getting the torch wheel', file=sys.stderr, flush=True)
        unpack(folder)
    result = folder / f'bench_{name}_newest'
    sources = [BENCH / name / 'peer_torch.cpp', *BENCH.glob('*/*.h')]
    if not result.exists() or result.stat().st_mtime < max(path.stat().st_mtime for path in sources):
        print(f'{result}: compiling', file=sys.stderr, flush=True)
        subprocess.run([os.environ.get('CXX', 'g++'), '-std=c++20', '-O3', '-DNDEBUG', '-w', f'-I{BENCH}', '-isystem',
                        folder / 'torch/include', '-isystem', folder / 'torch/include/torch/csrc/api/include',
                        sources[0], '-o', result, f'-L{library}', f'-Wl,-rpath,{library}', f'-Wl,-rpath-link,{library}',
                        '-Wl,--no-as-needed', '-ltorch_cpu', '-lc10'], check=True)
    return f'PyTorch {version(folder)}', str(result)


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print(*program(sys.argv[1], sys.argv[2]))
