#!/usr/bin/env python3
"""Keeps the recorded calls that PyTorch reproduces: verify_dump.py CASES.jsonl VERIFIED.jsonl

Runs with the Python of Debian's python3-torch. A recorded call describes its argument tensors, but not which of them
shared memory, the machine, or the state of the random number generator. Each call is therefore repeated in PyTorch as
structured-replay repeats it, with newly created tensors. Calls that do not reproduce their record are omitted, and
counted by reason and operator:

  arguments    an argument cannot be created: a tensor was larger than its recorded storage
  operator     PyTorch defines the operator only while its tests run
  refusal      rejected although the record has results, or accepted although it was rejected: memory was shared
  memory       other results, which are the same each time: memory was shared
  machine      other results of the same shapes when PyTorch uses other instructions (AVX2, AVX-512, none)

Calls whose results depend on the random seed are kept and marked `"random": true`. If a float32 or complex64 result
differs from PyTorch's own float64 or complex128 result by more than half of the tolerances of torch.testing.assert_close,
the case gets the wider result as its member `exact`: another result with the same rounding error may lie on the other side
of the exact one. Results of float16 and bfloat16 get it if they are not the float64
result, rounded once.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

from recorded_values import Unrecordable, decoded, decoded_call, encoded

# Environments that select instruction sets in PyTorch. The first is the default of the machine.
MACHINES = [
    {},
    {'ATEN_CPU_CAPABILITY': 'default', 'ONEDNN_MAX_CPU_ISA': 'SSE41', 'OPENBLAS_CORETYPE': 'Prescott'},
    {'ATEN_CPU_CAPABILITY': 'avx2', 'ONEDNN_MAX_CPU_ISA': 'AVX2', 'OPENBLAS_CORETYPE': 'Haswell'},
    {'ATEN_CPU_CAPABILITY': 'avx512', 'ONEDNN_MAX_CPU_ISA': 'AVX512_CORE', 'OPENBLAS_CORETYPE': 'SkylakeX'},
]
WIDE = {'float16': 'float64', 'bfloat16': 'float64', 'float32': 'float64', 'complex64': 'complex128'}
# Larger distances from the exact result are not rounding errors.
ROUNDING = {'float16': 2e-2, 'bfloat16': 1e-1, 'float32': 1e-2, 'complex64': 1e-2}
TOLERANCES = {'float16': (1e-3, 1e-5), 'bfloat16': (1.6e-2, 1e-5), 'float32': (1.3e-6, 1e-5), 'float64': (1e-7, 1e-7),
              'complex64': (1.3e-6, 1e-5), 'complex128': (1e-7, 1e-7)}


def machines():
    """Returns the environments whose instructions this machine has."""
    with open('/proc/cpuinfo', encoding='utf-8') as file:
        has_avx512 = 'avx512f' in file.read()
    return [machine for machine in MACHINES if has_avx512 or machine.get('ATEN_CPU_CAPABILITY') != 'avx512']


def wide_dtype(torch, dtype):
    """Returns the dtype of exact results for results of `dtype`, or None."""
    name = WIDE.get(str(dtype).removeprefix('torch.'))
    return name and getattr(torch, name)


def widened(torch, value):
    """Converts the tensors and dtypes in a value to float64 or complex128."""
    if isinstance(value, torch.Tensor):
        return value.to(wide_dtype(torch, value.dtype) or value.dtype)
    if isinstance(value, (list, tuple)):
        return [widened(torch, each) for each in value]
    return wide_dtype(torch, value) or value if isinstance(value, torch.dtype) else value


def are_close(torch, found, wanted, factor=1):
    relative, absolute = (factor * limit for limit in TOLERANCES.get(str(wanted.dtype)[6:], (0, 0)))
    if not (wanted.is_floating_point() or wanted.is_complex()):
        return torch.equal(found, wanted)
    double = torch.complex128 if wanted.is_complex() else torch.float64
    return torch.allclose(found.to(double), wanted.to(double), rtol=relative, atol=absolute, equal_nan=True)


def difference(torch, found, wanted):
    """Returns '' if the values match, 'elements' if only elements differ, otherwise 'kind'."""
    if isinstance(wanted, torch.Tensor):
        if not isinstance(found, torch.Tensor) or found.dtype != wanted.dtype or found.shape != wanted.shape:
            return 'kind'
        if wanted.numel() and any(n > 1 and a != b for n, a, b in zip(wanted.shape, found.stride(), wanted.stride())):
            return 'kind'
        return '' if are_close(torch, found.detach().resolve_conj().resolve_neg(), wanted) else 'elements'
    if isinstance(wanted, (list, tuple)):
        if not isinstance(found, (list, tuple)) or len(found) != len(wanted):
            return 'kind'
        return max((difference(torch, a, b) for a, b in zip(found, wanted)), key=['', 'elements', 'kind'].index,
                   default='')
    if isinstance(wanted, (float, complex)) and isinstance(found, (int, float, complex)):
        return '' if are_close(torch, torch.tensor(found, dtype=torch.complex128),
                               torch.tensor(wanted, dtype=torch.complex128)) else 'elements'
    return '' if type(found) is type(wanted) and found == wanted else 'kind'


class Call:
    """A recorded call, repeated by PyTorch."""

    def __init__(self, torch, case):
        self.torch, self.case = torch, case
        namespace, name = case['op'].split('::')
        packet = getattr(getattr(torch.ops, namespace), name, None)
        self.function = packet and getattr(packet, case['overload'] or 'default')

    def made(self, seed, widen=False):
        """Returns (results, mutated arguments), or None if PyTorch rejects the call."""
        torch, case = self.torch, self.case
        try:
            args, kwargs = decoded_call(torch, case)
        except RuntimeError as error:
            raise Unrecordable(str(error)) from error
        if widen:
            args, kwargs = widened(torch, args), {name: widened(torch, value) for name, value in kwargs.items()}
        torch.manual_seed(seed)
        try:
            with torch.no_grad():
                results = self.function(*args, **kwargs)
        except Exception:  # PyTorch raises many exception classes
            return None
        if not isinstance(results, (list, tuple)) or isinstance(results, torch.Size):
            results = [results]
        given = dict(zip((argument.name for argument in self.function._schema.arguments), args), **kwargs)
        return list(results), {name: given[name] for name in case['written'] if name in given}

    def recorded(self):
        torch, case = self.torch, self.case
        return ([decoded(torch, value) for value in case['expect']],
                {name: decoded(torch, value) for name, value in case['written'].items()})

    def compared(self, made):
        (results, written), (wanted, wanted_written) = made, self.recorded()
        names = sorted(wanted_written)
        found = [results, [written.get(name) for name in names]]
        if self.case['random']:
            return ''
        return difference(self.torch, found, [wanted, [wanted_written[name] for name in names]])

    def verdict(self):
        """Returns '' or the reason why PyTorch does not reproduce the record."""
        if self.function is None:
            return 'operator'
        try:
            made = self.made(0)
            if made is None or self.case['error'] is not None:
                return '' if (made is None) == (self.case['error'] is not None) else 'refusal'
            what = self.compared(made)
        except Unrecordable:
            return 'arguments'
        if what != 'elements':
            return what and 'memory'
        other = self.made(1)
        is_same = other is not None and difference(self.torch, other[0], made[0]) == ''
        return 'memory' if is_same else 'random'

    def exact(self):
        """Returns the wider results if the record is not as close to them as this module's text says, else None."""
        torch, case = self.torch, self.case
        if case['error'] is not None or case['random']:
            return None
        made = self.made(0, widen=True)
        wanted, _ = self.recorded()
        if made is None or len(made[0]) != len(wanted):
            return None
        found, is_off = [], False
        for result, record in zip(made[0], wanted):
            wide = wide_dtype(torch, record.dtype) if isinstance(record, torch.Tensor) else None
            if wide is None:
                found.append({'none': None})
                continue
            if not isinstance(result, torch.Tensor) or result.dtype != wide or result.shape != record.shape:
                return None
            found.append(encoded(torch, result.contiguous()))
            is_short = record.element_size() == 2
            if torch.equal(result.to(record.dtype), record) if is_short else are_close(torch, result, record, 0.5):
                continue
            # Infinities and NaN must be equal: their difference is NaN.
            is_equal = (record == result) | (record.isnan() & result.isnan())
            limit = ROUNDING[str(record.dtype)[6:]] * result.abs().clamp(min=1)
            if not (is_equal | ((record.to(wide) - result).abs() <= limit)).all():
                return None
            is_off = True
        return found if is_off else None


def work(cases, verdicts, wants_exact):
    """Writes a verdict and, if requested, the exact results for each case, in one environment."""
    import warnings
    warnings.filterwarnings('ignore')
    import torch
    torch.set_num_threads(1)
    with open(cases, encoding='utf-8') as lines, open(verdicts, 'w', encoding='utf-8') as out:
        for line in lines:
            call = Call(torch, json.loads(line))
            verdict = call.verdict()
            exact = call.exact() if wants_exact and not verdict else None
            out.write(json.dumps([verdict, exact]) + '\n')


def verdicts_on(cases, number, folder):
    """Runs `work` in a separate process and returns its output. Prints PyTorch's warnings only if it fails."""
    path = os.path.join(folder, str(number))
    done = subprocess.run([sys.executable, __file__, cases, path, '--work', str(number)], text=True, check=False,
                          stderr=subprocess.PIPE, env={**os.environ, **machines()[number]})
    if done.returncode != 0:
        sys.exit(f'verify_dump.py: error: a call of PyTorch ended the process:\n{done.stderr[-2000:]}')
    with open(path, encoding='utf-8') as lines:
        return [json.loads(line) for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('cases')
    parser.add_argument('verified')
    parser.add_argument('--work', type=int, help=argparse.SUPPRESS)  # index into machines(), for the separate process
    options = parser.parse_args()
    if options.work is not None:
        work(options.cases, options.verified, options.work == 0)
        return
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
            found = list(threads.map(lambda number: verdicts_on(options.cases, number, folder), range(len(machines()))))
    left_out, marked = collections.Counter(), collections.Counter()
    with open(options.cases, encoding='utf-8') as lines, open(options.verified, 'w', encoding='utf-8') as out:
        for line, (verdict, exact), *others in zip(lines, *found):
            case = json.loads(line)
            name = case['op'] + ('.' + case['overload'] if case['overload'] else '')
            if verdict == 'random':
                marked['random', name] += 1
                case['random'] = True
            elif verdict or any(other for other, _ in others):
                left_out[verdict or 'machine', name] += 1
                continue
            elif exact is not None:
                marked['exact', name] += 1
                case['exact'] = exact
            out.write(json.dumps(case, sort_keys=True) + '\n')
    for title, counts in (('left out', left_out), ('marked', marked)):
        print(f'{sum(counts.values())} {title}')
        for (why, name), count in sorted(counts.items()):
            print(f'  {why:<10} {name} {count}')


main()
