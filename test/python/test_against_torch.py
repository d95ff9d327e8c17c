"""Layers, losses and optimizers, compared with PyTorch where it is installed."""
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed in the environment of the tests")

import numpy as np  # noqa: E402

import structured as st  # noqa: E402


def pair(module, *arguments, **keywords):
    """A module of ours and PyTorch's with equal parameters."""
    ours, theirs = getattr(st.nn, module)(*arguments, **keywords), getattr(torch.nn, module)(*arguments, **keywords)
    ours.load_state_dict({name: st.tensor(tensor.numpy()) for name, tensor in theirs.state_dict().items()})
    return ours, theirs


def compare(ours, theirs, *shape):
    values = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    a, b = st.tensor(values, requires_grad=True), torch.tensor(values, requires_grad=True)
    x, y = ours(a), theirs(b)
    np.testing.assert_allclose(x.detach().numpy(), y.detach().numpy(), rtol=1e-4, atol=1e-5)
    (x * x).sum().backward()
    (y * y).sum().backward()
    np.testing.assert_allclose(a.grad.numpy(), b.grad.numpy(), rtol=1e-3, atol=1e-4)
    for (name, p), q in zip(ours.named_parameters(), theirs.parameters()):
        np.testing.assert_allclose(p.grad.numpy(), q.grad.numpy(), rtol=1e-3, atol=1e-3, err_msg=name)


@pytest.mark.parametrize("module, arguments, keywords, shape", [
    ("Linear", (5, 3), {}, (4, 5)), ("Conv1d", (4, 6, 3), {"stride": 2}, (2, 4, 9)),
    ("Conv2d", (4, 6, 3), {"padding": 1, "groups": 2}, (2, 4, 7, 7)), ("Conv2d", (2, 3, (1, 2)), {"dilation": 2}, (2, 2, 6, 6)),
    ("ConvTranspose2d", (3, 2, 3), {"stride": 2, "output_padding": 1}, (2, 3, 4, 4)),
    ("BatchNorm1d", (3,), {}, (5, 3)), ("BatchNorm2d", (3,), {}, (2, 3, 4, 4)), ("LayerNorm", (6,), {}, (3, 6)),
    ("GroupNorm", (2, 4), {}, (3, 4, 5)), ("MaxPool2d", (2,), {}, (1, 2, 6, 6)), ("AvgPool2d", (3, 2), {}, (1, 2, 7, 7)),
    ("GELU", (), {}, (4, 4)), ("SiLU", (), {}, (4, 4)), ("ELU", (), {}, (4, 4)), ("Softplus", (), {}, (4, 4)),
    ("LogSoftmax", (1,), {}, (4, 4)), ("Hardtanh", (), {}, (4, 4)),
], ids=str)
def test_layers(module, arguments, keywords, shape):
    compare(*pair(module, *arguments, **keywords), *shape)


@pytest.mark.parametrize("name, keywords", [
    ("SGD", {"momentum": 0.9, "nesterov": True, "weight_decay": 0.01}), ("Adam", {"amsgrad": True}),
    ("AdamW", {"weight_decay": 0.1})])
def test_optimizers_follow_the_same_path(name, keywords):
    values = np.random.default_rng(2).normal(size=(3, 4))
    a, b = st.tensor(values, requires_grad=True), torch.tensor(values, requires_grad=True)
    first, second = getattr(st.optim, name)([a], lr=0.05, **keywords), getattr(torch.optim, name)([b], lr=0.05, **keywords)
    for _ in range(20):
        for tensor, optimizer, library in ((a, first, st), (b, second, torch)):
            optimizer.zero_grad()
            library.sum(tensor * tensor * tensor.cos()).backward()
            optimizer.step()
    np.testing.assert_allclose(a.detach().numpy(), b.detach().numpy(), rtol=1e-9)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("shape", [(6, 3), (4, 3, 5), (2, 3, 2, 2)])
def test_cross_entropy(shape, smoothing):
    generator = np.random.default_rng(3)
    scores, target = generator.normal(size=shape), generator.integers(0, 3, size=(shape[0], *shape[2:]))
    target.flat[0] = -100
    weight = np.array([1.0, 0.5, 2.0])
    for reduction in ("none", "mean", "sum"):
        results = []
        for library, F in ((st, st.nn.functional), (torch, torch.nn.functional)):
            x = library.tensor(scores, requires_grad=True)
            loss = F.cross_entropy(
                x, library.tensor(target), library.tensor(weight), reduction=reduction, label_smoothing=smoothing)
            loss.sum().backward()
            results.append((loss.detach().numpy(), x.grad.numpy()))
        np.testing.assert_allclose(results[0][0], results[1][0])
        np.testing.assert_allclose(results[0][1], results[1][1], atol=1e-12)


def test_files_of_pytorch(tmp_path):
    layers = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3), torch.nn.ReLU())
    base = torch.arange(6.0)
    torch.save({"model": layers.state_dict(), "optimizer": torch.optim.Adam(layers.parameters()).state_dict(),
                "parameter": layers[0].weight, "without": layers[2].state_dict(), "size": base.shape,
                "views": [base[1:4], base.view(2, 3).T], "epoch": 3, "rate": 0.1, "name": "größe"}, tmp_path / "a.pt")
    loaded = st.load(tmp_path / "a.pt")
    for name, tensor in layers.state_dict().items():
        np.testing.assert_array_equal(loaded["model"][name].numpy(), tensor.numpy())
    assert loaded["parameter"].requires_grad and loaded["without"] == {} and loaded["size"] == (6,)
    assert loaded["optimizer"]["param_groups"][0]["betas"] == (0.9, 0.999)
    assert (loaded["epoch"], loaded["rate"], loaded["name"]) == (3, 0.1, "größe")
    loaded["views"][0][0] = 9
    assert loaded["views"][1][1, 0].item() == 9


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32",
                                   "float64", "complex64", "complex128"])
def test_files_for_pytorch(tmp_path, dtype):
    base = st.arange(6).to(getattr(st, dtype))
    value = {"views": [base[1:4], base.view(2, 3).T], "empty": st.zeros(0), "rest": (1, -2.5, "größe", None, True, [2**40])}
    st.save(value, tmp_path / "a.pt")
    # PyTorch 1.13 reads no floating-point numbers where it reads weights only.
    loaded = torch.load(tmp_path / "a.pt", weights_only=torch.__version__ >= "2")
    assert loaded["rest"] == value["rest"] and loaded["empty"].shape == (0,)
    for ours, theirs in zip(value["views"], loaded["views"]):
        assert str(theirs.dtype) == f"torch.{dtype}" and ours.tolist() == theirs.tolist() and ours.stride() == theirs.stride()
    loaded["views"][0][0] = 1
    assert loaded["views"][1][1, 0].item() == 1
