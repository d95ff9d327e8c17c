#!/usr/bin/env python3
"""Compares the frames of a call in gdb with the frames that a page of documentation lists.

    call_frames.py PROGRAM PAGE

The page's first `text picture` block has a name a line, the outermost first.
"""
import re
import subprocess
import sys

program, page = sys.argv[1:]
commands = ['set pagination off', 'set width 0', 'set breakpoint pending on', 'break main', 'run',
            r'rbreak PointwiseFunction<float.*add_Tensor', 'continue', 'backtrace']
gdb = subprocess.run(['gdb', '-q', '-batch', '-nx'] + [word for line in commands for word in ('-ex', line)] + [program],
                     capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)


def bare(name):
    """The name without arguments and template arguments: `a::b::e` for `a::b<c (d)>::e(f) const`."""
    depth = 0
    result = ''
    for c in name:
        if c in '<(':
            depth += 1
        if depth == 0:
            result += c
        if c in '>)':
            depth -= 1
    return result.split(' const')[0].split(' from ')[0].strip()


frames = re.findall(r'^#\d+ +(?:0x[0-9a-f]+ in )?(.*)$', gdb.stdout, re.MULTILINE)
names = [re.sub(r'^void |\bdetail::', '', bare(frame)) for frame in frames]  # the namespace of internals
if 'structured::add' not in names:
    sys.exit(f'expected `structured::add` among the frames\n{gdb.stdout}\n{gdb.stderr}')
names = names[:names.index('structured::add') + 1][::-1]
listed = re.search(r'```text picture\n(.*?)```', open(page).read(), re.DOTALL)[1].split()
assert len(names) <= 6, names


def same_everywhere(name):
    """Replaces the instruction set of a loop, which depends on the processor."""
    return re.sub('::(avx512|avx2|baseline)$', '::LOOP', name)


if list(map(same_everywhere, names)) != list(map(same_everywhere, listed)):
    sys.exit(f'{page} lists {listed}, got {names}')
print(f'{len(names)} frames as the page has them')
