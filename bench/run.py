"""run.py [NAME [ARGUMENTS...]]: runs one benchmark of this folder, or all of them; `./dev bench` builds them first.

NAME.cpp or NAME.py is a source here. ARGUMENTS are passed to it.
"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE.parent / 'build' / 'release' / 'bin'


def command_of(name):
    script = HERE / f'{name}.py'
    if script.exists():
        return [sys.executable, script, '--structured-gen', PROGRAMS / 'structured-gen']
    return [PROGRAMS / f'bench_{name}']


def main(name=None, *arguments):
    names = sorted(path.stem for path in HERE.iterdir() if path.suffix in ('.cpp', '.py') and path.stem != 'run')
    if name and name not in names:
        print(f'dev: error: `bench`: no such benchmark `{name}`; there are {" ".join(names)}', file=sys.stderr)
        return 2
    for each in [name] if name else names:
        done = subprocess.run([*command_of(each), *arguments])
        if done.returncode:
            return done.returncode
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
