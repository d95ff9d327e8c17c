#!/usr/bin/env python3
"""Records calls of PyTorch's out= operators whose tensors share memory: record_overlap.py CALLS.jsonl OPERATORS CASES.jsonl

Runs with the Python of a wheel of PyTorch. CALLS.jsonl has recorded calls; OPERATORS is the output of `structured-gen list`. For
the smallest functional call with an out= overload, `out` becomes a view of an input, or memory beside it, and outputs become
views of each other. Overlapping tensors may be refused, even if PyTorch does not find the overlap, or the results are those of
separate memory: such records have an `error` and `expect`. Elementwise operators must accept an output that is an input, and
all must accept memory that has no element in common.
"""
import collections
import json
import math
import sys
import warnings

import torch
from recorded_values import Unrecordable, decoded, encoded, encoded_call

warnings.filterwarnings('ignore')
LARGEST = 27  # elements of a tensor
MOST_BYTES = 1500
FULL = ('equal', 'equal_strided')
OVERLAPS = (*FULL, 'transposed', 'shifted', 'strided')


# Calls of operators that PyTorch composes of others, so that no recorded call has them: out= overload and inputs.
COMPOSITES = {
    '_chunk_cat.out': lambda a, b: ([a, b], 0, 1), '_int_mm.out': lambda a, b: (a.to(torch.int8), b.to(torch.int8)),
    'adaptive_avg_pool2d.out': lambda a, b: (a.view(1, 4, 4), [2, 2]), 'bernoulli.out': lambda a, b: (a * 0,),
    'column_stack.out': lambda a, b: ([a, b],), 'concat.out': lambda a, b: ([a, b],), 'copy.out': lambda a, b: (a, b),
    'detach_copy.out': lambda a, b: (a,), 'dist.out': lambda a, b: (a, b), 'dstack.out': lambda a, b: ([a, b],),
    'frexp.Tensor_out': lambda a, b: (a,), 'ger.out': lambda a, b: (a[0], b[0]), 'hstack.out': lambda a, b: ([a, b],),
    'inner.out': lambda a, b: (a, b), 'kthvalue.values': lambda a, b: (a, 2, 1), 'linear.out': lambda a, b: (a, b),
    'linspace.Tensor_Tensor_out': lambda a, b: (a[0, 0], b[0, 0], 4), 'log_softmax.int_out': lambda a, b: (a, 1),
    'logcumsumexp.out': lambda a, b: (a, 1), 'masked_select.out': lambda a, b: (a, a > 0),
    'matmul.out': lambda a, b: (a, b), 'max.dim_max': lambda a, b: (a, 1), 'max.out': lambda a, b: (a, b),
    'max.unary_out': lambda a, b: (a,), 'mode.values': lambda a, b: (a, 1), 'msort.out': lambda a, b: (a,),
    'mvlgamma.out': lambda a, b: (a.abs() + 9, 3), 'native_dropout_backward.out': lambda a, b: (a, b > 0, 2.),
    'nonzero.out': lambda a, b: (a.to(torch.int64),), 'outer.out': lambda a, b: (a[0], b[0]),
    'row_stack.out': lambda a, b: ([a, b],), 'select_copy.int_out': lambda a, b: (a, 0, 1),
    'slice_copy.Tensor_out': lambda a, b: (a, 1, 1), 'softmax.int_out': lambda a, b: (a, 1),
    'sort.values': lambda a, b: (a.to(torch.int64), 1), 'std.out': lambda a, b: (a, [1]), 'topk.values': lambda a, b: (a, 2, 1),
    'view_as_real_copy.out': lambda a, b: (torch.complex(a, b),), 'vstack.out': lambda a, b: ([a, b],),
    'var.out': lambda a, b: (a, [1]),
}


def composite_calls():
    """Calls of COMPOSITES in the format of recorded ones, and their out= overloads."""
    torch.manual_seed(0)
    tensors = torch.randn(4, 4), torch.randn(4, 4)
    for name, inputs in COMPOSITES.items():
        packet, overload = name.split('.')
        values = [list(value) if isinstance(value, tuple) else value for value in inputs(*tensors)]
        yield {'op': 'aten::' + packet, 'args': [encoded(torch, value) for value in values], 'kwargs': {}}, \
            getattr(getattr(torch.ops.aten, packet), overload)


def tensors_in(values):
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, list):
            yield from tensors_in(value)


def replaced(value, old, new):
    if isinstance(value, list):
        return [replaced(each, old, new) for each in value]
    return new if value is old else value


def out_overload(call, ours):
    """The overload that writes the results of `call`, and the names of its outputs."""
    packet = getattr(torch.ops.aten, call['op'].removeprefix('aten::'))
    schema = getattr(packet, call['overload'] or 'default')._schema
    names = [argument.name for argument in schema.arguments]
    for overload in packet.overloads():
        found = getattr(packet, overload)._schema
        outputs = [each.name for each in found.arguments if each.is_out]
        inputs = [each.name for each in found.arguments if not each.is_out]
        if outputs and inputs == names and (call['op'].removeprefix('aten::') + '.' + overload) in ours:
            if all(str(each.type) == 'Tensor' for each in found.arguments if each.is_out):
                return getattr(packet, overload), outputs
    return None, []


def functional_of(operator):
    """The overload with the inputs of `operator`."""
    packet = getattr(torch.ops.aten, operator._schema.name.removeprefix('aten::'))
    inputs = [(each.name, str(each.type)) for each in operator._schema.arguments if not each.is_out]
    for overload in packet.overloads():
        found = [(each.name, str(each.type)) for each in getattr(packet, overload)._schema.arguments]
        if [each for each in found if each[0] not in ('dtype', 'layout', 'device', 'pin_memory') or each in inputs] == inputs:
            return getattr(packet, overload)
    raise ValueError(f'no functional overload for {operator}')


def buffer_for(numel, like):
    return torch.zeros(numel, dtype=like.dtype)


def placed(buffer, tensor, offset, stride):
    """A copy of `tensor` in `buffer`, from `offset` on, with `stride` between neighbours."""
    strides, step = [], stride
    for size in reversed(tensor.shape):
        strides.insert(0, step)
        step *= max(1, size)
    view = buffer.as_strided(tensor.shape, strides, offset)
    view.copy_(tensor)
    return view


def pairs(written, read):
    """Named pairs of tensors in one memory: an output like `written`, and an input equal to `read`."""
    count = 2 * max(written.numel(), read.numel()) + 2
    is_alike = written.shape == read.shape
    if is_alike:
        new = read.clone(memory_format=torch.contiguous_format)
        yield 'equal', new.view(new.shape), new
        new = placed(buffer_for(count, read), read, 0, 2)
        yield 'equal_strided', new.as_strided(new.shape, new.stride()), new
        if read.dim() >= 2 and read.shape[-1] == read.shape[-2] > 1:
            new = placed(buffer_for(count, read), read, 0, 1)
            yield 'transposed', new.transpose(-1, -2), new
    if read.numel() > 1 and written.numel() > 1:
        buffer = buffer_for(count, read)
        yield 'shifted', placed(buffer, written, 1, 1), placed(buffer, read, 0, 1)
        buffer = buffer_for(count, read)
        yield 'strided', placed(buffer, written, 2, 2), placed(buffer, read, 0, 2)
        buffer = buffer_for(count, read)
        yield 'beside', placed(buffer, written, 1, 2), placed(buffer, read, 0, 2)
    else:
        buffer = buffer_for(count, read)
        yield 'behind', placed(buffer, written, read.numel(), 1), placed(buffer, read, 0, 1)


def is_elementwise(operator):
    functional = functional_of(operator)
    return torch.Tag.pointwise in functional.tags or hasattr(torch.ops.aten, functional._schema.name.split('::')[1] + '_')


def with_strides_of(output, result):
    if output.shape != result.shape:
        return result
    return torch.empty_strided(output.shape, output.stride(), dtype=result.dtype).copy_(result)


def run(operator, args, kwargs):
    try:
        operator(*args, **kwargs)
    except Exception as error:
        return str(error)[:200]
    return None


class Overlaps:
    def __init__(self, out):
        self.out, self.counts = out, collections.Counter()

    def record(self, name, operator, args, kwargs, outputs, right):
        case = {'name': name, 'op': operator._schema.name, 'overload': operator._schema.overload_name, 'expect': None,
                'written': {}, 'random': False}
        case.update(encoded_call(torch, args, kwargs))
        strides = {output: (kwargs[output].shape, kwargs[output].stride()) for output in outputs}
        case['error'] = run(operator, args, kwargs)
        if any(kwargs[output].shape == shape and kwargs[output].stride() != stride for output, (shape, stride) in strides.items()):
            return  # PyTorch makes a few outputs contiguous
        if case['error'] is None:
            is_right = all(kwargs[output].shape == result.shape and torch.allclose(kwargs[output], result, equal_nan=True)
                           for output, result in zip(outputs, right))
            if not is_right:
                case['error'] = 'PyTorch computes from elements that it has overwritten'
            elif name in OVERLAPS and not (name in FULL and is_elementwise(operator)):
                case['error'] = 'none in PyTorch'
        case['expect'] = [encoded(torch, with_strides_of(kwargs[output], result)) for output, result in zip(outputs, right)]
        self.counts[f'{"refused" if case["error"] else "accepted"} {name}'] += 1
        line = json.dumps(case, sort_keys=True)
        if len(line) < MOST_BYTES:
            self.out.write(line + '\n')

    def of_call(self, call, functional, operator, outputs):
        def fresh():
            return ([decoded(torch, value) for value in call['args']],
                    {name: decoded(torch, value) for name, value in call['kwargs'].items()})
        args, kwargs = fresh()
        right = functional(*args, **kwargs)
        right = [right] if isinstance(right, torch.Tensor) else list(right)
        if len(right) != len(outputs) or any(each.numel() == 0 for each in right):
            return
        separate = [torch.empty_like(each) for each in right]
        if run(operator, args, dict(kwargs, **dict(zip(outputs, separate)))) is not None:
            return
        for i, output in enumerate(outputs):
            inputs = list(tensors_in([*args, *kwargs.values()]))
            for j, each in enumerate(inputs):
                if each.dtype != right[i].dtype or each.numel() == 0:
                    continue
                for name, written, read in pairs(right[i], each):
                    new_args = [replaced(value, each, read) for value in args]
                    new_kwargs = {key: replaced(value, each, read) for key, value in kwargs.items()}
                    new_kwargs.update(zip(outputs, (torch.zeros_like(result) for result in right)))
                    self.record(name, operator, new_args, dict(new_kwargs, **{output: written}), outputs, right)
            for j in range(i):
                if right[i].dtype != right[j].dtype:
                    continue
                for name, one, other in pairs(right[i], right[j]):
                    new_kwargs = dict(kwargs, **dict(zip(outputs, (torch.zeros_like(result) for result in right))))
                    self.record('outputs_' + name, operator, args, dict(new_kwargs, **{output: one, outputs[j]: other}), outputs,
                                right)


def size_of(call):
    """Elements of the largest tensor."""
    def sizes(value):
        if 'tensor' in value:
            yield math.prod(value['tensor']['shape'])
        for each in value['list'] if isinstance(value.get('list'), list) else []:
            yield from sizes(each)
    return max((size for value in [*call['args'], *call['kwargs'].values()] for size in sizes(value)), default=0)


def smallest_calls(lines):
    """The smallest call of each functional overload whose tensors have several elements."""
    found = {}
    for line in lines:
        call = json.loads(line)
        key = call['op'], call['overload']
        if call['error'] or call['random'] or call['written'] or 'as_strided' in call['op'] or not 4 <= size_of(call) <= LARGEST:
            continue
        if key not in found or size_of(call) < size_of(found[key]):
            found[key] = call
    return found.values()


def main():
    torch.set_num_threads(1)
    with open(sys.argv[2], encoding='utf-8') as listed:
        ours = {line.split('(')[0] for line in listed}
    with open(sys.argv[1], encoding='utf-8') as calls, open(sys.argv[3], 'w', encoding='utf-8') as out:
        overlaps = Overlaps(out)
        for call, operator in composite_calls():
            outputs = [each.name for each in operator._schema.arguments if each.is_out]
            overlaps.of_call(call, functional_of(operator), operator, outputs)
        for call in smallest_calls(calls):
            name = call['op'], call['overload']
            try:
                packet = getattr(torch.ops.aten, call['op'].removeprefix('aten::'))
                operator, outputs = out_overload(call, ours)
                if operator is not None:
                    overlaps.of_call(call, getattr(packet, call['overload'] or 'default'), operator, outputs)
            except (Unrecordable, AttributeError, RuntimeError, TypeError, IndexError) as error:
                print(f'{name}: {str(error)[:100]}')
    for name, count in sorted(overlaps.counts.items()):
        print(name, count)


main()
