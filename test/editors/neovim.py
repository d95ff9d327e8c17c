"""Runs Neovim as a client of the language server, with the configuration file in editors/.

    python3 neovim.py NVIM STRUCTURED_LSP FOLDER

Checks diagnostics while typing, quick fixes, also across files, hover, completion and navigation.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SOURCES = {
    "one.cpp": '''#include <structured/structured.h>
using namespace structured;
[[structured::meta("relu", "relu.out")]]
void relu_meta(MetaBase& op, const Tensor& self) {
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}
[[structured::impl("relu.out", "CPU")]]
void relu_cpu(const Tensor& self, const Tensor& out) {}
''',
    "meta.cpp": '''#include <structured/structured.h>
using namespace structured;
[[structured::meta("scale", "scale.out")]]
void scale_meta(MetaBase& op, const Tensor& self, double factor) {
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}
''',
    "cpu.cpp": '''#include <structured/structured.h>
using namespace structured;
[[structured::impl("scale.out", "CPU")]]
void scale_cpu(const Tensor& self, bool factor, const Tensor& out);
''',
}
EXPECTED = '''one file: an error is typed
  8:15 `impl` for `relu.out` takes `double` where `meta` takes `const Tensor&`
apply: replace `double` with `const Tensor&`
void relu_cpu(const Tensor& self, const Tensor& out) {}
two files: the impl is wrong, the meta function is not open
  4:36 `impl` for `scale.out` takes `bool` where `meta` takes `double`
apply: replace `bool` with `double`
two files: the meta function changes, and is not saved
  4:36 `impl` for `scale.out` takes `double` where `meta` takes `const Scalar&`
apply: replace `double` with `const Scalar&`
'''


def main():
    nvim, server, folder = sys.argv[1:]
    if not shutil.which(nvim):
        print("skipped: no Neovim, which the full tier installs (Debian's package neovim)")
        sys.exit(77)
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    project = folder / "project"
    project.mkdir(parents=True)
    commands = []
    for name, text in SOURCES.items():
        (project / name).write_text(text)
        commands.append({"directory": str(project), "file": name, "command": f"c++ -std=c++20 -I{ROOT}/runtime -I{ROOT}/schema -c {name}"})
    (project / "compile_commands.json").write_text(json.dumps(commands))
    log = folder / "log.txt"
    environment = dict(os.environ, HOME=str(folder), XDG_CONFIG_HOME=str(folder), XDG_STATE_HOME=str(folder),
                       XDG_CACHE_HOME=str(folder), XDG_DATA_HOME=str(folder),
                       STRUCTURED_TEST=f"{project};{ROOT}/editors/neovim.lua;{server};{log}")
    run = subprocess.run([nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {HERE}/neovim_session.lua"],
                         env=environment, capture_output=True, text=True, timeout=280)
    said = log.read_text() if log.exists() else ""
    print(said)
    if run.returncode != 0 or not said.endswith("done\n"):
        sys.exit(f"Neovim ended with {run.returncode}\n{run.stdout}{run.stderr}")
    for text in (EXPECTED, "hover\n```text\n", "scale(Tensor self, Scalar factor) -> Tensor", "completion\nCUDA\n",
                 "to the meta function\nmeta.cpp 4\n"):
        if text not in said:
            sys.exit(f"expected this, and it is not there:\n{text}")


main()
