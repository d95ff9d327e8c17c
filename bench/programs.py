#!/usr/bin/env python3
"""Time of saved programs, beside the modules that they are exported from.

    python3 bench/programs.py --structured-gen build/release/bin/structured-gen [--python PYTHON] [--names a,b]
        [--threads 1,2] [--without-inductor] [--rounds N] [--markdown FILE]

Exports models with random weights by PYTHON (default: that of the tier programs, which has torch, torchvision and
transformers), compiles them by AOTInductor, and runs each one in PyTorch's eager mode, as exported module, as
AOTInductor's package and by structured-run, which take turns for N rounds. Figures are the fastest run of all rounds,
which depends least on other load of the machine.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

from shared.tables import as_markdown, as_text

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ['resnet18', 'mobilenet_v3', 'vit_b_16', 'gpt2', 'bert_base']
# Runs in PYTHON: `prepare NAME FOLDER INDUCTOR` exports and compiles, `time NAME FOLDER THREADS` prints times in ms.
PROGRAM = r'''
import os, sys, time, warnings
warnings.filterwarnings('ignore')
sys.setdlopenflags(os.RTLD_GLOBAL | os.RTLD_NOW)  # libraries of AOTInductor look for the symbols of libtorch_cpu
import torch

def make(name):
    torch.manual_seed(0)
    image = torch.randn(1, 3, 224, 224)
    if name in ('resnet18', 'mobilenet_v3', 'vit_b_16'):
        import torchvision.models
        model = torchvision.models.get_model({'mobilenet_v3': 'mobilenet_v3_large'}.get(name, name), weights=None)
        return model.eval(), (image,)
    import transformers
    class Logits(torch.nn.Module):
        def __init__(self, model):
            super().__init__()
            self.model = model
        def forward(self, ids):
            out = self.model(input_ids=ids, **({'use_cache': False} if name == 'gpt2' else {}))
            return out.logits if name == 'gpt2' else out.last_hidden_state
    config = transformers.GPT2Config() if name == 'gpt2' else transformers.BertConfig()
    config._attn_implementation = 'sdpa'
    model = transformers.GPT2LMHeadModel(config) if name == 'gpt2' else transformers.BertModel(config)
    return Logits(model).eval(), (torch.randint(0, 30000, (1, 128)),)

def fastest(function, seconds=3.0):
    best, end = 1e9, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best * 1e3

verb, name, folder = sys.argv[1:4]
program, package = os.path.join(folder, name + '.pt2'), os.path.join(folder, name + '.inductor.pt2')
with torch.no_grad():
    if verb == 'prepare':
        model, inputs = make(name)
        if not os.path.exists(program):
            torch.export.save(torch.export.export(model, inputs), program)
            from safetensors.torch import save_file
            save_file({'input.0': inputs[0], 'output.0': model(*inputs).contiguous()},
                      os.path.join(folder, name + '.expected.safetensors'))
        if sys.argv[4] == '1' and not os.path.exists(package):
            torch._inductor.aoti_compile_and_package(torch.export.load(program), package_path=package)
    else:
        torch.set_num_threads(int(sys.argv[4]))
        model, inputs = make(name)
        print('eager', fastest(lambda: model(*inputs)))
        exported = torch.export.load(program).module()
        print('exported', fastest(lambda: exported(*inputs)))
        if os.path.exists(package):
            compiled = torch._inductor.aoti_load_package(package)
            print('inductor', fastest(lambda: compiled(*inputs)))
'''


def output_of(*command, **environment):
    done = subprocess.run([str(part) for part in command], env=dict(os.environ, **environment), capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(f'{command[0]}: {done.stdout}{done.stderr}')
    return done.stdout


def times_of(options, run, name, threads):
    """The fastest runs in ms."""
    text = output_of(options.python, '-c', PROGRAM, 'time', name, options.folder, threads, OMP_NUM_THREADS=str(threads))
    times = {kind: float(value) for kind, value in (line.split() for line in text.splitlines())}
    expected = options.folder / (name + '.expected.safetensors')
    text = output_of(run, options.folder / (name + '.pt2'), '--expect', expected, '--time', OMP_NUM_THREADS=str(threads))
    times['ours'] = float(re.search(r'fastest ([\d.]+) ms', text)[1])
    times['load'] = float(re.search(r'load: ([\d.]+) ms', text)[1])
    times['arena'] = float(re.search(r'arena of (\d+) bytes', text)[1]) / 1e6
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--structured-gen', required=True, type=pathlib.Path)
    parser.add_argument('--python', type=pathlib.Path,
                        default=ROOT / 'build/release/test/programs/models/environment/bin/python3')
    parser.add_argument('--names', type=lambda text: text.split(','), default=MODELS)
    parser.add_argument('--threads', type=lambda text: list(map(int, text.split(','))), default=[1, 2])
    parser.add_argument('--without-inductor', action='store_true')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--markdown', type=pathlib.Path)
    options = parser.parse_args()
    if not options.python.exists():
        print(f'skipped: {options.python} is missing; `./dev test --only=programs` makes it')
        return 0
    options.folder = ROOT / 'build/programs'
    options.folder.mkdir(parents=True, exist_ok=True)
    run = options.structured_gen.resolve().parent / 'structured-run'
    rows = [['model', 'threads', 'ours: ms', 'eager: ms', 'ours / eager', 'exported: ms', 'AOTInductor: ms',
             'ours / AOTInductor', 'arena: MB', 'load: ms']]
    for name in options.names:
        output_of(options.python, '-c', PROGRAM, 'prepare', name, options.folder, 0 if options.without_inductor else 1)
        for threads in options.threads:
            rounds = [times_of(options, run, name, threads) for _ in range(options.rounds)]
            best = {kind: min(one[kind] for one in rounds) for kind in rounds[0]}
            row = [name, str(threads), f'{best["ours"]:.2f}', f'{best["eager"]:.2f}',
                   f'{best["ours"] / best["eager"]:.2f}', f'{best["exported"]:.2f}']
            inductor = best.get('inductor')
            row += [f'{inductor:.2f}', f'{best["ours"] / inductor:.2f}'] if inductor else ['', '']
            rows.append([*row, f'{best["arena"]:.1f}', f'{best["load"]:.1f}'])
            print(' '.join(rows[-1]), flush=True)
    print(output_of(options.python, '-c', 'import torch; print("torch", torch.__version__)').strip())
    print(as_text(rows, left_columns=2))
    if options.markdown:
        options.markdown.write_text(as_markdown(rows, left_columns=2))
    return 0


sys.exit(main())
