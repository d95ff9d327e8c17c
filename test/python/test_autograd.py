"""Gradient modes and leaves. Derivatives of operators are tested where they are defined."""
import pytest

import structured as st


def test_leaves():
    a = st.tensor([1.0, 2.0])
    assert not a.requires_grad and a.is_leaf and a.grad is None and a.grad_fn is None
    assert a.requires_grad_() is a and a.requires_grad
    a.grad = st.ones(2)
    assert a.grad.tolist() == [1, 1]
    a.grad = None
    assert a.grad is None
    assert not a.detach().requires_grad and a.detach().data_ptr() == a.data_ptr()
    with pytest.raises(RuntimeError):
        st.tensor([1]).requires_grad_()
    with pytest.raises(TypeError):
        a.grad = 3
    with pytest.raises(TypeError):
        a.requires_grad = 1


def test_modes():
    a = st.tensor([1.0], requires_grad=True)
    assert st.is_grad_enabled()
    with st.no_grad():
        assert not st.is_grad_enabled() and not (a + 1).requires_grad
        with st.enable_grad():
            assert (a + 1).requires_grad
        assert not st.is_grad_enabled()
    assert (a + 1).requires_grad and not (a + 1).is_leaf

    @st.no_grad()
    def with_parentheses():
        return (a + 1).requires_grad

    @st.inference_mode
    def without():
        return (a + 1).requires_grad

    with st.inference_mode():
        assert not (a + 1).requires_grad
    with st.inference_mode(False):
        assert (a + 1).requires_grad
    with st.no_grad(), st.inference_mode(False):
        assert (a + 1).requires_grad
    assert not st.inference_mode(True)(lambda: (a + 1).requires_grad)()
    assert not with_parentheses() and not without() and st.is_grad_enabled()
    with pytest.raises(ZeroDivisionError), st.no_grad():
        1 / 0
    assert st.is_grad_enabled()
    with st.set_grad_enabled(False):
        assert not st.is_grad_enabled()
    assert st.is_grad_enabled()


def test_inference_tensors():
    assert not st.is_inference_mode_enabled()
    with st.inference_mode():
        assert st.is_inference_mode_enabled()
        made = st.ones(2) * 2
        other = st.ones(2)
        other += 1
        with st.inference_mode(False):
            assert not st.is_inference_mode_enabled() and not st.ones(2).is_inference()
    assert made.is_inference() and st.is_inference(made[:1]) and not made[:1]._is_view()
    assert not st.is_inference_mode_enabled() and not (made + 1).is_inference()
    x = st.tensor([1.0, 2.0], requires_grad=True)
    for expected, call in [
            ("Inplace update to inference tensor outside InferenceMode is not allowed", lambda: other.add_(1)),
            ("Inference tensors do not track version counter", lambda: made._version),
            ("Inference tensors cannot be saved for backward", lambda: made * x),
            ("Setting requires_grad=True on inference tensor", lambda: made.requires_grad_())]:
        with pytest.raises(RuntimeError, match=expected):
            call()
    (made.clone() * x).sum().backward()
    assert x.grad.tolist() == [2, 2]
    assert st.autograd.checkpoint(lambda a, b: a + b, x, made).tolist() == [3, 4]


def test_in_place_writes_to_leaves_are_errors():
    a = st.tensor([1.0], requires_grad=True)
    with pytest.raises(RuntimeError):
        a.add_(1)
    with st.no_grad():
        a.add_(1)
    assert a.tolist() == [2]


def test_backward_needs_a_recorded_result():
    with pytest.raises(RuntimeError):
        st.tensor([1.0]).backward()
    a = st.tensor([2.0], requires_grad=True)
    a.backward()
    assert a.grad.tolist() == [1]


class Cube(st.autograd.Function):
    @staticmethod
    def forward(context, x, factor):
        context.save_for_backward(x)
        context.factor = factor
        return x * x * x * factor

    @staticmethod
    def backward(context, gradient):
        x, = context.saved_tensors
        return gradient * 3 * context.factor * x * x, None


class Exponential(st.autograd.Function):
    @staticmethod
    def forward(context, x):
        result = x.exp()
        context.save_for_backward(result)
        return result

    @staticmethod
    def backward(context, gradient):
        return gradient * context.saved_tensors[0]


class Both(st.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x * 2, x * 3

    @staticmethod
    def backward(context, first, second):
        return first * 2 + second * 3


def test_functions_with_derivatives():
    x = st.tensor([1.0, 2.0], requires_grad=True)
    y = Cube.apply(x, 2.0)
    assert y.tolist() == [2, 16] and y.grad_fn.name() == "CubeBackward" and "CubeBackward" in repr(y)
    y.backward(st.ones(2), retain_graph=True)
    assert x.grad.tolist() == [6, 24]
    y.backward(st.ones(2))
    assert x.grad.tolist() == [12, 48]
    with pytest.raises(RuntimeError):
        y.backward(st.ones(2))
    gradient, = st.autograd.grad(Exponential.apply(Cube.apply(x, 0.0)), x, st.ones(2))
    assert gradient.tolist() == [0, 0]
    first, second = Both.apply(x)
    second.backward(st.ones(2))  # the other gradient is zero
    assert x.grad.tolist() == [15, 51]
    assert not Cube.apply(x.detach(), 1.0).requires_grad
    with st.no_grad():
        assert not Cube.apply(x, 1.0).requires_grad


class Mixed(st.autograd.Function):
    @staticmethod
    def forward(context, x):
        return "text", x * 2, None

    @staticmethod
    def backward(context, text, gradient, nothing):
        assert text is None and nothing is None
        return gradient * 2, None  # None for an argument that there is not


def test_functions_may_return_other_values():
    x = st.tensor([1.0], requires_grad=True)
    text, y, nothing = Mixed.apply(x)
    y.backward()
    assert text == "text" and nothing is None and x.grad.tolist() == [2]
    with pytest.raises(NotImplementedError):
        st.autograd.Function.apply(x)


def test_gradients_of_chosen_inputs():
    x, y = st.tensor([2.0], requires_grad=True), st.tensor([3.0], requires_grad=True)
    for _ in range(2):
        (x * y).backward(inputs=[x])
    assert x.grad.tolist() == [6] and y.grad is None
    st.autograd.backward(x * y, st.tensor([1.0], dtype=st.float64), inputs=y)
    assert y.grad.tolist() == [2] and y.grad.dtype is st.float32
    for call in (lambda: (x * y).backward(inputs=[]), lambda: st.autograd.grad(x * y, [])):
        with pytest.raises((RuntimeError, ValueError), match="must not be empty"):
            call()


def test_generators_keep_their_mode():
    x = st.ones(1, requires_grad=True)

    @st.no_grad()
    def produce():
        try:
            sent = yield (x + 1).requires_grad
            assert not (x + 1).requires_grad and sent == "in"
            yield st.is_grad_enabled()
        except KeyError:
            yield "caught" if not st.is_grad_enabled() else "wrong mode"
        finally:
            seen.append(st.is_grad_enabled())

    seen = []
    generator = produce()
    assert next(generator) is False and st.is_grad_enabled()
    assert generator.send("in") is False and st.is_grad_enabled()
    assert generator.throw(KeyError) == "caught" and st.is_grad_enabled()
    generator.close()
    assert seen == [False] and list(st.enable_grad(lambda: iter([1]))()) == [1]


def test_checkpoints_compute_again():
    calls = []
    weight = st.tensor([3.0], requires_grad=True)

    def function(x, factor):
        calls.append(st.is_grad_enabled())
        return (x * weight).exp() * factor

    x = st.tensor([0.5], requires_grad=True)
    st.autograd.checkpoint(function, x, 2).backward()
    assert calls == [True, True]
    expected = 2 * st.tensor(1.5).exp().item()
    assert x.grad.item() == pytest.approx(3 * expected) and weight.grad.item() == pytest.approx(0.5 * expected)


def test_checkpoints_have_second_derivatives_and_equal_random_numbers():
    x = st.tensor([0.5], requires_grad=True)
    y = st.autograd.checkpoint(lambda x: x * x * x, x)
    first, = st.autograd.grad(y, x, create_graph=True)
    assert st.autograd.grad(first, x)[0].item() == pytest.approx(3.0)

    x = st.ones(64, requires_grad=True)
    y = st.autograd.checkpoint(lambda x: st.dropout(x, 0.5, True), x)
    y.sum().backward()
    assert x.grad.tolist() == y.tolist()


def test_checkpoint_rejects_other_saved_tensors_and_modified_arguments():
    calls = []

    def function(x):
        calls.append(0)
        return x.exp() if len(calls) == 1 else x.exp().exp()

    x = st.tensor([0.5], requires_grad=True)
    y = st.autograd.checkpoint(function, x)
    with pytest.raises(RuntimeError, match="saved 1 tensors at first and 2"):
        y.backward()
    x = x * 2
    y = st.autograd.checkpoint(lambda x: x.exp(), x)
    x.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_saved_tensors_hooks():
    packed = []

    def pack(tensor):
        packed.append(tensor.tolist())
        return tensor.tolist()

    x = st.tensor([3.0], requires_grad=True)
    with st.autograd.saved_tensors_hooks(pack, st.tensor):
        y = x * x
    assert packed == [[3.0], [3.0]]
    y.backward()
    assert x.grad.item() == 6
    with st.autograd.saved_tensors_hooks(lambda tensor: None, lambda nothing: nothing):
        y = x * x
    with pytest.raises(TypeError, match="unpack_hook expected to be a Tensor but got result of type NoneType"):
        y.backward()
    with st.autograd.saved_tensors_hooks(lambda tensor: 1 / 0, lambda nothing: nothing):
        with pytest.raises(ZeroDivisionError):
            x * x


def test_anomaly_mode_names_the_recorded_call(capfd):
    x = st.tensor([0.0], requires_grad=True)
    with st.autograd.detect_anomaly():
        y = x.log() * 0  # here
        with pytest.raises(RuntimeError, match="Function 'LogBackward0' returned nan values in its 0th output."):
            (y * 1).backward()
    text = capfd.readouterr().err
    assert "Error detected in LogBackward0" in text and "y = x.log() * 0  # here" in text


def test_forward_mode():
    x = st.tensor([2.0], dtype=st.float64)
    with st.autograd.dual_level():
        dual = st.autograd.make_dual(x, st.tensor([5.0], dtype=st.float64))
        primal, tangent = st.autograd.unpack_dual(dual * dual * 3)
        assert primal.item() == 12 and tangent.item() == 60
        assert st.autograd.unpack_dual(x).tangent is None
    values, slopes = st.autograd.jvp(lambda a, b: (a * b, a + 1), (x, x), (x, x))
    assert [value.item() for value in values] == [4, 3] and [slope.item() for slope in slopes] == [8, 2]
    with pytest.raises(RuntimeError, match="expected a ForwardModeGuard"):
        st.autograd.make_dual(x, x)


def test_detach_in_place():
    x = st.ones(2, requires_grad=True)
    y = x * 2
    assert y.detach_() is y and not y.requires_grad and y.is_leaf
    with pytest.raises(RuntimeError, match="a view"):
        st.ones(2, 2)[0].detach_()


def test_names_of_nodes():
    x = st.ones(2, requires_grad=True)
    node = (x * 2).grad_fn
    assert type(node).__name__ == node.name() and node.name().startswith("MulBackward") and x.grad_fn is None


def test_saved_results_do_not_keep_the_graph_alive():
    x = st.tensor([1.0], requires_grad=True)
    before = st._core._node_count()
    for _ in range(10):
        Exponential.apply(x)
    assert st._core._node_count() <= before + 1


def test_hooks():
    x = st.tensor([1.0, 2.0], requires_grad=True)
    seen = []
    handle = x.register_hook(lambda gradient: seen.append(gradient.tolist()))
    doubled = Cube.apply(x, 1.0)
    doubled.register_hook(lambda gradient: gradient * 2)
    doubled.retain_grad()
    doubled.backward(st.ones(2))
    assert x.grad.tolist() == [6, 24] and seen == [[6, 24]] and doubled.grad.tolist() == [2, 2]
    handle.remove()
    Cube.apply(x, 1.0).backward(st.ones(2))
    assert len(seen) == 1


def test_exceptions_in_backward_and_hooks_arrive():
    class Fails(st.autograd.Function):
        @staticmethod
        def forward(context, x):
            return x * 1

        @staticmethod
        def backward(context, gradient):
            raise KeyError("mine")

    x = st.tensor([1.0], requires_grad=True)
    with pytest.raises(KeyError, match="mine"):
        Fails.apply(x).backward()
    y = Cube.apply(x, 1.0)
    y.register_hook(lambda gradient: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        y.backward()
    z = Cube.apply(x, 1.0)
    z.register_hook(lambda gradient: "text")
    with pytest.raises(TypeError, match="a hook must return a Tensor or None, not str"):
        z.backward()


class DoubleInPlace(st.autograd.Function):
    @staticmethod
    def forward(context, x):
        context.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(context, gradient):
        return gradient * 2


@pytest.mark.parametrize("views", [
    lambda y: y.unbind(), lambda y: y.split(1), lambda y: y.chunk(2), lambda y: y.tensor_split(2),
    lambda y: [y.unbind()[0].view(2)], lambda y: y.view(4).view(2, 2).unbind(), lambda y: y.T.unbind()])
def test_one_of_several_views_is_not_overwritten_by_a_function(views):
    y = st.ones(2, 2, requires_grad=True) * 1
    with pytest.raises(RuntimeError, match="This view is the output of a function that returns multiple views"):
        DoubleInPlace.apply(views(y)[0])


def test_single_views_are_overwritten_by_a_function():
    for view in (lambda y: y[0], lambda y: y.view(4)[:2], lambda y: y.select(0, 0).view(2)):
        x = st.ones(2, 2, requires_grad=True)
        y = x * 1
        DoubleInPlace.apply(view(y))
        DoubleInPlace.apply(view(y))
        y.sum().backward()
        assert x.grad.tolist() == [[4, 4], [1, 1]]
    y = x * 1
    with st.no_grad():
        DoubleInPlace.apply(y.unbind()[0])
    assert y.tolist() == [[2, 2], [1, 1]]
