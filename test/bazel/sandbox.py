"""Runs the actions that bazel/structured.bzl declares, without Bazel.

    sandbox.py SOURCE_DIR FOLDER REPOSITORY

Evaluates the BUILD files of docs/bazel.md, and runs the actions of its library. Each runs in a root folder that contains its declared
inputs and the toolchain in /usr alone, writes all its declared outputs, and no others. REPOSITORY is the repository of Bazel in an
installation.
"""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

import starlark

TESTS = pathlib.Path(__file__).resolve().parent.parent
# Packages beside those of the page: a library, and another one with kernels for its operators.
IMPORTS = {
    "shapes": """structured_library(name = "shapes", srcs = ["scale.cpp"], hdrs = ["plan.h"], namespace = "my",
                 cpp_namespace = "my::shapes")""",
    "cpu": """structured_library(name = "cpu", srcs = ["scale.cpp"], namespace = "cpu", imports = ["//shapes"],
              emit_options = ["--backends=CPU,PrivateUse1"])""",
}
# Mounts the system's folders below the root folder $1, and runs the rest of the arguments in its folder `work`.
ENTER = """
for each in usr bin lib lib64 proc dev; do
  if [ -L /$each ]; then
    ln -s $(readlink /$each) $1/$each
  elif [ -d /$each ]; then
    mkdir $1/$each && mount --rbind /$each $1/$each || exit 125
  fi
done
root=$1
shift
exec chroot $root /usr/bin/env -i -C /work "$@"
"""


def has_namespaces():
    return subprocess.run(["unshare", "-r", "-m", "true"], capture_output=True).returncode == 0


class Sandbox:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.outputs = self.folder / "outputs"
        self.denies = has_namespaces()
        if not self.denies:
            print("skipped: `unshare -r -m` fails here: undeclared reads by absolute paths are not detected")

    def run(self, action, without=()):
        """Returns the result of the command. Inputs whose paths are in `without` are left out."""
        root = self.folder / "root"
        shutil.rmtree(root, ignore_errors=True)
        work = root / "work"
        inputs = action.inputs.to_list() if isinstance(action.inputs, starlark.Depset) else action.inputs
        present = set()
        for file in [action.executable, *inputs]:
            origin = file.origin or self.outputs / file.path
            if file.path in without:
                continue
            if not origin.exists():
                sys.exit(f"{file.path} is an input, but neither a source nor an output of an earlier action")
            target = work / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            if file.is_directory:
                shutil.copytree(origin, target)
                present.update(path for path in target.rglob("*") if path.is_file())
            else:
                shutil.copy(origin, target)
                present.add(target)
        for file in action.outputs:  # Bazel makes the folders of outputs, too
            (work / file.path if file.is_directory else (work / file.path).parent).mkdir(parents=True, exist_ok=True)
        command = [action.executable.path, *(word for args in action.arguments for word in args.words)]
        if self.denies:
            done = subprocess.run(["unshare", "-r", "-m", "sh", "-c", ENTER, "sh", str(root), *command],
                                  capture_output=True, text=True)
        else:
            done = subprocess.run(command, cwd=work, env={}, capture_output=True, text=True)
        self.command, self.work, self.present = command, work, present
        return done

    def keep(self, action):
        """Checks the outputs of the last command, and copies them."""
        written = {path for path in self.work.rglob("*") if path.is_file()} - self.present
        for file in action.outputs:
            path, target = self.work / file.path, self.outputs / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            if file.is_directory:
                inside = {each for each in written if path in each.parents}
                if not inside:
                    sys.exit(f"{file.path} is a declared output, and is empty")
                written -= inside
                shutil.copytree(path, target)
            else:
                if path not in written:
                    sys.exit(f"{file.path} is a declared output, and was not written by {shlex.join(self.command)}")
                written.remove(path)
                shutil.copy(path, target)
        if written:
            sys.exit(f"not declared as outputs: {sorted(str(path.relative_to(self.work)) for path in written)}")


def must(condition, text):
    if not condition:
        sys.exit(text)


def main(source_dir, folder, repository):
    folder = pathlib.Path(folder).absolute()
    shutil.rmtree(folder, ignore_errors=True)
    project = folder / "project"
    subprocess.run([sys.executable, "-B", TESTS / "docs" / "run_code_blocks.py", "--only-files", f"{source_dir}/docs/bazel.md", project,
                    source_dir, "-"], check=True)
    # A file that no rule declares.
    outside = folder / "outside.h"
    outside.write_text("")
    workspace = starlark.Workspace(project, repository)
    workspace.read("", "ops")
    for package, text in IMPORTS.items():
        shutil.copytree(TESTS / "lit" / "build" / "Inputs" / "imports" / package, project / package)
        (project / package / "BUILD.bazel").write_text(text)
        workspace.read("", package)
    sandbox = Sandbox(folder)
    for action in workspace.actions:
        done = sandbox.run(action)
        must(done.returncode == 0, f"{shlex.join(sandbox.command)}:\n{done.stdout}{done.stderr}")
        sandbox.keep(action)
        print(f"{action.progress_message}: {len(action.outputs)} outputs")
    scan, emit = "StructuredScan", "StructuredEmit"
    mnemonics = [each.mnemonic for each in workspace.actions]
    must(mnemonics == [scan, scan, emit, scan, emit, scan, emit], f"unexpected actions {mnemonics}")
    emitted = sandbox.outputs / starlark.BIN
    headers = emitted / "ops" / "my.emit" / "include" / "my" / "ops"
    must(sorted(os.listdir(headers)) == ["smooth_abs.h", "soft_sign.h"], f"unexpected headers in {headers}")
    must("my::scale" in (emitted / "cpu" / "cpu.emit" / "imports.cpp").read_text(), "no kernel for my::scale")

    scan = next(each for each in workspace.actions if each.progress_message.endswith("soft_sign.h"))
    done = sandbox.run(scan, without=["ops/magnitude.h"])
    must(done.returncode != 0 and "'ops/magnitude.h' file not found" in done.stderr,
         f"without an input, the scan exited with {done.returncode}:\n{done.stderr}")
    if sandbox.denies:
        source = project / "ops" / "soft_sign.h"
        source.write_text(f'#include "{outside}"\n' + source.read_text())
        done = sandbox.run(scan)
        must(done.returncode != 0 and "outside.h' file not found" in done.stderr,
             f"the scan read a file that is not an input; it exited with {done.returncode}:\n{done.stderr}")
    message = "cpu/scale.cu is neither C++ (.cpp, .cc, .cxx, .h, .hh, .hpp) nor a header; sources for CUDA need CMake"
    try:
        workspace.rules["structured_library"](name="wrong", srcs=["scale.cu"], namespace="wrong")
    except starlark.Failure as failure:
        must(str(failure) == message, f"expected `{message}`, got `{failure}`")
    else:
        sys.exit("a library with a source for CUDA is no error")


main(*sys.argv[1:])
