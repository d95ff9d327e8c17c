#!/usr/bin/env python3
"""conformance.py STRUCTURED_REPLAY WORK: each operator passes 98 % of PyTorch's own tests, with results and refused.

The calls are those of the file that STRUCTURED_CONFORMANCE_DUMP names, or of WORK/full.jsonl, which is recorded from
the PyTorch of this machine if it is not there. They are replayed as far as PyTorch itself makes them again as
recorded; what is found out about that stays in WORK for the next time.
"""
import argparse
import os
import pathlib
import subprocess
import sys

CONFORMANCE = pathlib.Path(__file__).resolve().parent.parent / 'conformance'


def make(target, *sources, command):
    """Runs the command, which writes the target, unless that is newer than all of the sources."""
    if target.exists() and all(source.stat().st_mtime <= target.stat().st_mtime for source in sources):
        print(f'{target} is there', flush=True)
        return
    part = target.with_suffix('.part')
    done = subprocess.run([sys.executable, *map(str, command), str(part)],
                          check=False, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:  # PyTorch's warnings are many, and of no interest otherwise
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
                             '--at-least', '98', '--verbose'], check=False).returncode)


main()
