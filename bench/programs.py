#!/usr/bin/env python3
"""Time of saved programs, beside the modules that they are exported from.

    python3 bench/programs.py --structured-gen build/release/bin/structured-gen [--python PYTHON] [--names a,b]
        [--threads 1,2] [--without a,b] [--rounds N] [--markdown FILE]

Exports models with random weights by PYTHON (default: that of the tier programs, which has torch, torchvision and
transformers), compiles them for the peers, and runs each one in PyTorch's eager mode, as exported module, by the peers and by
structured-run, which take turns for N rounds. Peers are AOTInductor's package, PyTorch's mobile lite interpreter with
a frozen module, and ExecuTorch with its XNNPACK delegate, whose wheel is installed into build/programs. Figures are the
fastest run of all rounds, which depends least on other load of the machine.
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
PEERS = {'inductor': 'AOTInductor', 'lite': 'lite interpreter', 'executorch': 'ExecuTorch'}
# Without torch, which PYTHON has.
EXECUTORCH = ['executorch', 'torchao', 'flatbuffers', 'ruamel.yaml', 'tabulate', 'expecttest', 'parameterized', 'hypothesis',
              'sortedcontainers', 'pandas', 'pytz', 'python-dateutil', 'six']
# Runs in PYTHON: `export NAME FOLDER`, `compile NAME FOLDER PEER`, and `time NAME FOLDER THREADS`, which prints times in ms.
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
program = os.path.join(folder, name + '.pt2')
files = {peer: os.path.join(folder, name + suffix)
         for peer, suffix in {'inductor': '.inductor.pt2', 'lite': '.ptl', 'executorch': '.pte'}.items()}

def compile_for(peer, model, inputs):
    if peer == 'inductor':
        torch._inductor.aoti_compile_and_package(torch.export.load(program), package_path=files[peer])
    elif peer == 'lite':
        traced = torch.jit.freeze(torch.jit.trace(model, inputs, check_trace=False))
        traced._save_for_lite_interpreter(files[peer])
    else:
        from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
        from executorch.exir import to_edge_transform_and_lower
        lowered = to_edge_transform_and_lower(torch.export.load(program), partitioner=[XnnpackPartitioner()])
        with open(files[peer], 'wb') as file:
            file.write(lowered.to_executorch().buffer)

def load_for(peer, threads):
    if peer == 'inductor':
        return torch._inductor.aoti_load_package(files[peer])
    if peer == 'lite':
        from torch.jit.mobile import _load_for_lite_interpreter
        return _load_for_lite_interpreter(files[peer])
    from executorch.extension.pybindings import portable_lib
    portable_lib._unsafe_reset_threadpool(threads)
    module = portable_lib._load_for_executorch(files[peer])
    return lambda *inputs: module.forward(inputs)[0]

with torch.no_grad():
    model, inputs = make(name)
    if verb == 'export':
        torch.export.save(torch.export.export(model, inputs), program)
        from safetensors.torch import save_file
        save_file({'input.0': inputs[0], 'output.0': model(*inputs).contiguous()},
                  os.path.join(folder, name + '.expected.safetensors'))
    elif verb == 'compile':
        compile_for(sys.argv[4], model, inputs)
    else:
        threads = int(sys.argv[4])
        torch.set_num_threads(threads)
        print('eager', fastest(lambda: model(*inputs)))
        exported = torch.export.load(program).module()
        print('exported', fastest(lambda: exported(*inputs)))
        expected = model(*inputs)
        for peer in sys.argv[5:]:
            loaded = load_for(peer, threads)
            difference = (loaded(*inputs) - expected).abs().max() / expected.abs().max()
            assert difference < 1e-2, f'{peer} differs by {difference}'
            print(peer, fastest(lambda: loaded(*inputs)))
'''


def text_of(done, what):
    """Output of a process that has ended well."""
    if done.returncode:
        sys.exit(f'{what}: {done.stdout}{done.stderr}')
    return done.stdout


def output_of(*command, **environment):
    done = subprocess.run([str(part) for part in command], env=dict(os.environ, **environment), capture_output=True, text=True)
    return text_of(done, command[0])


def in_python(options, *arguments, **environment):
    """Runs PROGRAM."""
    path = os.pathsep.join(filter(None, [str(options.packages), os.environ.get('PYTHONPATH')]))
    return subprocess.run([str(part) for part in (options.python, '-c', PROGRAM, *arguments)], capture_output=True, text=True,
                          env=dict(os.environ, PYTHONPATH=path, **environment))


def prepare(options, name):
    """Exports a model. Returns the peers that run it."""
    if not (options.folder / (name + '.expected.safetensors')).exists():
        text_of(in_python(options, 'export', name, options.folder), name)
    peers = []
    for peer in PEERS:
        if peer in options.without:
            continue
        mark = options.folder / f'{name}.{peer}.complete'
        if not mark.exists():
            done = in_python(options, 'compile', name, options.folder, peer)
            if done.returncode:
                print(f'{name}: {PEERS[peer]} is left out: {done.stderr.strip().splitlines()[-1]}', flush=True)
                continue
            mark.touch()
        peers.append(peer)
    return peers


def install_executorch(options):
    """Installs the wheel beside PYTHON's packages, or leaves the peer out."""
    if 'executorch' in options.without or (options.packages / 'complete').exists():
        return
    done = subprocess.run([options.python, '-m', 'pip', '--disable-pip-version-check', 'install', '--quiet', '--no-deps',
                           '--target', options.packages, *EXECUTORCH], capture_output=True, text=True)
    if done.returncode:
        print(f'ExecuTorch is left out: {done.stderr.strip()}', flush=True)
        options.without.append('executorch')
    else:
        (options.packages / 'complete').touch()


def times_of(options, run, name, threads, peers):
    """The fastest runs in ms."""
    text = text_of(in_python(options, 'time', name, options.folder, threads, *peers, OMP_NUM_THREADS=str(threads)), name)
    times = {kind: float(value) for kind, value in re.findall(r'^(\w+) ([\d.e-]+)$', text, re.MULTILINE)}
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
    parser.add_argument('--without', type=lambda text: text.split(','), default=[], help='peers: ' + ', '.join(PEERS))
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--markdown', type=pathlib.Path)
    options = parser.parse_args()
    if not options.python.exists():
        print(f'skipped: {options.python} is missing; `./dev test --only=programs` makes it')
        return 0
    options.folder = ROOT / 'build/programs'
    options.folder.mkdir(parents=True, exist_ok=True)
    run = options.structured_gen.resolve().parent / 'structured-run'
    options.packages = options.folder / 'executorch'
    install_executorch(options)
    rows = [['model', 'threads', 'ours: ms', 'eager: ms', 'ratio', 'exported: ms',
             *[part for title in PEERS.values() for part in (title + ': ms', 'ratio')], 'arena: MB', 'load: ms']]
    for name in options.names:
        peers = prepare(options, name)
        for threads in options.threads:
            rounds = [times_of(options, run, name, threads, peers) for _ in range(options.rounds)]
            best = {kind: min(one[kind] for one in rounds) for kind in rounds[0]}
            row = [name, str(threads), f'{best["ours"]:.2f}', f'{best["eager"]:.2f}',
                   f'{best["ours"] / best["eager"]:.2f}', f'{best["exported"]:.2f}']
            for peer in PEERS:
                row += [f'{best[peer]:.2f}', f'{best["ours"] / best[peer]:.2f}'] if peer in best else ['', '']
            rows.append([*row, f'{best["arena"]:.1f}', f'{best["load"]:.1f}'])
            print(' '.join(rows[-1]), flush=True)
    print(output_of(options.python, '-c', 'import torch; print("torch", torch.__version__)').strip())
    print(as_text(rows, left_columns=2))
    if options.markdown:
        options.markdown.write_text(as_markdown(rows, left_columns=2))
    return 0


sys.exit(main())
