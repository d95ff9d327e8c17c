"""run_suites.py (--source DIR | --download DIR) [--list FILE] [--update] [SUITE[:TEST]...]: runs PyTorch's own tests.

The source of PyTorch 1.13.1 is Debian's source package, which --download downloads; --source names its folder of tests. A
suite is read statement by statement and each method of its classes is compiled by itself: a statement that uses names the
package does not have takes only its own tests away. FILE lists the tests that fail, with reasons; the run fails if another
test fails, and names those of the list that pass. Exits with 77 if the source cannot be downloaded.
"""
import argparse
import ast
import collections
import contextlib
import faulthandler
import inspect
import io
import itertools
import pathlib
import re
import signal
import subprocess
import sys
import tarfile
import traceback
import unittest
import warnings

import torch_shim

import structured as st

SUITES = ["test_autograd", "test_indexing", "test_view_ops", "test_type_promotion", "test_numpy_interop", "test_dlpack"]

# Tests of what the package does not have, that fail before they use it.
NEEDS = {
    "test_view_ops:TestViewOps.test_conj_imag_view": "conjugation without a copy",
    "test_view_ops:TestOldViewOps.test_conj_neg_view_numpy_error": "conjugation without a copy",
    "test_numpy_interop:TestNumPyInterop.test_to_numpy_force_argument": "conjugation without a copy, sparse tensors",
    "test_dlpack:TestTorchDlPack.test_dlpack_export_is_conj": "conjugation without a copy",
}
# Tests that require what the package does differently.
INTENDED = {
    "test_numpy_interop:TestNumPyInterop.test_numpy_non_writeable": "a read-only array is an error, not a warning",
    "test_numpy_interop:TestNumPyInterop.test_numpy_scalar_cmp": "complex numbers of NumPy keep their imaginary part",
    "test_numpy_interop:TestNumPyInterop.test_numpy_array_interface": "comparisons by NumPy have Bool results, not uint8",
    "test_numpy_interop:TestNumPyInterop.test_from_list_of_ndarray_warning": "lists of arrays are not slow",
    "test_dlpack:TestTorchDlPack.test_dlpack_error_on_bool_tensor": "DLPack has bool",
}
SECONDS = 60  # limit of one test


def download(folder):
    """The suites of Debian's source package in `folder`, or None."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in ("state/lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "sources.list").write_text("deb-src http://deb.debian.org/debian bookworm main\n")
    apt = ["apt-get", "-qq", "-o", f"Dir::Etc::SourceList={folder}/sources.list", "-o", "Dir::Etc::SourceParts=-",
           "-o", f"Dir::State={folder}/state", "-o", f"Dir::Cache={folder}/cache"]
    with contextlib.suppress(OSError):
        subprocess.run([*apt, "update"], cwd=folder, capture_output=True)
        subprocess.run([*apt, "source", "--download-only", "--tar-only", "pytorch"], cwd=folder, capture_output=True)
    archives = list(folder.glob("pytorch_1.13.1*.orig.tar.xz"))
    if not archives:
        return None
    with tarfile.open(archives[0]) as archive:
        for member in archive:
            name = pathlib.PurePath(member.name)
            if name.parent.name == "test" and len(name.parts) == 3 and name.stem in SUITES:
                (folder / name.name).write_bytes(archive.extractfile(member).read())
    return folder


def is_view_of(self, base, other):
    """TestViewOps.is_view_of, without the identity of objects: `_base` makes one at each call."""
    is_view = other._is_view() and other is not base and other._base.is_set_to(base)
    return is_view and base.storage().data_ptr() == other.storage().data_ptr()


class Suite:
    """The test classes of one file."""

    def __init__(self, path):
        self.path = path
        self.modules = torch_shim.modules()
        self.namespace = {"__name__": path.stem, "torch": self.modules["torch"]}
        self.tests = []  # (name, method or None, exception, class, takes device)
        for statement in ast.parse(path.read_text()).body:
            if isinstance(statement, ast.ClassDef) and statement.name.startswith("Test") or \
                    isinstance(statement, ast.ClassDef) and statement.name == "NumpyTests":
                self.add_class(statement)
            elif isinstance(statement, (ast.Import, ast.ImportFrom)):
                self.add_import(statement)
            elif not (isinstance(statement, ast.If) and "__main__" in ast.unparse(statement.test)):
                with contextlib.suppress(Exception):
                    self.run([statement], self.namespace)

    def run(self, statements, scope):
        code = compile(ast.Module(statements, []), str(self.path), "exec")
        exec(code, self.namespace, scope)

    def add_import(self, statement):
        is_torch = isinstance(statement, ast.ImportFrom) and (statement.module or "").split(".")[0] == "torch" or \
            isinstance(statement, ast.Import) and statement.names[0].name.split(".")[0] == "torch"
        if not is_torch:
            with contextlib.suppress(ImportError):
                self.run([statement], self.namespace)
            return
        for alias in statement.names:
            if isinstance(statement, ast.Import):
                name = alias.asname or "torch"
                value = self.modules.get(alias.name, torch_shim.Missing(alias.name)) if alias.asname else self.modules["torch"]
            else:
                name = alias.asname or alias.name
                module = self.modules.get(statement.module)
                try:
                    value = torch_shim.Missing(f"{statement.module}.{name}") if module is None else getattr(module, alias.name)
                except torch_shim.MissingName:
                    value = torch_shim.Missing(f"{statement.module}.{name}")
            self.namespace[name] = value

    def add_class(self, definition):
        members, methods = {}, []
        for statement in definition.body:
            is_test = isinstance(statement, ast.FunctionDef) and statement.name.startswith("test")
            try:
                self.run([self.without_imports(statement)], members)
                if is_test:
                    methods.append((statement.name, members[statement.name], None))
            except Exception as error:
                if is_test:
                    methods.append((statement.name, None, error))
        if "is_view_of" in members:
            members["is_view_of"] = is_view_of
        cls = type(definition.name, (torch_shim.TestCase,), members)
        self.namespace[definition.name] = cls
        for name, method, error in methods:
            self.tests.append((f"{definition.name}.{name}", method, error, cls))

    def without_imports(self, statement):
        """The statement with imports of torch inside functions replaced by the shim's modules."""
        suite = self

        class Replace(ast.NodeTransformer):
            def visit_ImportFrom(self, node):
                return suite.replaced(node) if (node.module or "").startswith("torch") else node

            def visit_Import(self, node):
                return suite.replaced(node) if node.names[0].name.startswith("torch") else node

        return ast.fix_missing_locations(ast.copy_location(Replace().visit(statement), statement))

    def replaced(self, node):
        self.namespace["_shim_modules"] = self.modules
        assignments = []
        for alias in node.names:
            if isinstance(node, ast.Import):
                text = f"{alias.asname or 'torch'} = _shim_modules[{alias.name if alias.asname else 'torch'!r}]"
            else:
                text = f"{alias.asname or alias.name} = _shim_modules[{node.module!r}].{alias.name}"
            assignments += ast.parse(text).body
        return assignments


def arguments_of(method, cls):
    """All combinations of the arguments of a test."""
    names = list(inspect.signature(method).parameters)[1:]
    fixed = {"device": "cpu", "devices": ["cpu"]}
    choices = [[(name, fixed[name])] for name in names if name in fixed]
    if "dtype" in names or "dtypes" in names:
        kinds = getattr(method, "dtypes", [])
        choices.append([("dtype" if "dtype" in names else "dtypes", kind) for kind in kinds])
    for combination in itertools.product(*choices):
        for more in getattr(method, "choices", [{}]):
            yield {**dict(combination), **more}


class TooLong(Exception):
    """A test has taken too long; busy machines are slow."""


def on_alarm(*arguments):
    raise TooLong(f"more than {SECONDS} s")


def outcome(method, error, cls):
    """(result, reason): `passed`, `skipped`, `missing` or `failed`."""
    if error is not None:
        return classify(error)
    if getattr(method, "skips", False):
        return "skipped", "another device"
    results = []
    for arguments in arguments_of(method, cls):
        case = cls("run")
        before = st.get_default_dtype()
        signal.alarm(SECONDS)
        try:
            silent = io.StringIO()
            with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent), warnings.catch_warnings():
                warnings.simplefilter("always")
                st.manual_seed(0)
                case.setUp()
                method(case, **arguments)
            results.append(("passed", ""))
        except (unittest.SkipTest, TooLong) as skip:
            results.append(("skipped", str(skip)))
        except Exception as found:
            result, reason = classify(found)
            kind = arguments.get("dtype", arguments.get("dtypes"))
            results.append((result, reason if kind is None or "missing" in result else f"{kind}: {reason}"))
        finally:
            signal.alarm(0)
            st.set_default_dtype(before)
            st._core._set_grad_enabled(True)
    for wanted in ("failed", "missing", "passed", "skipped"):
        for result in results:
            if result[0] == wanted:
                return result
    return "skipped", "no case on the host"


MISSING = [  # messages of errors for what the package does not have
    r"has no attribute '(\w+)'", r"There is no argument `(\w+)`", r"expected dtype", r"no derivative", r"has no derivative",
    r"no kernel", r"does not support dtype", r"no allocator", r"device", r"cannot import", r"is not differentiable"]


def classify(error):
    text = " ".join(str(error).split())
    if isinstance(error, AssertionError) and text.endswith("not raised"):
        text = "no exception was raised"
    text = text[:100].rstrip() or type(error).__name__
    if isinstance(error, torch_shim.MissingName):
        return "missing", text
    if isinstance(error, (AttributeError, NotImplementedError, NameError)):
        return "missing", text
    if isinstance(error, KeyError) and "torch" in text:
        return "missing", text
    if isinstance(error, (RuntimeError, TypeError)) and any(re.search(pattern, text, re.I) for pattern in MISSING):
        return "missing", text
    return "failed", f"{type(error).__name__}: {text}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path)
    parser.add_argument("--download", type=pathlib.Path)
    parser.add_argument("--list", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    faulthandler.enable()
    signal.signal(signal.SIGALRM, on_alarm)
    source = options.source or download(options.download)
    if source is None:
        print("skipped: the source package of PyTorch cannot be downloaded")
        sys.exit(77)
    known = {}
    if options.list and options.list.exists():
        for line in options.list.read_text().splitlines():
            if line and not line.startswith("#"):
                name, _, reason = line.partition("  ")
                known[name] = reason
    lines, faults, repaired, seen = [], [], [], set()
    for suite_name in SUITES:
        wanted = [test.partition(":")[2] for test in options.tests if test.partition(":")[0] == suite_name]
        if options.tests and not any(test.partition(":")[0] == suite_name for test in options.tests):
            continue
        suite = Suite(source / f"{suite_name}.py")
        counts = collections.Counter()
        for name, method, error, cls in suite.tests:
            if any(wanted) and name not in wanted and name.partition(".")[2] not in wanted:
                continue
            result, reason = outcome(method, error, cls)
            key = f"{suite_name}:{name}"
            if result == "failed" and key in NEEDS:
                result, reason = "missing", NEEDS[key]
            elif result == "failed" and key in INTENDED:
                result, reason = "intended", INTENDED[key]
            counts[result] += 1
            seen.add(key)
            if result in ("failed", "missing", "intended"):
                lines.append(f"{key}  {result}: {reason}")
                if key not in known:
                    faults.append(f"{key}: {result}: {reason}")
            elif key in known and result == "passed":
                repaired.append(key)
        ran = counts["passed"] + counts["failed"]
        share = 100 * counts["passed"] / max(ran, 1)
        print(f"{suite_name}: {counts['passed']} passed, {counts['failed']} failed ({share:.0f} % of {ran}); "
              f"{counts['intended']} differ by intention, {counts['missing']} need what the package does not have, "
              f"{counts['skipped']} need another device")
    if options.update:
        header = "# Tests of PyTorch 1.13.1 that do not pass, and why. `run_suites.py --update` writes this list.\n"
        options.list.write_text(header + "\n".join(lines) + "\n")
        return
    faults += [f"{key} is listed and does not exist" for key in known if key not in seen and not options.tests]
    if repaired:
        print("These tests of the list pass; --update removes them: " + " ".join(repaired))
    print("\n".join(faults if options.list else lines))
    sys.exit(bool(faults) and bool(options.list))


if __name__ == "__main__":
    try:
        main()
    except Exception:
        traceback.print_exc()
        sys.exit(1)
