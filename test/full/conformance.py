#!/usr/bin/env python3
"""conformance.py STRUCTURED_REPLAY WORK: the calls in PyTorch's tests pass, valid and invalid, but for listed ones.

The calls come from the file named by STRUCTURED_CONFORMANCE_DUMP, or from WORK/full.jsonl, which is recorded from this
machine's PyTorch if it does not exist. Only calls that PyTorch itself reproduces are replayed; the list of these calls is kept
in WORK.
"""
import argparse
import os
import pathlib
import subprocess
import sys

CONFORMANCE = pathlib.Path(__file__).resolve().parent.parent / 'conformance'


def make(target, *sources, command):
    """Runs the command, which makes the target, unless the target is newer than all sources."""
    if target.exists() and all(source.stat().st_mtime <= target.stat().st_mtime for source in sources):
        print(f'{target} is up to date', flush=True)
        return
    part = target.with_suffix('.part')
    done = subprocess.run([sys.executable, *map(str, command), str(part)],
                          check=False, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:  # PyTorch prints many warnings; show them only with an error
        sys.exit(f'{command[0]} failed:\n{done.stderr[-4000:]}')
    part.rename(target)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('replay')
    parser.add_argument('work', type=pathlib.Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    full, verified = options.work / 'full.jsonl', options.work / 'verified.jsonl'
    record, verify = CONFORMANCE / 'record_dump.py', CONFORMANCE / 'verify_dump.py'
    if 'STRUCTURED_CONFORMANCE_DUMP' in os.environ:
        full = pathlib.Path(os.environ['STRUCTURED_CONFORMANCE_DUMP'])
        verified = options.work / f'verified_{full.name}'
    else:
        make(full, record, command=[record])
    make(verified, full, verify, command=[verify, full])
    sys.exit(subprocess.run([options.replay, str(verified), '--known', str(CONFORMANCE / 'known_differences.txt'),
                             '--verbose'], check=False).returncode)


main()
