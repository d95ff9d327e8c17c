#!/usr/bin/env python3
"""Records gradients that PyTorch computes for the samples of its own tests (OpInfo), as programs that can be replayed.

    python3 record_gradients.py OUT.jsonl [--dtypes float64] [--ops add,mul] [--limit N] [--seed N] [--max-bytes N]
                                [--double N] [--inplace N] [--views N] [--forward N]

Runs with PyTorch 1.13.1 (Debian's) and 2.x. One JSON object a line, a case:

    {"name": "nn.functional.linear", "sample": 3, "variant": "functional", "dtype": "float64",
     "inputs": [{"value": TENSOR, "requires_grad": true}...],
     "steps": [{"op": "aten::linear", "overload": "", "args": [ARG...], "kwargs": {NAME: ARG}}...],
     "outputs": [REF...], "grad_outputs": [TENSOR or null...],
     "expect_outputs": [TENSOR...], "expect_grads": [TENSOR or null...],
     "double": {"grads": [TENSOR or null...], "expect": [TENSOR or null...]},
     "forward": {"tangents": [TENSOR or null...], "expect": [TENSOR or null...]},
     "exact": {"outputs": [TENSOR or null...], "grads": [...], "double": [...], "forward": [...]}}

The steps are the calls of the sample as they reach PyTorch's outermost layer, above autograd, with composite functions
whole, which users of a C++ or Python API call. They come from PyTorch's tracer. Values are numbered: inputs first,
then each step's results. ARG is a VALUE of README.md, {"ref": NUMBER}, {"ref": NUMBER, "item": I} for one of a
result that is a list, or {"list": [ARG...]}.

A replay runs the steps with the inputs, which are leaves; some require gradients; then
grad(outputs, inputs that require gradients, grad_outputs) has to be `expect_grads`; null: the output does not depend on
the input (or: the output takes no gradient). `double`: with create_graph, the gradients of the gradients, weighted by
`grads`, by the inputs and then by the grad_outputs. `forward`: forward mode. `exact`: of programs in float32, the
expected tensors in float64 where they round to others. variants: functional; inplace: the in-place
form of a clone of the input; view: of a view of a clone, and the outputs are the clone and the view.
"""
import argparse, base64, collections, json, re, sys, types, unittest, warnings

if 'expecttest' not in sys.modules:
    m = types.ModuleType('expecttest')
    m.ACCEPT, m.TestCase = False, type('TestCase', (unittest.TestCase,), {})
    sys.modules['expecttest'] = m
warnings.filterwarnings('ignore')
import torch
from torch.testing._internal.common_methods_invocations import op_db

DROPPED = collections.Counter()
RANDOM = re.compile(r'rand|bernoulli|multinomial|normal|uniform|dropout|poisson|exponential|geometric|cauchy|empty|rrelu|fractional_max_pool|svd_lowrank|pca_lowrank')


class Unrecordable(Exception):
    pass


def real(x):
    return 'nan' if x != x else {float('inf'): 'inf', float('-inf'): '-inf'}.get(x) or float(x).hex()


def tensor(t):
    """Elements as they are seen, or the storage if that is smaller than twice as much (expanded, transposed)."""
    t = t.detach().resolve_conj().resolve_neg()
    dense = t.is_contiguous()
    if t.layout != torch.strided: raise Unrecordable(f'layout {t.layout}')
    if dense:
        flat, strides, offset = t.reshape(-1), list(t.stride()), 0
    else:
        reach = 1 + sum((n - 1) * s for n, s in zip(t.shape, t.stride())) if t.numel() else 0
        flat, strides, offset = torch.as_strided(t, (reach,), (1,), t.storage_offset()), list(t.stride()), 0
    data = flat.contiguous().view(torch.uint8) if flat.numel() and flat.dtype != torch.bool else flat.to(torch.uint8)
    return {'tensor': {'dtype': str(t.dtype)[6:], 'shape': list(t.shape), 'strides': strides, 'offset': offset,
                       'storage': base64.b64encode(data.numpy().tobytes()).decode()}}


def encode(v):
    if isinstance(v, torch.Tensor): return tensor(v)
    if v is None: return {'none': None}
    if isinstance(v, bool): return {'bool': v}
    if isinstance(v, int): return {'int': v}
    if isinstance(v, float): return {'float': real(v)}
    if isinstance(v, complex): return {'complex': [real(v.real), real(v.imag)]}
    if isinstance(v, str): return {'str': v}
    if isinstance(v, torch.dtype): return {'dtype': str(v)[6:]}
    if isinstance(v, torch.memory_format): return {'memory_format': str(v)[6:]}
    if isinstance(v, torch.layout): return {'layout': str(v)[6:]}
    if isinstance(v, torch.device): return {'device': str(v)}
    if isinstance(v, (list, tuple)): return {'list': [encode(x) for x in v]}
    raise Unrecordable(f'value {type(v).__name__}')


def flatten(x, leaves):
    """A structure with tensors replaced by numbers of `leaves`."""
    if isinstance(x, torch.Tensor):
        leaves.append(x)
        return ('tensor', len(leaves) - 1)
    if isinstance(x, (list, tuple)): return (type(x) if type(x) in (list, tuple) else tuple, [flatten(y, leaves) for y in x])
    if isinstance(x, dict): return (dict, {k: flatten(v, leaves) for k, v in x.items()})
    return ('value', x)


def unflatten(x, leaves):
    kind, what = x
    if kind == 'tensor': return leaves[what]
    if kind == 'value': return what
    if kind is dict: return {k: unflatten(v, leaves) for k, v in what.items()}
    return kind(unflatten(y, leaves) for y in what)


def tensors_of(x):
    if isinstance(x, torch.Tensor): return [x]
    if isinstance(x, (list, tuple)): return [t for y in x for t in tensors_of(y)]
    if isinstance(x, dict): return [t for y in x.values() for t in tensors_of(y)]
    return []


TYPES = {'ScalarType', 'int'}
DTYPES = {n: getattr(torch, d) for n, d in {0: 'uint8', 1: 'int8', 2: 'int16', 3: 'int32', 4: 'int64', 5: 'float16', 6: 'float32', 7: 'float64', 8: 'complex32', 9: 'complex64', 10: 'complex128', 11: 'bool', 15: 'bfloat16'}.items()}
FORMATS = {0: torch.contiguous_format, 1: torch.preserve_format, 2: torch.channels_last, 3: torch.channels_last_3d}
LAYOUTS = {0: torch.strided}
NATIVE = {}


def declared(schema):
    """Argument types by name, as text: the graph's constants are integers where the schema says ScalarType."""
    text = str(schema)
    inside = text[text.index('(') + 1:]
    types_ = {}
    for m in re.finditer(r'([A-Za-z]+)(?:\([^)]*\))?(?:\[\d*\])?(\?)?(?:\[\])? (\w+)', inside): types_.setdefault(m[3], m[1])
    return types_


class Program:
    """Runs a traced graph step by step with new leaves, and writes the steps down."""

    def __init__(self, graph, inputs):
        self.values = {}   # name of a graph value -> (concrete, ARG)
        self.steps = []
        self.count = 0
        for v, t in zip(graph.inputs(), inputs): self.define(v, t)
        for node in graph.nodes(): self.run(node)
        self.results = []
        for v in graph.outputs(): self.collect(*self.values[v.debugName()])

    def collect(self, concrete, arg):
        if isinstance(concrete, torch.Tensor):
            if 'ref' in arg: self.results.append((concrete, arg))
        elif isinstance(concrete, (list, tuple)):
            items = arg['list'] if 'list' in arg else [{**arg, 'item': i} for i in range(len(concrete))]
            for c, a in zip(concrete, items): self.collect(c, a)

    def define(self, v, concrete):
        self.values[v.debugName()] = (concrete, {'ref': self.count})
        self.count += 1

    def run(self, node):
        kind = node.kind()
        ins = [self.values[v.debugName()] for v in node.inputs()]
        outs = list(node.outputs())
        if kind == 'prim::Constant':
            value = outs[0].toIValue() if outs[0].type().kind() != 'NoneType' else None
            self.values[outs[0].debugName()] = (value, None)
        elif kind in ('prim::ListConstruct', 'prim::TupleConstruct'):
            concrete = [c for c, _ in ins]
            self.values[outs[0].debugName()] = (concrete, {'list': [a if a is not None else ('const', c) for c, a in ins]})
        elif kind in ('prim::ListUnpack', 'prim::TupleUnpack'):
            concrete, arg = ins[0]
            for i, v in enumerate(outs): self.values[v.debugName()] = (concrete[i], arg['list'][i] if 'list' in arg else {**arg, 'item': i})
        elif kind in ('prim::NumToTensor', 'aten::Int', 'aten::ScalarImplicit', 'aten::IntImplicit', 'aten::FloatImplicit', 'aten::Float', 'aten::Bool', 'prim::device', 'prim::dtype', 'aten::dim', 'aten::numel', 'prim::layout'):
            c = ins[0][0]
            if kind == 'prim::NumToTensor': r = torch.tensor(c)
            elif kind == 'aten::Int': r = int(c)
            elif kind in ('aten::Float', 'aten::FloatImplicit'): r = float(c)
            elif kind == 'aten::Bool': r = bool(c)
            elif kind == 'prim::device': r = c.device
            elif kind == 'prim::dtype': r = c.dtype
            elif kind == 'prim::layout': r = c.layout
            elif kind == 'aten::dim': r = c.dim()
            elif kind == 'aten::numel': r = c.numel()
            else: r = c.item() if isinstance(c, torch.Tensor) else c
            self.values[outs[0].debugName()] = (r, None)
        elif kind == 'aten::size':
            self.values[outs[0].debugName()] = (ins[0][0].shape[ins[1][0]] if len(ins) > 1 else list(ins[0][0].shape), None)
        elif kind.startswith('aten::'):
            schema = node.schema()
            m = re.match(r'aten::(\w+)(?:\.(\w+))?\(', schema)
            packet = getattr(torch.ops.aten, m[1])
            op = getattr(packet, m[2] or 'default')
            types_ = declared(schema)
            args, kwargs, record_args, record_kwargs = [], {}, [], {}
            for p, (c, a) in zip(op._schema.arguments, ins):
                c = self.typed(c, types_.get(p.name))
                rec = self.encode(c, a)
                if p.kwarg_only: kwargs[p.name] = c; record_kwargs[p.name] = rec
                else: args.append(c); record_args.append(rec)
            r = op(*args, **kwargs)
            self.steps.append({'op': 'aten::' + m[1], 'overload': m[2] or '', 'args': record_args, 'kwargs': record_kwargs})
            rs = r if len(outs) > 1 else [r]
            for v, x in zip(outs, rs): self.define(v, x)
        else:
            raise Unrecordable(kind)

    def typed(self, c, name):
        if isinstance(c, int) and not isinstance(c, bool):
            if name == 'ScalarType': return DTYPES[c]
            if name == 'MemoryFormat': return FORMATS[c]
            if name == 'Layout': return LAYOUTS[c]
        return c

    def encode(self, c, a):
        if a is None: return encode(c)
        if 'list' in a: return {'list': [encode(x[1]) if isinstance(x, tuple) else self.encode(c[i], x) for i, x in enumerate(a['list'])]}
        return a


def diff(t):
    return isinstance(t, torch.Tensor) and (t.is_floating_point() or t.is_complex())


def trace(function, tensors):
    graph, _ = torch.jit._get_trace_graph(function, tuple(tensors), _force_outplace=False)
    return graph


WIDER = {torch.float32: torch.float64, torch.complex64: torch.complex128}


def widened(t):
    return None if t is None else t.detach().to(WIDER.get(t.dtype, t.dtype))


def exact_results(function, tensors, wants, go, weights, tangents):
    """Outputs, gradients, second derivatives and tangents of a program in float64."""
    leaves = [widened(t).clone(memory_format=torch.preserve_format).requires_grad_(w) for t, w in zip(tensors, wants)]
    sought = [l for l, w in zip(leaves, wants) if w]
    outputs = tensors_of(function(*leaves))
    if len(outputs) != len(go): return {}
    given = [widened(g).requires_grad_(weights is not None) for g in go if g is not None]
    outs = [t for t, g in zip(outputs, go) if g is not None]
    grads = torch.autograd.grad(outs, sought, given, create_graph=weights is not None, allow_unused=True)
    results = {'outputs': outputs, 'grads': grads}
    if weights is not None:
        weighted = [(g, widened(w)) for g, w in zip(grads, weights) if w is not None]
        results['double'] = torch.autograd.grad([g for g, _ in weighted], sought + given, [w for _, w in weighted], allow_unused=True)
    if tangents is not None:
        import torch.autograd.forward_ad as fwAD
        with fwAD.dual_level():
            duals = [fwAD.make_dual(widened(t).clone(), widened(u)) if u is not None else widened(t).clone() for t, u in zip(tensors, tangents)]
            results['forward'] = [fwAD.unpack_dual(t).tangent for t in tensors_of(function(*duals))]
    return results


def exact_where_rounded(expected, exact):
    """For each list: the exact tensors, or None where they round to the expected ones or an argument of the program asks
    for fewer digits (`input_dtype`)."""
    lists = {}
    for name, tensors in exact.items():
        if name not in expected or len(expected[name]) != len(tensors): continue
        differs = lambda r, e: r is not None and e is not None and r.shape == e.shape and diff(e) and e.dtype in WIDER.values() and not torch.equal(r.detach().nan_to_num(7e7), e.detach().to(r.dtype).nan_to_num(7e7))
        kept = [tensor(e) if differs(r, e) else None for r, e in zip(expected[name], tensors)]
        if any(kept): lists[name] = kept
    return lists


def record(name, sample, variant, dtype, function, tensors, o, generator, double, forward):
    """`function` of the tensors; those that require gradients are leaves."""
    wants = [t.requires_grad for t in tensors]
    fresh = lambda: [t.detach().clone(memory_format=torch.preserve_format).requires_grad_(w) for t, w in zip(tensors, wants)]
    graph = trace(function, fresh())
    leaves = fresh()
    program = Program(graph, leaves)
    if not program.steps: raise Unrecordable('no steps')
    if any(RANDOM.search(s['op']) for s in program.steps): raise Unrecordable('random')
    outputs = [(t, a) for t, a in program.results]
    direct = [t for t in tensors_of(function(*fresh()))]
    if len(direct) == len(outputs) and not all(torch.allclose(a, b, equal_nan=True) if a.shape == b.shape and a.dtype == b.dtype else False for a, (b, _) in zip(direct, outputs)):
        raise Unrecordable('the trace gives other results')
    sought = [l for l, w in zip(leaves, wants) if w]
    takes = [t.requires_grad and diff(t) for t, _ in outputs]
    if not any(takes): raise Unrecordable('no differentiable output')
    go = [torch.randn(t.shape, generator=generator, dtype=torch.float64).to(t.dtype) if k else None for (t, _), k in zip(outputs, takes)]
    given = [g.clone().requires_grad_(double) for g in go if g is not None]
    outs = [t for (t, _), k in zip(outputs, takes) if k]
    grads = torch.autograd.grad(outs, sought, given, create_graph=double, allow_unused=True)
    case = {'name': name, 'sample': sample, 'variant': variant, 'dtype': dtype,
            'inputs': [{'value': tensor(t), 'requires_grad': w} for t, w in zip(tensors, wants)],
            'steps': program.steps, 'outputs': [a for _, a in outputs],
            'grad_outputs': [None if g is None else tensor(g) for g in go],
            'expect_outputs': [tensor(t) for t, _ in outputs],
            'expect_grads': [None if g is None else tensor(g) for g in grads]}
    expected = {'outputs': [t for t, _ in outputs], 'grads': grads}
    weights = tangents = None
    if double:
        weights = [torch.randn(g.shape, generator=generator, dtype=torch.float64).to(g.dtype) if g is not None and g.requires_grad else None for g in grads]
        if any(w is not None for w in weights):
            expected['double'] = second = torch.autograd.grad([g for g, w in zip(grads, weights) if w is not None], sought + given, [w for w in weights if w is not None], allow_unused=True)
            case['double'] = {'grads': [None if w is None else tensor(w) for w in weights], 'expect': [None if g is None else tensor(g) for g in second]}
    if forward:
        import torch.autograd.forward_ad as fwAD
        with fwAD.dual_level():
            tangents = [torch.randn(t.shape, generator=generator, dtype=torch.float64).to(t.dtype) if w else None for t, w in zip(tensors, wants)]
            duals = [fwAD.make_dual(t.detach().clone(), u) if u is not None else t.detach().clone() for t, u in zip(tensors, tangents)]
            outs2 = tensors_of(function(*duals))
            got = [fwAD.unpack_dual(t).tangent for t in outs2]
            expected['forward'] = got
            case['forward'] = {'tangents': [None if u is None else tensor(u) for u in tangents], 'expect': [None if g is None else tensor(g) for g in got]}
    if dtype == 'float32':
        try:
            weighted = weights if 'double' in case else None
            exact = exact_where_rounded(expected, exact_results(function, tensors, wants, go, weighted, tangents))
            if exact: case['exact'] = exact
        except (RuntimeError, NotImplementedError):
            pass  # the program has arguments of dtype float32, or needs them
    return case


def cases_of(op, dtype, o):
    """(sample, variant, function, tensors, options)"""
    torch.manual_seed(o.seed)
    samples = list(op.sample_inputs('cpu', dtype, requires_grad=True))
    if o.limit and len(samples) > o.limit:  # spread over all of them
        picked = [samples[i * len(samples) // o.limit] for i in range(o.limit)]
        numbers = [i * len(samples) // o.limit for i in range(o.limit)]
    else:
        picked, numbers = samples, list(range(len(samples)))
    for k, (i, s) in enumerate(zip(numbers, picked)):
        leaves = []
        shape = flatten((s.input, s.args, s.kwargs), leaves)
        process = getattr(s, 'output_process_fn_grad', None)
        def call(fn, *ts, shape=shape, process=process):
            inp, args, kwargs = unflatten(shape, ts)
            out = fn(inp, *args, **kwargs)
            return process(out) if process is not None else out
        yield i, 'functional', (lambda *ts, call=call: call(op.op, *ts)), leaves, k < o.double and getattr(op, 'supports_gradgrad', True), k < o.forward and getattr(op, 'supports_forward_ad', False)
        inplace = op.inplace_variant
        if inplace is None or not isinstance(s.input, torch.Tensor) or not getattr(op, 'supports_inplace_autograd', True): continue
        if getattr(s, 'broadcasts_input', False): continue
        if k < o.inplace:
            yield i, 'inplace', (lambda *ts, call=call: call(inplace, ts[0].clone(), *ts[1:])), leaves, k < o.double and getattr(op, 'supports_gradgrad', True), False
        if k < o.views:
            def on_view(*ts, call=call):
                base = ts[0].clone()
                view = base.select(0, 1)
                call(inplace, view, *ts[1:])
                return base, view
            stacked = torch.stack([s.input.detach(), s.input.detach()]).requires_grad_(s.input.requires_grad)
            yield i, 'view', on_view, [stacked] + leaves[1:], False, False


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('out')
    p.add_argument('--ops', default='')
    p.add_argument('--dtypes', default='float64')
    p.add_argument('--limit', type=int, default=0, help='samples of an OpInfo, spread over all')
    p.add_argument('--seed', type=int, default=0, help='of the samples and of the gradients; keep one that nobody sees')
    p.add_argument('--max-bytes', type=int, default=60000, help='skip cases larger than this')
    p.add_argument('--double', type=int, default=4, help='samples of an OpInfo with second derivatives')
    p.add_argument('--forward', type=int, default=2, help='samples of an OpInfo with forward mode')
    p.add_argument('--inplace', type=int, default=6)
    p.add_argument('--views', type=int, default=3)
    o = p.parse_args()
    want = set(filter(None, o.ops.split(',')))
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(o.seed + 1)
    seen, n = set(), collections.Counter()
    with open(o.out, 'w') as f:
        for op in op_db:
            if (want and op.name not in want) or not op.supports_autograd: continue
            for dt in o.dtypes.split(','):
                dtype = getattr(torch, dt)
                if not op.supports_dtype(dtype, 'cpu'): continue
                name = op.name + ('.' + op.variant_test_name if op.variant_test_name else '')
                try:
                    for i, variant, function, tensors, double, forward in cases_of(op, dtype, o):
                        try:
                            try:
                                case = record(name, i, variant, dt, function, tensors, o, generator, double, forward)
                            except (RuntimeError, NotImplementedError):
                                if not double and not forward: raise
                                case = record(name, i, variant, dt, function, tensors, o, generator, False, False)
                            line = json.dumps(case, sort_keys=True)
                            if len(line) > o.max_bytes:
                                for part in 'forward', 'double', 'exact': case.pop(part, None)
                                line = json.dumps(case, sort_keys=True)
                            if len(line) > o.max_bytes: raise Unrecordable('larger than --max-bytes')
                            key = json.dumps({k: v for k, v in case.items() if k not in ('name', 'sample', 'grad_outputs', 'expect_grads', 'double', 'forward')}, sort_keys=True)
                            if key in seen: DROPPED['(the same again)'] += 1; continue
                            seen.add(key)
                            f.write(line + '\n')
                            n[variant] += 1
                        except Exception as e:
                            DROPPED[f'{name} {variant}: {type(e).__name__} {str(e).splitlines()[0] if str(e) else ""}'[:150]] += 1
                except Exception as e:
                    DROPPED[f'{name}: samples: {str(e)[:80]}'] += 1
    print(torch.__version__, sum(n.values()), 'cases', dict(n), sum(DROPPED.values()), 'dropped', file=sys.stderr)
    for why, times in DROPPED.most_common(400): print(f'  {times:5} {why}', file=sys.stderr)


main()
