"""Makes many edits of one source in the language server: it must keep answering, and its memory must not grow.

    python3 editor.py STRUCTURED_LSP RUNTIME FOLDER EDITS [--any-memory]

Edits insert and remove pieces of text at random positions, so that the source is mostly invalid; sometimes they restore the
original text. After a tenth of the edits, memory may grow by 5 % and by 24 MiB for fragmentation of the heap.
"""
import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "test/lit/lsp/Inputs"))
sys.dont_write_bytecode = True
from client import Client, compile_commands  # noqa: E402

SOURCE = '''#include <structured/structured.h>
using namespace structured;

/// Scales `self`.
[[structured::meta("scale", "scale_", "scale.out")]]
void scale_meta(MetaBase& op, const Tensor& self, [[structured::kwonly]] double alpha = 1) {
  STRUCTURED_CHECK(self.dim() > 0, "scale: expected `self` with dimensions");
  op.set_output_raw_strided(0, self.sizes(), {}, self.options());
}

[[structured::impl("scale.out", "CPU")]]
void scale_cpu(const Tensor& self, double alpha, const Tensor& out) {
  for (int64_t i = 0; i < self.numel(); ++i) {
    out.data_ptr<double>()[i] = alpha * self.data_ptr<double>()[i];
  }
}
'''
PIECES = ["[[", "]]", "(", ")", "{", "}", ";", ",", '"', "structured::", "impl", "meta(\"a.b\")", "const Tensor& x", "double",
          "\n", "// ", "/*", "*/", "template <class T>", "auto", "é😀", "\0", "#include <vector>\n", "#if 1\n", "#endif\n",
          "namespace {", "static ", "return", "<", ">", "::", "0x", "R\"(", "[[structured::impl(\"scale\", \"CUDA\")]]\n"]


def resident(process):
    """Resident memory in MiB."""
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no memory")


def place(text, offset):
    line = text.count("\n", 0, offset)
    before = text[text.rfind("\n", 0, offset) + 1:offset]
    return {"line": line, "character": len(before.encode("utf-16-le")) // 2}


def main():
    server, runtime, folder, edits = sys.argv[1:5]
    edits = int(edits)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "edited.cpp").write_text(SOURCE)
    compile_commands(folder, ["edited.cpp"], runtime)
    client = Client(server, folder)
    client.initialize()
    client.open("edited.cpp")
    client.settle()
    dice = random.Random(1)
    uri = client.uri("edited.cpp")
    samples = []
    for edit in range(edits):
        text = client.texts["edited.cpp"]
        if edit % 25 == 24:
            client.replace("edited.cpp", SOURCE)
        else:
            # Includes are edited rarely, since every such edit parses the headers again.
            first = 0 if edit % 500 == 7 else text.find("\n") + 1
            begin = dice.randrange(min(first, len(text)), len(text) + 1)
            end = min(len(text), begin + (dice.randrange(12) if dice.random() < 0.5 else 0))
            new = dice.choice(PIECES) if dice.random() < 0.8 else ""
            client.texts["edited.cpp"] = text[:begin] + new + text[end:]
            client._changed("edited.cpp", [{"range": {"start": place(text, begin), "end": place(text, end)}, "text": new}])
        here = place(client.texts["edited.cpp"], dice.randrange(len(client.texts["edited.cpp"]) + 1))
        method = dice.choice(["codeAction", "hover", "completion", "documentSymbol", "codeLens", "implementation"])
        client.result("textDocument/" + method, {"textDocument": {"uri": uri}, "position": here,
                                                 "range": {"start": here, "end": here}, "context": {"diagnostics": []}})
        client.notifications.clear()
        if edit % max(1, edits // 20) == 0:
            samples.append(resident(client.process))
            print(f"{edit:6} edits: {samples[-1]:.0f} MiB", flush=True)
    client.replace("edited.cpp", SOURCE)
    client.diagnostics("edited.cpp")
    if client.published[uri]["diagnostics"]:
        sys.exit("expected no diagnostics for the original source")
    last = resident(client.process)
    start = samples[min(2, len(samples) - 1)]
    client.exit()
    print(f"{edits} edits: from {start:.0f} to {last:.0f} MiB")
    if "--any-memory" not in sys.argv and last > start * 1.05 + 24:
        sys.exit("memory grew too much")


main()
