"""test_distributed.py LIBRARY: scalar functions on tensors that are spread over processes, two on this machine."""
import pathlib
import sys
import tempfile

import torch

try:
    import torch.distributed
    import torch.multiprocessing
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor
    from torch.distributed.tensor.debug import CommDebugMode
except ImportError as error:
    print(f'skipped: PyTorch {torch.__version__} has no public DTensor and FSDP2 ({error})')
    sys.exit(0)

PROCESSES = 2


def chain(x):
    trial = torch.ops.trial
    return trial.axpy(trial.soft_sign(x), trial.leaky(x), alpha=2)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(6, 8), torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.second(chain(self.first(x)))


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


def check_training(mesh):
    """Sharded parameters train as whole ones do."""
    torch.manual_seed(0)
    model, x = Model(), torch.randn(4, 6)
    expected = train(model, x)
    torch.manual_seed(0)
    sharded, x = Model(), torch.randn(4, 6)
    for layer in (sharded.first, sharded.second, sharded):
        fully_shard(layer, mesh=mesh)
    torch.testing.assert_close(train(sharded, x), expected)


def work(rank, library, store):
    torch.ops.load_library(library)
    torch.distributed.init_process_group('gloo', init_method=f'file://{store}', rank=rank, world_size=PROCESSES)
    torch.manual_seed(0)
    mesh = init_device_mesh('cpu', (PROCESSES,))
    check_chain(mesh)
    check_training(mesh)
    torch.distributed.destroy_process_group()


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(sys.argv[1]).resolve())
        torch.multiprocessing.spawn(work, (path, f'{folder}/store'), nprocs=PROCESSES)
    print('2 checks in 2 processes passed')
