"""Checks the clang-tidy module: it reports the same diagnostics as the plugin, and its fixes remove them.

    python3 clang_tidy.py CLANG_TIDY MODULE CLANGXX PLUGIN FOLDER
"""
import collections
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FLAGS = ["-std=c++20", f"-I{ROOT}/runtime", f"-I{ROOT}/schema"]
DIAGNOSTIC = re.compile(r"^\S+?([^/\s]+:\d+:\d+): (?:error|warning|note): (.*?)(?: \[([a-z-]+)(?:,-warnings-as-errors)?\])?$", re.M)
SOURCE = '''#include <structured/structured.h>
using namespace structured;
[[structured::meta("relu", "relu.out")]]
void relu_meta(MetaBase& op, const Tensor& self) {
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}
[[structured::impl("relu.out", "CPUU")]]
void relu_cpu(double self, const Tensor& out) {}
'''
WITHOUT_OUTPUT = SOURCE.replace("  op.set", "  if (self.dim() > 0) op.set").replace("CPUU", "CPU").replace("double self", "const Tensor& self")


class Test:
    def __init__(self, clang_tidy, module, clangxx, plugin, folder):
        self.clang_tidy, self.module, self.clangxx, self.plugin = clang_tidy, module, clangxx, plugin
        self.folder = pathlib.Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def tidy(self, *arguments, checks="-*,structured-*", flags=()):
        command = [self.clang_tidy, f"--load={self.module}", f"--checks={checks}", *arguments]
        if "--list-checks" not in arguments:
            command += ["--", *FLAGS, *flags]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True)

    def compile(self, source, flags=()):
        command = [self.clangxx, *FLAGS, *flags, "-fsyntax-only", f"-fplugin={self.plugin}", source]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True)


def expect(condition, what, shown=""):
    if not condition:
        sys.exit(f"{what}\n{shown}")


def found(text):
    return collections.Counter(match.groups() for match in DIAGNOSTIC.finditer(text))


def same_as_the_plugin(test):
    """Runs over the sources for every kind of diagnostic."""
    count = 0
    for source in sorted((ROOT / "test/lit/check").glob("*.cpp")):
        flags = [f"-I{ROOT}/test/lit/Inputs", f"-I{ROOT}/test/lit/check/Inputs"]
        compiled = test.compile(str(source), flags)
        if "unknown attribute" in compiled.stderr or "structured-misplaced-attribute" in compiled.stderr:
            continue  # the parser's own findings are errors of Clang's here
        # Sources with errors of Clang are not checked.
        by_plugin = found(compiled.stderr)
        if not any(kind for _, _, kind in by_plugin):
            continue
        run = test.tidy(str(source), "--header-filter=.*", flags=flags)
        by_tidy = found(run.stdout)
        expect(by_tidy == by_plugin, f"{source.name}: not the same",
               f"plugin alone: {by_plugin - by_tidy}\nclang-tidy alone: {by_tidy - by_plugin}\n{run.stderr}")
        count += sum(kind is not None for _, _, kind in by_tidy)
    expect(count > 60, f"expected to compare many diagnostics, got {count}")
    print(f"{count} diagnostics are those of the plugin")


def checks_and_fixes(test):
    source = test.write("fix.cpp", SOURCE)
    listed = test.tidy("--list-checks").stdout
    kinds = re.findall(r'"(structured-[a-z-]+)"', (ROOT / "tool/check/diagnostic_kinds.def").read_text())
    expect(kinds and all(f"    {kind}\n" in listed for kind in kinds), "expected every kind among the checks", listed)
    one = test.tidy(source, checks="-*,structured-unknown-backend")
    expect([kind for _, _, kind in found(one.stdout)] == ["structured-unknown-backend"], "one check alone", one.stdout)
    none = test.tidy(source, checks="-*,misc-unused-using-decls")
    expect(not found(none.stdout), "none of ours is wanted", none.stdout)
    strict = test.tidy(source, "--warnings-as-errors=structured-*")
    expect(strict.returncode != 0, "warnings as errors", strict.stdout)
    test.tidy(source, "--fix")
    mended = test.tidy(source, "--warnings-as-errors=structured-*")
    expect(mended.returncode == 0 and not found(mended.stdout), "mended", mended.stdout)
    expect("CPUU" not in (test.folder / source).read_text(), "the text is mended")
    body = test.tidy(test.write("body.cpp", WITHOUT_OUTPUT))
    expect("[structured-output-unset]" in body.stdout, "bodies are looked into", body.stdout)
    spared = test.write("spared.cpp", SOURCE.replace('"CPUU")]]', '"CPUU")]]  // NOLINT').replace("void relu_cpu", "// NOLINTNEXTLINE\nvoid relu_cpu"))
    expect(not found(test.tidy(spared).stdout), "NOLINT spares a line", test.tidy(spared).stdout)
    print("checks can be chosen, mended and spared")


def options(test):
    def with_options(source, **values):
        config = "CheckOptions: {" + ", ".join(f"Structured{name}: '{value}'" for name, value in values.items()) + "}"
        return test.tidy(source, f"--config={config}")

    meta = SOURCE[:SOURCE.index("[[structured::impl")]
    signatures = test.write("signatures.json", "{}")
    source = test.write("options.cpp", meta)
    dialect = with_options(source, Dialect="latin")
    expect("unknown dialect `latin`" in dialect.stdout + dialect.stderr, "dialect", dialect.stdout)
    broken = with_options(source, Signatures=signatures)
    expect("signatures.json" in broken.stdout + broken.stderr, "signatures", broken.stdout)
    missing = with_options(source, Imports="none.json;also_none.json")
    expect("none.json" in missing.stdout + missing.stderr, "imports", missing.stdout)
    print("options reach the checks")


def main():
    clang_tidy = sys.argv[1]
    if not shutil.which(clang_tidy):
        print("skipped: no clang-tidy 19, which the full tier installs (Debian's package clang-tidy-19)")
        sys.exit(77)
    test = Test(*sys.argv[1:])
    checks_and_fixes(test)
    options(test)
    same_as_the_plugin(test)


main()
