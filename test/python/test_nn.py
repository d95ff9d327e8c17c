"""Modules, functions of neural networks and optimizers, compared with computations by hand and by NumPy."""
import copy
import math
import pickle

import numpy as np
import pytest

import structured as st
import structured.nn.functional as F
from structured import nn, optim


def close(tensor, expected, tolerance=1e-6):
    np.testing.assert_allclose(tensor.detach().numpy(), expected, rtol=tolerance, atol=tolerance)


class Block(nn.Module):
    def __init__(self):
        self.first = nn.Linear(3, 4)
        self.rest = nn.Sequential(nn.ReLU(), nn.Linear(4, 2, bias=False))
        self.register_buffer("scale", st.tensor(2.0))
        self.register_buffer("scratch", st.zeros(1), persistent=False)

    def forward(self, x):
        return self.rest(self.first(x)) * self.scale


def test_modules_find_their_parameters_and_buffers():
    block = Block()
    assert [name for name, _ in block.named_parameters()] == ["first.weight", "first.bias", "rest.1.weight"]
    assert all(isinstance(p, nn.Parameter) and p.requires_grad and p.is_leaf for p in block.parameters())
    assert [name for name, _ in block.named_buffers()] == ["scale", "scratch"]
    assert [name for name, _ in block.named_modules()] == ["", "first", "rest", "rest.0", "rest.1"]
    assert list(block.state_dict()) == ["scale", "first.weight", "first.bias", "rest.1.weight"]
    block.again = block.first  # a module that occurs twice
    assert len(list(block.parameters())) == 3
    block.first.bias = None
    assert [name for name, _ in block.named_parameters()] == ["first.weight", "rest.1.weight"]
    assert block(st.ones(5, 3)).shape == (5, 2)


def test_text_of_modules_is_pytorchs():
    assert repr(nn.Sequential(nn.Linear(2, 3), nn.ReLU())) == (
        "Sequential(\n  (0): Linear(in_features=2, out_features=3, bias=True)\n  (1): ReLU()\n)")
    assert repr(nn.Conv2d(1, 2, 3, padding=1)) == "Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1))"
    assert repr(nn.BatchNorm2d(4)) == \
        "BatchNorm2d(4, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)"
    assert repr(nn.Parameter(st.ones(1))) == "Parameter containing:\ntensor([1.], requires_grad=True)"


def test_states_round_trip():
    one, two = Block(), Block()
    assert two.load_state_dict(one.state_dict()) == ([], [])
    for a, b in zip(one.parameters(), two.parameters()):
        assert a is not b and a.tolist() == b.tolist()
    before = two.first.weight.tolist()
    state = {name: tensor + 1 for name, tensor in one.state_dict().items()}
    del state["scale"]
    state["other"] = st.ones(1)
    with pytest.raises(RuntimeError, match="no tensor `scale` in the state; no parameter or buffer `other`"):
        two.load_state_dict(state)
    assert two.first.weight.tolist() == before
    missing, unexpected = two.load_state_dict(state, strict=False)
    assert missing == ["scale"] and unexpected == ["other"] and two.first.weight.tolist() != before
    state["first.bias"] = st.ones(7)
    with pytest.raises(RuntimeError, match=r"`first.bias`: expected shape \(4,\), got \(7,\)"):
        two.load_state_dict(state, strict=False)


def test_states_are_saved_in_files(tmp_path):
    one, two = Block(), Block()
    st.save(one.state_dict(), tmp_path / "block.npz")
    two.load_state_dict(st.load(tmp_path / "block.npz"))
    assert one(st.ones(1, 3)).tolist() == two(st.ones(1, 3)).tolist()


def test_modules_are_copied_and_pickled():
    block = Block()
    for other in (copy.deepcopy(block), pickle.loads(pickle.dumps(block))):
        assert other(st.ones(1, 3)).tolist() == block(st.ones(1, 3)).tolist()
        assert isinstance(other.first.weight, nn.Parameter) and other.first.weight is not block.first.weight
        with st.no_grad():
            other.first.weight.zero_()
        assert block.first.weight.count_nonzero().item() > 0


def test_modes_and_conversions():
    model = nn.Sequential(nn.Dropout(0.5), nn.BatchNorm1d(3))
    assert model.training and model.eval() is model and not any(m.training for m in model.modules())
    x = st.rand(4, 3)
    assert model[0](x).tolist() == x.tolist()
    weight = model[1].weight
    weight.grad = st.ones(3)
    assert model.train().double() is model and model[1].training
    assert model[1].weight is weight and weight.dtype is st.float64 and weight.grad.dtype is st.float64
    assert weight.requires_grad and model[1].running_var.dtype is st.float64
    assert model[1].num_batches_tracked.dtype is st.int64
    model.requires_grad_(False)
    assert not any(p.requires_grad for p in model.parameters())
    seen = []
    model.apply(lambda module: seen.append(type(module).__name__))
    assert seen == ["Dropout", "BatchNorm1d", "Sequential"]
    with pytest.raises(TypeError):
        model.to(3)


def test_hooks_of_modules():
    layer = nn.Identity()
    first = layer.register_forward_pre_hook(lambda module, arguments: (arguments[0] + 1,))
    second = layer.register_forward_hook(lambda module, arguments, result: result * 10)
    assert layer(st.tensor([1.0])).tolist() == [20]
    first.remove()
    assert layer(st.tensor([1.0])).tolist() == [10]
    second.remove()
    assert layer(st.tensor([1.0])).tolist() == [1]
    with pytest.raises(NotImplementedError):
        nn.Module()(1)


def test_containers():
    layers = nn.ModuleList([nn.Linear(2, 2)]).append(nn.ReLU())
    assert len(layers) == 2 and [name for name, _ in layers.named_children()] == ["0", "1"]
    named = nn.ModuleDict({"a": nn.ReLU()})
    named["b"] = nn.Linear(1, 1)
    assert "a" in named and len(named) == 2 and isinstance(named["b"], nn.Linear)
    model = nn.Sequential({"first": nn.ReLU(), "second": nn.Tanh()})
    assert isinstance(model[1], nn.Tanh) and len(model[:1]) == 1 and len(model.append(nn.ReLU())) == 3
    with pytest.raises(TypeError):
        nn.Sequential(3)


def test_linear_and_its_gradients():
    layer = nn.Linear(2, 2)
    with st.no_grad():
        layer.weight.copy_(st.tensor([[1.0, 2.0], [3.0, 4.0]]))
        layer.bias.copy_(st.tensor([0.5, -0.5]))
    x = st.tensor([[1.0, -1.0], [2.0, 0.0]], requires_grad=True)
    result = layer(x)
    assert result.tolist() == [[-0.5, -1.5], [2.5, 5.5]]
    (result * st.tensor([[1.0, 0.0], [0.0, 2.0]])).sum().backward()
    assert layer.weight.grad.tolist() == [[1, -1], [4, 0]] and layer.bias.grad.tolist() == [1, 2]
    assert x.grad.tolist() == [[1, 2], [6, 8]]


def test_convolutions():
    layer = nn.Conv2d(1, 1, 2, bias=False)
    with st.no_grad():
        layer.weight.copy_(st.tensor([[[[1.0, 0.0], [0.0, -1.0]]]]))
    x = st.arange(9.0).view(1, 1, 3, 3)
    assert layer(x).tolist() == [[[[-4, -4], [-4, -4]]]]
    layer(x).sum().backward()
    assert layer.weight.grad.tolist() == [[[[8, 12], [20, 24]]]]
    assert nn.Conv2d(4, 6, 3, stride=2, padding=1, groups=2)(st.ones(2, 4, 8, 8)).shape == (2, 6, 4, 4)
    assert nn.Conv2d(1, 1, 3, padding="same")(st.ones(1, 1, 5, 5)).shape == (1, 1, 5, 5)
    assert nn.Conv1d(1, 2, 3)(st.ones(1, 1, 5)).shape == (1, 2, 3)
    assert nn.Conv3d(1, 2, 2)(st.ones(1, 1, 3, 3, 3)).shape == (1, 2, 2, 2, 2)
    assert nn.ConvTranspose2d(2, 3, 2, stride=2)(st.ones(1, 2, 4, 4)).shape == (1, 3, 8, 8)
    with pytest.raises(ValueError, match="not multiples of 2"):
        nn.Conv2d(3, 4, 1, groups=2)
    with pytest.raises(ValueError, match="expected 2 numbers"):
        nn.Conv2d(3, 4, (1, 2, 3))


def test_batch_norm():
    layer = nn.BatchNorm2d(2, momentum=0.25)
    x = st.rand(3, 2, 4, 4)
    values = x.numpy().transpose(1, 0, 2, 3).reshape(2, -1)
    mean, var = values.mean(1), values.var(1)
    expected = (x.numpy() - mean[:, None, None]) / np.sqrt(var[:, None, None] + 1e-5)
    close(layer(x), expected, 1e-5)
    close(layer.running_mean, 0.25 * mean, 1e-5)
    close(layer.running_var, 0.75 + 0.25 * values.var(1, ddof=1), 1e-5)
    assert layer.num_batches_tracked.item() == 1
    layer.eval()
    expected = (x.numpy() - layer.running_mean.numpy()[:, None, None]) / np.sqrt(
        layer.running_var.numpy()[:, None, None] + 1e-5)
    close(layer(x), expected, 1e-5)
    layer.train()(x).sum().backward()
    close(layer.bias.grad, [48, 48])
    average = nn.BatchNorm1d(1, momentum=None, affine=False)
    average(st.tensor([[0.0], [2.0]]))
    average(st.tensor([[4.0], [6.0]]))
    assert average.running_mean.tolist() == [3]
    with pytest.raises(ValueError, match="expected 4 dimensions"):
        layer(st.ones(2, 2))
    with pytest.raises(ValueError, match="more than one value"):
        average(st.ones(1, 1))


def test_layer_and_group_norm():
    x = st.rand(2, 6)
    values = x.numpy()
    normalized = (values - values.mean(1, keepdims=True)) / np.sqrt(values.var(1, keepdims=True) + 1e-5)
    close(nn.LayerNorm(6)(x), normalized, 1e-5)
    close(nn.GroupNorm(1, 6)(x), normalized, 1e-5)
    layer = nn.LayerNorm((2, 3))
    layer(st.rand(4, 2, 3)).sum().backward()
    close(layer.bias.grad, np.full((2, 3), 4))
    with pytest.raises(ValueError):
        nn.GroupNorm(4, 6)


def test_embedding():
    layer = nn.Embedding(4, 2, padding_idx=1)
    assert layer.weight[1].tolist() == [0, 0]
    indices = st.tensor([[0, 1], [3, 3]])
    assert layer(indices).tolist() == layer.weight.detach()[indices].tolist()
    layer(indices).sum().backward()
    assert layer.weight.grad.tolist() == [[1, 1], [0, 0], [0, 0], [2, 2]]
    weight = st.tensor([[3.0, 4.0], [0.3, 0.4]])
    assert F.embedding(st.tensor([0, 1]), weight, max_norm=1.0)[1].tolist() == weight[1].tolist()
    close(weight[0], [0.6, 0.8], 1e-5)
    with pytest.raises(ValueError, match="padding_idx"):
        F.embedding(indices, weight, padding_idx=2)


def test_dropout():
    st.manual_seed(0)
    result = F.dropout(st.ones(10000), 0.25)
    kept = result.count_nonzero().item()
    assert 7300 < kept < 7700 and set(result.tolist()) == {0.0, st.tensor(1 / 0.75).item()}
    with pytest.raises(ValueError):
        nn.Dropout(2)


def test_pooling_and_resizing():
    x = st.arange(16.0).view(1, 1, 4, 4)
    assert nn.MaxPool2d(2)(x).tolist() == [[[[5, 7], [13, 15]]]]
    assert nn.AvgPool2d(2)(x).tolist() == [[[[2.5, 4.5], [10.5, 12.5]]]]
    assert nn.AdaptiveAvgPool2d(1)(x).tolist() == [[[[7.5]]]]
    assert nn.MaxPool1d(2)(x.view(1, 4, 4)).shape == (1, 4, 2)
    assert nn.Upsample(scale_factor=2)(st.tensor([[[[1.0, 2.0]]]])).tolist() == [[[[1, 1, 2, 2], [1, 1, 2, 2]]]]
    assert F.interpolate(x, size=(2, 2), mode="bilinear").tolist() == [[[[2.5, 4.5], [10.5, 12.5]]]]
    assert F.pad(st.ones(1, 2), (1, 0), value=5.0).tolist() == [[5, 1, 1]]
    with pytest.raises(ValueError, match="mode `linear` does not exist"):
        F.interpolate(x, size=2, mode="linear")
    with pytest.raises(ValueError, match="either size or scale_factor"):
        F.interpolate(x)


ACTIVATIONS = {
    nn.ReLU(): lambda x: np.maximum(x, 0), nn.ReLU6(): lambda x: np.clip(x, 0, 6),
    nn.LeakyReLU(0.1): lambda x: np.where(x > 0, x, 0.1 * x), nn.ELU(): lambda x: np.where(x > 0, x, np.expm1(x)),
    nn.SiLU(): lambda x: x / (1 + np.exp(-x)), nn.Sigmoid(): lambda x: 1 / (1 + np.exp(-x)), nn.Tanh(): np.tanh,
    nn.Hardtanh(-2, 1): lambda x: np.clip(x, -2, 1), nn.LogSigmoid(): lambda x: -np.log1p(np.exp(-x)),
    nn.Softplus(): lambda x: np.log1p(np.exp(x)), nn.PReLU(): lambda x: np.where(x > 0, x, 0.25 * x),
    nn.Hardsigmoid(): lambda x: np.clip(x + 3, 0, 6) / 6, nn.Hardswish(): lambda x: x * np.clip(x + 3, 0, 6) / 6,
    nn.Mish(): lambda x: x * np.tanh(np.log1p(np.exp(x))),
    nn.GELU(): lambda x: x * np.array([0.5 * (1 + math.erf(v / math.sqrt(2))) for v in x]),
    nn.SELU(): lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x)),
    nn.Softmax(0): lambda x: np.exp(x) / np.exp(x).sum(), nn.LogSoftmax(0): lambda x: x - np.log(np.exp(x).sum()),
    nn.GLU(): lambda x: x[:8] / (1 + np.exp(-x[8:])),
}


@pytest.mark.parametrize("module", ACTIVATIONS, ids=lambda module: type(module).__name__)
def test_activations(module):
    x = np.linspace(-4, 7, 16)
    close(module.double()(st.tensor(x)), ACTIVATIONS[module](x))
    if getattr(module, "inplace", None) is False:
        module.inplace = True
        tensor = st.tensor(x)
        assert module(tensor) is tensor
        close(tensor, ACTIVATIONS[module](x))


def test_functions_without_a_module():
    x = st.tensor([[3.0, 4.0], [0.0, 2.0]])
    close(F.normalize(x), [[0.6, 0.8], [0, 1]])
    close(F.cosine_similarity(x, st.tensor([[4.0, 3.0], [0.0, 1.0]])), [0.96, 1])
    close(F.softsign(x), [[0.75, 0.8], [0, 2 / 3]])
    close(F.softmin(x, 0), F.softmax(-x, 0).numpy())
    close(F.tanhshrink(x), x.numpy() - np.tanh(x.numpy()))


def test_losses():
    x, y = st.tensor([1.0, 2.0, 4.0]), st.tensor([1.5, 0.0, 4.0])
    assert nn.MSELoss(reduction="sum")(x, y).item() == 4.25
    assert nn.L1Loss(reduction="none")(x, y).tolist() == [0.5, 2, 0]
    assert F.smooth_l1_loss(x, y, "none").tolist() == [0.125, 1.5, 0]
    assert F.smooth_l1_loss(x, y, "none", beta=0.0).tolist() == [0.5, 2, 0]
    assert nn.HuberLoss("none", 0.5)(x, y).tolist() == [0.125, 0.875, 0]
    p, t = np.array([0.25, 0.5, 0.75]), np.array([0.0, 1.0, 1.0])
    expected = -(t * np.log(p) + (1 - t) * np.log(1 - p))
    close(nn.BCELoss()(st.tensor(p), st.tensor(t)), expected.mean())
    close(nn.BCEWithLogitsLoss(reduction="none")(st.tensor(np.log(p / (1 - p))), st.tensor(t)), expected)
    close(nn.KLDivLoss("batchmean")(st.tensor(np.log(p)), st.tensor(t)), -np.log([0.5, 0.75]).sum() / 3)
    close(F.soft_margin_loss(x, st.tensor([1.0, -1.0, 1.0]), "none"), np.log1p(np.exp([-1, 2, -4])))
    with pytest.raises(ValueError, match="expected `none`, `mean` or `sum`"):
        F.mse_loss(x, y, "average")


def cross_entropies(scores, target, weight, smoothing):
    """Losses and weights of the rows, by definition."""
    logarithms = scores - np.log(np.exp(scores).sum(1, keepdims=True))
    classes = scores.shape[1]
    losses = []
    for row, label in zip(logarithms, target):
        wanted = np.full(classes, smoothing / classes)
        wanted[label] += 1 - smoothing
        losses.append(-(row * wanted * weight).sum())
    return np.array(losses), weight[target]


@pytest.mark.parametrize("smoothing", [0.0, 0.25])
def test_cross_entropy(smoothing):
    generator = np.random.default_rng(0)
    scores, target = generator.normal(size=(5, 3)), np.array([0, 2, 1, 1, 0])
    weight = np.array([1.0, 2.0, 0.5])
    losses, weights = cross_entropies(scores, target, weight, smoothing)
    x, y, w = st.tensor(scores), st.tensor(target), st.tensor(weight)
    options = {"label_smoothing": smoothing}
    close(F.cross_entropy(x, y, w, reduction="none", **options), losses)
    close(F.cross_entropy(x, y, w, reduction="sum", **options), losses.sum())
    close(F.cross_entropy(x, y, w, **options), losses.sum() / weights.sum())
    ignored = y.clone()
    ignored[1] = -100
    close(F.cross_entropy(x, ignored, w, **options), losses[[0, 2, 3, 4]].sum() / weights[[0, 2, 3, 4]].sum())
    close(F.cross_entropy(x, F.one_hot(y, 3).double(), w, reduction="none", **options), losses)
    # [N, C, L]: two positions of each sample
    both = F.cross_entropy(st.stack([x, x], 2), st.stack([y, y], 1), w, reduction="none", **options)
    close(both, np.stack([losses, losses], 1))
    close(nn.CrossEntropyLoss(w, **options)(x, y), losses.sum() / weights.sum())
    with pytest.raises(ValueError):
        F.cross_entropy(x, y, label_smoothing=2.0)


def test_initial_values():
    st.manual_seed(1)
    weight = st.empty(200, 100)
    for function, deviation in [
            (nn.init.xavier_uniform_, math.sqrt(2 / 300)), (nn.init.xavier_normal_, math.sqrt(2 / 300)),
            (nn.init.kaiming_uniform_, math.sqrt(2 / 100)), (nn.init.kaiming_normal_, math.sqrt(2 / 100)),
            (lambda t: nn.init.kaiming_normal_(t, mode="fan_out", nonlinearity="relu"), math.sqrt(2 / 200)),
            (lambda t: nn.init.uniform_(t, -1, 1), math.sqrt(1 / 3)), (nn.init.normal_, 1)]:
        assert function(weight) is weight
        assert abs(weight.std().item() / deviation - 1) < 0.05 and abs(weight.mean().item()) < 0.05 * deviation + 0.01
    parameter = nn.Parameter(st.empty(2, 2))
    assert nn.init.eye_(parameter) is parameter and parameter.tolist() == [[1, 0], [0, 1]]
    assert nn.init.constant_(parameter, 3).tolist() == [[3, 3], [3, 3]]
    assert nn.init.zeros_(parameter).sum().item() == 0 and nn.init.ones_(parameter).sum().item() == 4
    with pytest.raises(ValueError):
        nn.init.xavier_normal_(st.empty(3))
    with pytest.raises(ValueError):
        nn.init.calculate_gain("unknown")


# ---------------------------------------------------------------------------------------------------- optimizers


def descend(optimizer_of, steps=5):
    """Minimizes the weighted squares of two numbers; returns them after each step."""
    p = st.tensor([1.0, -2.0], dtype=st.float64, requires_grad=True)
    optimizer = optimizer_of([p])
    weights, path = st.tensor([1.0, 3.0], dtype=st.float64), []
    for _ in range(steps):
        optimizer.zero_grad()
        (weights * p * p).sum().backward()
        optimizer.step()
        path.append(p.tolist())
    return np.array(path)


def sgd_by_hand(lr, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, steps=5):
    p, v, path = np.array([1.0, -2.0]), None, []
    for _ in range(steps):
        g = 2 * np.array([1.0, 3.0]) * p + weight_decay * p
        if momentum:
            v = g if v is None else momentum * v + (1 - dampening) * g
            g = g + momentum * v if nesterov else v
        p = p - lr * g
        path.append(p)
    return np.array(path)


@pytest.mark.parametrize("options", [
    {}, {"momentum": 0.9}, {"momentum": 0.9, "dampening": 0.5}, {"momentum": 0.5, "nesterov": True},
    {"weight_decay": 0.1}, {"momentum": 0.9, "weight_decay": 0.1, "nesterov": True}], ids=str)
def test_sgd(options):
    np.testing.assert_allclose(descend(lambda p: optim.SGD(p, lr=0.05, **options)), sgd_by_hand(0.05, **options))


def adam_by_hand(lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, decouples=False, steps=5):
    p, m, s, largest, path = np.array([1.0, -2.0]), 0.0, 0.0, 0.0, []
    for t in range(1, steps + 1):
        g = 2 * np.array([1.0, 3.0]) * p
        if decouples:
            p = p * (1 - lr * weight_decay)
        else:
            g = g + weight_decay * p
        m = betas[0] * m + (1 - betas[0]) * g
        s = betas[1] * s + (1 - betas[1]) * g * g
        largest = np.maximum(largest, s)
        used = (largest if amsgrad else s) / (1 - betas[1] ** t)
        p = p - lr * m / (1 - betas[0] ** t) / (np.sqrt(used) + eps)
        path.append(p)
    return np.array(path)


@pytest.mark.parametrize("options", [{}, {"weight_decay": 0.1}, {"amsgrad": True}, {"betas": (0.5, 0.9)}], ids=str)
def test_adam(options):
    np.testing.assert_allclose(descend(lambda p: optim.Adam(p, lr=0.1, **options)), adam_by_hand(0.1, **options))
    options = {"weight_decay": 0.01, **options}
    np.testing.assert_allclose(
        descend(lambda p: optim.AdamW(p, lr=0.1, **options)), adam_by_hand(0.1, decouples=True, **options))


def test_maximization_climbs():
    path = descend(lambda p: optim.SGD(p, lr=0.05, maximize=True), 2)
    np.testing.assert_allclose(path[0], [1.1, -2.6])


def test_optimizer_states_continue_a_run():
    for make in (lambda p: optim.SGD(p, lr=0.01, momentum=0.9), lambda p: optim.AdamW(p, lr=0.1, amsgrad=True)):
        a = st.tensor([1.0, -2.0], requires_grad=True)
        first = make([a])

        def step(parameter, optimizer):
            optimizer.zero_grad()
            (parameter * parameter).sum().backward()
            optimizer.step()

        step(a, first)
        b = a.detach().clone().requires_grad_()
        second = make([b])
        second.param_groups[0]["lr"] = 5.0
        second.load_state_dict(pickle.loads(pickle.dumps(first.state_dict())))
        for _ in range(3):
            step(a, first)
            step(b, second)
        assert a.tolist() == b.tolist()
        with pytest.raises(ValueError, match=r"expected groups with \[1\] parameters, got \[2\]"):
            second.load_state_dict(make([st.ones(1), st.ones(2)]).state_dict())


def test_groups_and_closures():
    a, b = st.tensor([1.0], requires_grad=True), st.tensor([1.0], requires_grad=True)
    optimizer = optim.SGD([{"params": [a]}, {"params": b, "lr": 1.0}], lr=0.5)

    def closure():
        optimizer.zero_grad()
        loss = (a * 2 + b * 3).sum()
        loss.backward()
        return loss

    assert optimizer.step(closure).item() == 5 and a.tolist() == [0] and b.tolist() == [-2]
    optimizer.zero_grad(set_to_none=False)
    assert a.grad.tolist() == [0]
    optimizer.zero_grad()
    assert a.grad is None
    assert "Parameter Group 1\n    dampening: 0.0\n    lr: 1.0" in repr(optimizer)
    for bad, error in [([], ValueError), ([a * 1], ValueError), ([a, a], ValueError), ([3], TypeError)]:
        with pytest.raises(error):
            optim.SGD(bad)
    with pytest.raises(ValueError):
        optim.SGD([a], lr=-1.0)
    with pytest.raises(ValueError):
        optim.SGD([a], nesterov=True)
    with pytest.raises(ValueError):
        optim.Adam([a], betas=(0.9, 1.0))


def test_schedules():
    optimizer = optim.SGD([st.ones(1)], lr=1.0)
    schedule = optim.StepLR(optimizer, step_size=2, gamma=0.5)
    rates = []
    for _ in range(5):
        rates += schedule.get_last_lr()
        schedule.step()
    assert rates == [1, 1, 0.5, 0.5, 0.25]
    optimizer = optim.SGD([st.ones(1)], lr=2.0)
    schedule = optim.CosineAnnealingLR(optimizer, T_max=4)
    schedule.step()
    schedule.step()
    assert abs(optimizer.param_groups[0]["lr"] - 1) < 1e-12


def test_gradients_are_clipped():
    a, b = st.tensor([3.0], requires_grad=True), st.tensor([4.0], requires_grad=True)
    a.grad, b.grad = st.tensor([3.0]), st.tensor([4.0])
    assert nn.utils.clip_grad_norm_([a, b], 1.0).item() == 5
    close(a.grad, [0.6], 1e-5)
    assert nn.utils.clip_grad_norm_([a, b], 10.0).item() == pytest.approx(1, rel=1e-5)
    close(a.grad, [0.6], 1e-5)
    nn.utils.clip_grad_value_([a, b], 0.7)
    close(b.grad, [0.7], 1e-5)
    b.grad = st.tensor([math.inf])
    with pytest.raises(RuntimeError, match="not finite"):
        nn.utils.clip_grad_norm_([a, b], 1.0, error_if_nonfinite=True)
    assert nn.utils.clip_grad_norm_([st.ones(1)], 1.0).item() == 0


def test_parameters_as_one_vector():
    layer = nn.Linear(2, 1)
    vector = nn.utils.parameters_to_vector(layer.parameters())
    assert vector.shape == (3,)
    nn.utils.vector_to_parameters(st.tensor([1.0, 2.0, 3.0]), layer.parameters())
    assert layer.weight.tolist() == [[1, 2]] and layer.bias.tolist() == [3]
    with pytest.raises(ValueError, match="expected 3 elements, got 2"):
        nn.utils.vector_to_parameters(st.ones(2), layer.parameters())


def test_a_model_learns():
    st.manual_seed(0)
    x = st.rand(64, 2) * 2 - 1
    y = (x[:, 0] * x[:, 1] > 0).long()
    model = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
    optimizer = optim.Adam(model.parameters(), lr=0.05)
    for _ in range(150):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert (model(x).argmax(1) == y).float().mean().item() > 0.95
