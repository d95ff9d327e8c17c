"""Runs the code blocks of docs/bazel.md with Bazel 4 of Debian, which needs no network.

    page.py SOURCE_DIR BUILD_DIR FOLDER REPOSITORY PREFIX

REPOSITORY is the repository of Bazel in an installation or a wheel, and PREFIX an installation. The folders beside this file stand
for repositories that Bazel would download.
"""
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77


def skip(reason):
    print(f"skipped: {reason}; `apt install bazel-bootstrap` on Debian 12 installs Bazel 4")
    sys.exit(SKIPPED)


def main(source_dir, build_dir, folder, repository, prefix):
    bazel = shutil.which("bazel")
    if not bazel:
        skip("Bazel is not installed")
    version = subprocess.run([bazel, "--version"], capture_output=True, text=True).stdout.strip()
    if version != "bazel no_version" and not version.startswith("bazel 4."):  # Debian's has no version
        skip(f"`bazel --version` printed `{version}`, expected version 4")
    folder = pathlib.Path(folder).absolute()
    wrapper = folder / "bin" / "bazel"
    wrapper.parent.mkdir(parents=True, exist_ok=True)
    overrides = {name: HERE / name for name in ("rules_cc", "rules_java", "remote_coverage_tools")}
    overrides["structured"] = pathlib.Path(repository).absolute()
    options = [f"--override_repository={name}={path}" for name, path in overrides.items()]
    if not overrides["structured"].is_dir():
        sys.exit(f"{overrides['structured']} does not exist")
    # Debian's configuration keeps the folders of sandboxes.
    wrapper.write_text(f"#!/bin/sh\ncommand=$1\nshift\nexec {shlex.quote(bazel)} --batch --output_user_root={shlex.quote(str(folder / 'out'))} "
                       f"\"$command\" {shlex.join(options)} --nosandbox_debug --curses=no --color=no \"$@\"\n")
    wrapper.chmod(0o755)
    environment = dict(os.environ)
    environment["PATH"] = f"{wrapper.parent}:{environment['PATH']}"
    # Commands of a page find the programs of the installation first, which has no Bazel.
    sys.exit(subprocess.run([sys.executable, "-B", HERE.parent / "docs" / "run_code_blocks.py", f"{source_dir}/docs/bazel.md",
                             folder / "page", source_dir, build_dir, prefix], env=environment).returncode)


main(*sys.argv[1:])
