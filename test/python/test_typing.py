"""Stubs and annotations: mypy in strict mode, and equality of stubs and functions."""
import ast
import pathlib
import subprocess
import sys

import structured as st
from structured import _core, _operators

PACKAGE = pathlib.Path(st.__path__[0])


def mypy(*arguments, cache):
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", f"--cache-dir={cache}", "--no-error-summary", *arguments],
        capture_output=True, text=True, cwd=PACKAGE.parent, env={"MYPYPATH": str(PACKAGE.parent)})


def test_the_package_is_typed(tmp_path):
    done = mypy("-p", "structured", cache=tmp_path)
    assert done.stdout == "" and done.returncode == 0, done.stdout + done.stderr


def test_users_of_the_package_are_checked(tmp_path):
    done = mypy(str(pathlib.Path(__file__).parent / "typed_usage.py"), cache=tmp_path)
    assert done.stdout == "" and done.returncode == 0, done.stdout + done.stderr


def test_typed_code_runs():
    import typed_usage

    typed_usage.main()


def stub_of(name):
    return ast.parse((PACKAGE / f"{name}.pyi").read_text()).body


def test_every_operator_has_a_stub():
    stubs = {node.name for node in stub_of("_operators") if isinstance(node, ast.FunctionDef)}
    functions = {name for name, value in vars(_operators).items() if isinstance(value, _core._Function)}
    assert stubs == functions


def test_every_overload_has_a_stub():
    """The documentation of a function, which comes from the schemas, lists the parameters of its stubs."""
    parameters = {}
    for node in stub_of("_operators"):
        if isinstance(node, ast.FunctionDef):
            arguments = node.args
            names = [each.arg for each in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]
            names += [arguments.vararg.arg] if arguments.vararg else []
            parameters.setdefault(node.name, set()).add(frozenset(name.removesuffix("_") for name in names))
    for name, found in parameters.items():
        lines = [line for line in getattr(_operators, name).__doc__.splitlines() if line.startswith(name + "(")]
        for line in lines:
            inside = line[len(name) + 1:line.rindex(") -> ")]
            texts = [part.split("=")[0].split()[-1] for part in inside.split(", ") if part != "*" and "]" not in part[:1]]
            wanted = frozenset(text.removesuffix("_") for text in texts if text.isidentifier())
            assert any(wanted <= stub for stub in found), (line, found)


def test_every_member_of_tensor_has_a_stub():
    members = set()
    for file, class_name in (("_core", "Tensor"), ("_operators", "TensorMethods")):
        for node in stub_of(file):
            if isinstance(node, ast.ClassDef) and node.name == class_name:
                members |= {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
                members |= {each.target.id for each in node.body if isinstance(each, ast.AnnAssign)}
    own = {name for name in vars(st.Tensor) if not name.startswith("_") and hasattr(st.Tensor, name)}
    assert own - members == set() and {name for name in members - own if not name.startswith("_")} == set()


def test_every_name_of_the_core_has_a_stub():
    names = set()
    for node in stub_of("_core"):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
    public = {name for name in vars(_core) if not name.startswith("_")}
    assert public - names == set()
