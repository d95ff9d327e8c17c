"""test_distributed.py LIBRARY: operators on tensors that are spread over processes, two and four on this machine."""
import importlib
import pathlib
import sys
import tempfile

import torch

try:
    import torch.distributed
    import torch.multiprocessing
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    from torch.distributed.tensor import Partial, Replicate, Shard, distribute_tensor
    from torch.distributed.tensor.debug import CommDebugMode
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
except ImportError as error:
    print(f'skipped: PyTorch {torch.__version__} has no public DTensor and FSDP2 ({error})')
    sys.exit(0)


def chain(x):
    trial = torch.ops.trial
    return trial.axpy(trial.soft_sign(x), trial.leaky(x), alpha=2)


class Model(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.first, self.second = torch.nn.Linear(6, 8), torch.nn.Linear(8, 2)
        self.function = function

    def forward(self, x):
        return self.second(self.function(self.first(x)))


def train(model, x):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(3):
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def check_chain(mesh):
    """Each process computes its part, without communication."""
    x = torch.randn(8, 6)
    for placement in [Shard(0), Shard(1), Replicate()]:
        spread = distribute_tensor(x, mesh, [placement]).requires_grad_()
        with CommDebugMode() as communication:
            result = chain(spread)
            gradient, = torch.autograd.grad(result.sum().to_local() if placement == Replicate() else result, spread,
                                            None if placement == Replicate() else torch.ones_like(result))
        assert communication.get_total_counts() == 0, communication.get_comm_counts()
        assert result.placements == (placement,), result.placements
        whole = x.clone().requires_grad_()
        torch.testing.assert_close(result.full_tensor(), chain(whole))
        torch.testing.assert_close(gradient.full_tensor(), torch.autograd.grad(chain(whole).sum(), whole)[0])


def losses_sharded_and_whole(mesh, function):
    torch.manual_seed(0)
    model, x = Model(function), torch.randn(4, 6)
    expected = train(model, x)
    torch.manual_seed(0)
    sharded, x = Model(function), torch.randn(4, 6)
    for layer in (sharded.first, sharded.second, sharded):
        fully_shard(layer, mesh=mesh)
    return train(sharded, x), expected


def check_training(mesh):
    """Sharded parameters train as whole ones do."""
    losses, expected = losses_sharded_and_whole(mesh, torch.tanh)
    if abs(losses[-1] - expected[-1]) > 1e-4:
        if mesh.get_rank() == 0:
            print(f'skipped check_training: fully_shard of PyTorch {torch.__version__} does not average gradients on CPU')
        return
    losses, expected = losses_sharded_and_whole(mesh, chain)
    torch.testing.assert_close(losses, expected, rtol=1e-5, atol=0)


def check_rules(mesh):
    """Each process computes a part of the work, without communication. A name that a result lacks makes it a sum of parts."""
    trial, size = torch.ops.trial, mesh.size()
    x, weight, bias, factors = torch.randn(4 * size, 8), torch.randn(2 * size, 8), torch.randn(2 * size), torch.randn(4 * size)
    rows, columns, whole = Shard(0), Shard(1), Replicate()
    for operator, arguments, placements, expected in [
            (trial.row_products, (x, weight, bias), (rows, whole, whole), [rows]),
            (trial.row_products, (x, weight, None), (whole, rows), [columns]),
            (trial.row_products, (x.view(2, 2 * size, 8), weight, bias), (columns, whole, whole), [columns]),
            (trial.row_products, (x.view(2, 2 * size, 8), weight, bias), (whole, rows, rows), [Shard(2)]),
            (trial.gram, (x, x * 2), (rows, rows), [Partial()]),
            (trial.gram, (x, x), (columns, whole), [rows]),
            (trial.shares, (x, 1), (rows,), [rows]),
            (trial.shares, (x, 0), (columns,), [columns]),
            (trial.shares, (x, -1), (rows,), [rows]),
            (trial.side_by_side, ([x, x + 1], factors), (rows, rows, rows), [rows, Partial()]),
            (trial.side_by_side, ([x, x + 1, x], None), (rows, rows, rows), [rows, Partial()]),
            (trial.total, (x, [1]), (rows,), [rows]),
            (trial.total, (x, [-2]), (columns,), [rows]),
            (trial.total, (x, [0], True), (columns,), [columns]),
            (trial.total, (x.view(2, 2 * size, 8), [2, 0]), (columns,), [rows]),
            (trial.total, (x.view(2, 2 * size, 8), [0]), (columns,), [rows]),
            (trial.total, (x.view(2, 2 * size, 8), [0], True), (columns,), [columns]),
            (trial.running, (x,), (whole,), [whole]),
            (trial.hidden, (x,), (columns,), [columns])]:
        given = iter(placements)

        def spread(value):
            if isinstance(value, list) and isinstance(value[0], torch.Tensor):
                return [spread(each) for each in value]
            return distribute_tensor(value, mesh, [next(given)]) if isinstance(value, torch.Tensor) else value

        parts = [spread(argument) for argument in arguments]
        with CommDebugMode() as communication:
            try:
                results = operator(*parts)
            except NotImplementedError as error:
                if 'takes no lists of tensors' not in str(error) or torch.__version__ >= '2.9':
                    raise
                if mesh.get_rank() == 0:
                    print(f'skipped: {error}')
                continue
        what = f'{operator} {placements}'
        assert communication.get_total_counts() == 0, f'{what}: {communication.get_comm_counts()}'
        results, wholes = results if isinstance(results, tuple) else [results], operator(*arguments)
        assert [result.placements for result in results] == [(each,) for each in expected], what
        for result, whole_result in zip(results, wholes if isinstance(wholes, tuple) else [wholes]):
            torch.testing.assert_close(result.full_tensor(), whole_result, msg=lambda text: f'{what}: {text}')


def check_gathering(mesh):
    """A call that the rule does not allow is computed on whole tensors, which the processes gather first."""
    trial, x = torch.ops.trial, torch.randn(4 * mesh.size(), 8)
    rows = distribute_tensor(x, mesh, [Shard(0)])
    for result, expected in [(trial.running(rows), trial.running(x)), (trial.shares(rows, 0), trial.shares(x, 0)),
                             (trial.total(rows, [0]), trial.total(x, [0]))]:
        torch.testing.assert_close(result.full_tensor(), expected)


def check_in_place(mesh):
    trial, x, factors = torch.ops.trial, torch.randn(4 * mesh.size(), 3), torch.randn(4 * mesh.size())
    spread = distribute_tensor(x, mesh, [Shard(0)])
    assert trial.scale_rows_(spread, distribute_tensor(factors, mesh, [Shard(0)])) is spread
    torch.testing.assert_close(spread.full_tensor(), x * factors[:, None])


def check_two_dimensions():
    """Rows are spread over one dimension of the mesh, and columns of the result over the other."""
    mesh = init_device_mesh('cpu', (2, 2))
    x, weight = torch.randn(6, 8), torch.randn(4, 8)
    rows, columns = distribute_tensor(x, mesh, [Shard(0), Replicate()]), distribute_tensor(weight, mesh, [Replicate(), Shard(0)])
    with CommDebugMode() as communication:
        result = torch.ops.trial.row_products(rows, columns, None)
    assert communication.get_total_counts() == 0, communication.get_comm_counts()
    assert result.placements == (Shard(0), Shard(1)), result.placements
    torch.testing.assert_close(result.full_tensor(), torch.ops.trial.row_products(x, weight, None))


class Parallel(torch.nn.Module):
    """Two linear layers by an operator with a rule and a derivative, and a scalar function between them."""

    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(6, 8), torch.nn.Linear(8, 2)

    def forward(self, x):
        hidden = torch.ops.trial.row_products(x, self.first.weight, self.first.bias)
        return self.second(chain(hidden))


def check_tensor_parallel(mesh):
    """Layers whose weights are spread train as whole ones do."""
    torch.manual_seed(0)
    model, x = Parallel(), torch.randn(4, 6)
    expected = train(model, x)
    torch.manual_seed(0)
    parallel, x = Parallel(), torch.randn(4, 6)
    parallelize_module(parallel, mesh, {'first': ColwiseParallel(), 'second': RowwiseParallel()})
    x = distribute_tensor(x, mesh, [Replicate()])
    losses = []
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for _ in range(3):
        loss = parallel(x).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    torch.testing.assert_close(losses, expected, rtol=1e-5, atol=0)


CHECKS = [check_chain, check_training, check_rules, check_gathering, check_in_place, check_tensor_parallel]


def work(rank, library, processes, store):
    package = pathlib.Path(library).parent
    sys.path.insert(0, str(package.parent))
    importlib.import_module(package.name)
    torch.distributed.init_process_group('gloo', init_method=f'file://{store}', rank=rank, world_size=processes)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    mesh = init_device_mesh('cpu', (processes,))
    for check in CHECKS:
        check(mesh)
    if processes == 4:
        check_two_dimensions()
    torch.distributed.destroy_process_group()


if __name__ == '__main__':
    for processes in 2, 4:
        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(sys.argv[1]).resolve())
            torch.multiprocessing.spawn(work, (path, processes, f'{folder}/store'), nprocs=processes)
        print(f'{len(CHECKS) + (processes == 4)} checks in {processes} processes passed')
