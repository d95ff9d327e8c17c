"""Nodes of the gradient graph, Functions, and gradcheck."""
import warnings

import pytest

import structured as st
from structured import autograd


def leaf(*values):
    return st.tensor(values, dtype=st.float64, requires_grad=True)


def test_nodes_refer_to_those_of_their_inputs():
    x = leaf(2.0)
    y = x * 3
    z = y + x
    assert z.grad_fn is z.grad_fn and z.grad_fn.name() == "AddBackward0"
    (first, output), (second, _) = z.grad_fn.next_functions
    assert first is y.grad_fn and output == 0 and second.name() == "AccumulateGrad"
    assert second.next_functions == () and x.grad_fn is None
    part = x.expand(2).unbind()[1]
    assert part.output_nr == 1 and x.output_nr == 0
    with pytest.raises(AttributeError):
        z.grad_fn.unknown


def test_hooks_of_nodes():
    x = leaf(2.0)
    y = x * x
    seen = []
    y.grad_fn.register_prehook(lambda gradients: (gradients[0] * 10,))
    removed = y.grad_fn.register_prehook(lambda gradients: seen.append("removed"))
    removed.remove()
    y.grad_fn.register_hook(lambda inputs, results: seen.append((len(inputs), results[0].item())))
    y.grad_fn.register_hook(lambda inputs, results: (inputs[0] + 1, None))
    y.backward()
    assert seen == [(2, 10)] and x.grad.item() == 21
    y = x * x
    y.grad_fn.register_prehook(lambda gradients: (gradients[0], None))
    with pytest.raises(RuntimeError, match="incorrect number of values"):
        y.backward()


def test_callbacks_run_at_the_end_of_the_innermost_pass():
    order = []

    class Nested(autograd.Function):
        @staticmethod
        def forward(context, x):
            return x * 2

        @staticmethod
        def backward(context, gradient):
            autograd.queue_callback(lambda: order.append("outer"))
            inner = leaf(1.0)
            with st.enable_grad():
                y = inner * 2
            y.register_hook(lambda gradient: autograd.queue_callback(lambda: order.append("inner")))
            y.backward()
            order.append("node")
            return gradient * 2

    Nested.apply(leaf(1.0)).backward()
    assert order == ["inner", "node", "outer"]
    with pytest.raises(RuntimeError, match="only be installed during backward"):
        autograd.queue_callback(lambda: None)


def test_functions_may_overwrite_inputs():
    class Double(autograd.Function):
        @staticmethod
        def forward(context, x):
            x.mul_(2)
            context.mark_dirty(x)
            return x

        @staticmethod
        def backward(context, gradient):
            return gradient * 2

    x = leaf(1.0, 2.0)
    y = x.clone()
    assert Double.apply(y) is y
    y.sum().backward()
    assert x.grad.tolist() == [2, 2]
    base = x.clone()
    Double.apply(base[:1])
    x.grad = None
    base.sum().backward()
    assert base.tolist() == [2, 2] and x.grad.tolist() == [2, 1]
    with pytest.raises(RuntimeError, match="leaf Variable"):
        Double.apply(leaf(1.0))


def test_results_that_are_views_keep_their_node():
    class Parts(autograd.Function):
        @staticmethod
        def forward(context, x):
            return x[:1], x[1:]

        @staticmethod
        def backward(context, first, second):
            return st.cat([first * 10, second])

    x = leaf(1.0, 2.0)
    with st.no_grad():
        x += 1  # so that the version of the storage is not 0
    first, second = Parts.apply(x)
    assert second.grad_fn.name() == "PartsBackward" and second.output_nr == 1
    (first * second).sum().backward()
    assert x.grad.tolist() == [30, 2]


def test_functions_that_overwrite_return_their_inputs():
    class Bad(autograd.Function):
        @staticmethod
        def forward(context, x):
            context.mark_dirty(x)
            return x + 1

        @staticmethod
        def backward(context, gradient):
            return gradient

    with pytest.raises(RuntimeError, match="must all be outputs"):
        Bad.apply(leaf(1.0).clone())


def test_functions_with_tangents():
    class Cube(autograd.Function):
        @staticmethod
        def forward(context, x, factor):
            context.save_for_forward(x)
            context.factor = factor
            return factor * x ** 3

        @staticmethod
        def jvp(context, tangent, factor):
            assert factor is None
            x, = context.saved_tensors
            return 3 * context.factor * x ** 2 * tangent

    x = leaf(2.0)
    assert autograd.jvp(lambda x: Cube.apply(x, 5), x, st.ones(1, dtype=st.float64))[1].item() == 60
    assert autograd.gradcheck(lambda x: Cube.apply(x, 5), x, check_forward_ad=True, check_backward_ad=False)
    with pytest.raises(NotImplementedError, match="either the backward or vjp"):
        Cube.apply(x, 5).backward()


def test_functions_have_one_derivative():
    class Both(autograd.Function):
        @staticmethod
        def forward(context, x):
            return x * 1

        @staticmethod
        def backward(context, gradient):
            return gradient

        vjp = backward

    with pytest.raises(RuntimeError, match="Implementing both"):
        Both.apply(leaf(1.0))


def test_once_differentiable():
    class Square(autograd.Function):
        @staticmethod
        def forward(context, x):
            context.save_for_backward(x)
            return x * x

        @staticmethod
        @autograd.once_differentiable
        def backward(context, gradient):
            x, = context.saved_tensors
            return 2 * x * gradient

    x = leaf(3.0)
    gradient, = autograd.grad(Square.apply(x), x, create_graph=True)
    assert gradient.item() == 6 and not gradient.requires_grad


def test_batched_gradients():
    x = leaf(1.0, 2.0)
    y = x * x
    weights = st.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], dtype=st.float64)
    jacobian, = autograd.grad(y, x, weights, is_grads_batched=True)
    assert jacobian.tolist() == [[2, 0], [0, 4], [2, 4]]
    with pytest.raises(RuntimeError, match="first dimension"):
        autograd.grad(y, x, weights[:, :1], is_grads_batched=True)


def test_saved_tensors_on_cpu_and_forbidden_hooks():
    x = leaf(3.0)
    with autograd.save_on_cpu():
        y = x * x
    y.backward()
    assert x.grad.item() == 6
    with autograd.disable_saved_tensors_hooks("not here"):
        with pytest.raises(RuntimeError, match="not here"), autograd.saved_tensors_hooks(id, id):
            pass
    with autograd.save_on_cpu(), pytest.raises(RuntimeError, match="too late"):
        with autograd.disable_saved_tensors_hooks("too late"):
            pass


def test_checkpoint_takes_keywords():
    x = leaf(2.0)
    y = autograd.checkpoint(lambda a, factor: a * a * factor, x, factor=3, use_reentrant=False, preserve_rng_state=False)
    y.backward()
    assert x.grad.item() == 12
    with pytest.raises(ValueError, match="use_reentrant"):
        autograd.checkpoint(lambda a: a, x, use_reentrant=True)


def test_gradcheck_finds_wrong_gradients():
    class Wrong(autograd.Function):
        @staticmethod
        def forward(context, x):
            return x * 2

        @staticmethod
        def backward(context, gradient):
            return gradient * 2 + 0.01

    x = leaf(1.0, 2.0)
    with pytest.raises(autograd.GradcheckError, match="Jacobian mismatch for output 0 with respect to input 0"):
        autograd.gradcheck(Wrong.apply, x)
    assert not autograd.gradcheck(Wrong.apply, x, raise_exception=False)
    with pytest.raises(ValueError, match="at least one input"):
        autograd.gradcheck(st.exp, x.detach())
    with pytest.raises(AssertionError, match="same shape"):
        autograd.gradcheck(lambda x: x[x >= 1], x)
    with pytest.raises(autograd.GradcheckError, match="expected to be zero"):
        autograd.gradcheck(lambda x: x.detach(), x)


@pytest.mark.parametrize("function", [
    lambda x: x * x.conj(), lambda x: x.exp(), lambda x: x.abs(), lambda x: st.view_as_real(x), lambda x: x.real * x.imag])
def test_gradcheck_of_complex_functions(function):
    x = st.tensor([1 + 2j, -0.5 + 0.25j], dtype=st.complex128, requires_grad=True)
    assert autograd.gradcheck(function, x) and autograd.gradgradcheck(function, x)


def test_gradients_of_tensors_that_are_no_leaves():
    y = leaf(1.0) * 2
    with pytest.warns(UserWarning, match="not a leaf"):
        assert y.grad is None
    y.retain_grad()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert y.grad is None
