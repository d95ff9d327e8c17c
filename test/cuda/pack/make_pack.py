#!/usr/bin/env python3
"""Makes a pack: one folder with the programs that test and measure the CUDA backend, for machines with only a driver.

    make_pack.py --build FOLDER --output FILE.tar.gz|FOLDER [--limit MB] PROGRAM...

Copies programs from FOLDER/bin, the libraries that they need and open, except for those of the C library, the files that they
read, and the script `run`. Fails if the result is larger than the limit.
"""
import argparse
import gzip
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# Opened by these names.
OPENED = ['libstructured_kernels.so', 'libstructured_cuda.so', 'libstructured_kernels_cuda.so']
DATA = ['test/conformance/sample.jsonl', 'test/conformance/known_differences.txt', 'test/cuda/known_differences.txt']
# Every Linux has these, in a version that fits its kernel and driver.
OF_THE_SYSTEM = re.compile(r'^(ld-linux.*|linux-vdso|libc|libm|libdl|libpthread|librt|libcuda)\.so')


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed_libraries(file):
    """Paths of the libraries that a program or library is linked with, by their sonames."""
    found = {}
    for line in output_of('ldd', str(file)).splitlines():
        match = re.match(r'\s*(\S+) => (\S+)', line)
        if match is None or OF_THE_SYSTEM.match(match[1]):
            continue
        if match[2] == 'not':
            sys.exit(f'make_pack: {file} needs {match[1]}, which is not installed')
        found[match[1]] = pathlib.Path(match[2])
    return found


def copy_stripped(source, target):
    shutil.copy(source.resolve(), target)
    target.chmod(0o755)
    subprocess.run(['strip', '--strip-unneeded', str(target)], check=True)


def soname_of(library):
    found = re.search(r'SONAME\s+(\S+)', output_of('objdump', '-p', str(library)))
    return found[1] if found else library.name


def blas_of(build):
    """The BLAS and LAPACK library that the kernels open."""
    cache = (build / 'CMakeCache.txt').read_text()
    return pathlib.Path(re.search(r'^STRUCTURED_OPENBLAS:\w+=(.*)$', cache, re.MULTILINE)[1])


def fill(folder, build, programs):
    for name in ('bin', 'lib', 'data'):
        (folder / name).mkdir(parents=True)
    sources = [build / 'bin' / program for program in programs]
    for source in sources:
        copy_stripped(source, folder / 'bin' / source.name)
    opened = [build / 'lib' / name for name in OPENED] + [blas_of(build)]
    libraries = {soname_of(library): library for library in opened}
    for file in sources + opened:
        libraries.update(needed_libraries(file))
    for soname, library in libraries.items():
        copy_stripped(library, folder / 'lib' / soname)
    for name in OPENED:
        if not (folder / 'lib' / name).exists():
            (folder / 'lib' / name).symlink_to(soname_of(build / 'lib' / name))
    emitted = list((build / 'kernels').glob('structured_kernels_cuda.gen/operators.json'))
    for file in [ROOT / name for name in DATA] + emitted:
        target = folder / 'data' / file.parent.name / file.name
        target.parent.mkdir(exist_ok=True)
        shutil.copy(file, target)
    shutil.copy(HERE / 'run', folder / 'run')
    (folder / 'run').chmod(0o755)


def write_archive(folder, file):
    """Writes equal bytes for equal contents."""
    def plain(member):
        member.mtime = member.uid = member.gid = 0
        member.uname = member.gname = ''
        return member

    with gzip.GzipFile(file, 'wb', mtime=0) as packed, tarfile.open(fileobj=packed, mode='w') as archive:
        for path in sorted(folder.rglob('*')):
            archive.add(path, pathlib.Path('cuda_pack') / path.relative_to(folder), recursive=False, filter=plain)


def size_in_mb(path):
    files = [path] if path.is_file() else path.rglob('*')
    return sum(file.stat().st_size for file in files if file.is_file() and not file.is_symlink()) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', required=True, type=pathlib.Path)
    parser.add_argument('--output', required=True, type=pathlib.Path)
    parser.add_argument('--limit', type=float, default=60)
    parser.add_argument('programs', nargs='+')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / 'cuda_pack'
        fill(folder, options.build.resolve(), options.programs)
        if options.output.name.endswith('.tar.gz'):
            write_archive(folder, options.output)
        else:
            shutil.copytree(folder, options.output, symlinks=True)
        size = size_in_mb(options.output)
        largest = sorted((file for file in folder.rglob('*') if file.is_file()), key=lambda file: -file.stat().st_size)
        print(f'{options.output}: {size:.1f} MB, {size_in_mb(folder):.1f} MB unpacked; largest: ' +
              ', '.join(f'{file.name} {size_in_mb(file):.1f}' for file in largest[:4]))
    if size > options.limit:
        sys.exit(f'make_pack: expected at most {options.limit:g} MB')


if __name__ == '__main__':
    main()
