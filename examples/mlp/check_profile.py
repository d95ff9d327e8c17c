#!/usr/bin/env python3
"""Runs the example and checks that its profile is what Chrome's tracing page reads: check_profile.py PROGRAM."""
import json
import pathlib
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / 'profile.json'
    subprocess.run([sys.argv[1], str(path)], check=True, stdout=subprocess.DEVNULL)
    events = json.loads(path.read_text())['traceEvents']

for event in events:
    missing = {'ph', 'pid', 'tid', 'cat', 'name', 'ts', 'dur', 'args'} - event.keys()
    assert not missing, f'expected all members of a complete event, got {event}'
    assert event['ph'] == 'X' and event['ts'] >= 0 and event['dur'] >= 0, event


def within(name, outer):
    return [event for event in events if event['name'] == name and
            event['ts'] >= outer['ts'] and event['ts'] + event['dur'] <= outer['ts'] + outer['dur'] + 0.001]


ranges = [event for event in events if event['name'] == 'forward']
assert len(ranges) == 3, f'expected three passes, got {len(ranges)}'
for pass_ in ranges:
    layers = within('aten::linear', pass_)
    assert len(layers) == 2 and within('aten::relu', pass_), 'expected the calls of a pass within it'
    assert all(within('aten::addmm', layer) for layer in layers), 'expected `aten::addmm` within `aten::linear`'
    assert layers[0]['args']['shapes'] == [[4, 2], [2, 2], [2]], layers[0]['args']
print(f'{len(events)} events')
