#!/usr/bin/python3
"""export_modules.py OUTDIR: writes modules for PyTorch's lite interpreter, by the torch of this Python.

    NAME.ptl, NAME.fb.ptl    _save_for_lite_interpreter as a zip archive and as a flatbuffer
    NAME.values.pt           the list of arguments of `forward`, and its result

Six small modules with random weights from a seed: a perceptron, a ResNet, an LSTM, a decoder with a loop, a convolution with
quantized tensors, and a module with class attributes, methods, dictionaries and strings.
"""
import os, sys, warnings
warnings.filterwarnings("ignore")
import torch
from torch import nn
from typing import List, Tuple, Dict, Optional
import torch.nn.functional as F

class Mlp(nn.Module):
    def __init__(self, n=16):
        super().__init__(); self.a = nn.Linear(n, n); self.b = nn.Linear(n, n)
    def forward(self, x):
        return self.b(F.relu(self.a(x)))

class Block(nn.Module):
    def __init__(self, i, o, s):
        super().__init__()
        self.c1 = nn.Conv2d(i, o, 3, s, 1, bias=False); self.b1 = nn.BatchNorm2d(o)
        self.c2 = nn.Conv2d(o, o, 3, 1, 1, bias=False); self.b2 = nn.BatchNorm2d(o)
        self.relu = nn.ReLU(inplace=True); self.down: Optional[nn.Module] = None
        self.down = nn.Sequential(nn.Conv2d(i, o, 1, s, bias=False), nn.BatchNorm2d(o)) if s != 1 or i != o else None
    def forward(self, x):
        y = self.b2(self.c2(self.relu(self.b1(self.c1(x)))))
        if self.down is not None:
            x = self.down(x)
        y += x
        return self.relu(y)

class ResNet18(nn.Module):
    def __init__(self, w=64, classes=1000):
        super().__init__()
        self.c = nn.Conv2d(3, w, 7, 2, 3, bias=False); self.b = nn.BatchNorm2d(w); self.r = nn.ReLU(inplace=True); self.m = nn.MaxPool2d(3, 2, 1)
        l = []; i = w
        for k, o in enumerate([w, w * 2, w * 4, w * 8]):
            l += [Block(i, o, 1 if k == 0 else 2), Block(o, o, 1)]; i = o
        self.l = nn.Sequential(*l); self.p = nn.AdaptiveAvgPool2d(1); self.f = nn.Linear(i, classes)
    def forward(self, x):
        x = self.l(self.m(self.r(self.b(self.c(x)))))
        return self.f(torch.flatten(self.p(x), 1))

class Lstm(nn.Module):
    def __init__(self):
        super().__init__(); self.e = nn.Embedding(50, 16); self.l = nn.LSTM(16, 24, 2, batch_first=True); self.o = nn.Linear(24, 7)
    def forward(self, x, lengths: Optional[torch.Tensor] = None):
        y, (h, c) = self.l(self.e(x))
        if lengths is not None:
            y = y * (torch.arange(x.size(1)).unsqueeze(0) < lengths.unsqueeze(1)).unsqueeze(-1).to(y.dtype)
        return self.o(y), h

class Attention(nn.Module):
    def __init__(self, d, h):
        super().__init__(); self.h = h; self.q = nn.Linear(d, 3 * d); self.o = nn.Linear(d, d)
    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.q(x).view(b, n, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4).unbind(0)
        a = torch.matmul(q, k.transpose(-1, -2)) / float(d // self.h) ** 0.5
        a = a.masked_fill(torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1), float("-inf"))
        return self.o(torch.matmul(a.softmax(-1), v).transpose(1, 2).reshape(b, n, d))

class Layer(nn.Module):
    def __init__(self, d, h):
        super().__init__(); self.n1 = nn.LayerNorm(d); self.a = Attention(d, h); self.n2 = nn.LayerNorm(d)
        self.f = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))
    def forward(self, x):
        x = x + self.a(self.n1(x)); return x + self.f(self.n2(x))

class Generator(nn.Module):
    """A decoder with greedy search: a loop, an if, lists, early exit."""
    def __init__(self, v=99, d=32):
        super().__init__(); self.t = nn.Embedding(v, d); self.p = nn.Embedding(64, d); self.l = nn.ModuleList([Layer(d, 4) for _ in range(2)])
        self.n = nn.LayerNorm(d); self.o = nn.Linear(d, v, bias=False)
    def step(self, x):
        y = self.t(x) + self.p(torch.arange(x.size(1), device=x.device))
        for l in self.l:
            y = l(y)
        return self.o(self.n(y))
    def forward(self, x, steps: int, stop: int = -1):
        picked: List[int] = []
        for i in range(steps):
            t = self.step(x)[:, -1].argmax(-1, keepdim=True)
            x = torch.cat([x, t], 1)
            token = int(t[0, 0])
            picked.append(token)
            if token == stop:
                break
        return x, {"picked": picked, "n": [len(picked)]}

class QConv(nn.Module):
    def __init__(self):
        super().__init__(); self.q = torch.ao.quantization.QuantStub(); self.c1 = nn.Conv2d(3, 8, 3, padding=1); self.b1 = nn.BatchNorm2d(8); self.r1 = nn.ReLU()
        self.c2 = nn.Conv2d(8, 8, 3, padding=1, groups=8); self.b2 = nn.BatchNorm2d(8); self.add = torch.nn.quantized.FloatFunctional(); self.p = nn.MaxPool2d(2)
        self.f = nn.Linear(8 * 8 * 8, 10); self.d = torch.ao.quantization.DeQuantStub()
    def forward(self, x):
        x = self.q(x); x = self.r1(self.b1(self.c1(x))); x = self.add.add(x, self.b2(self.c2(x))); x = self.p(x)
        return self.d(self.f(torch.flatten(x, 1)))

def quantized(engine):
    torch.backends.quantized.engine = engine
    m = QConv().eval()
    m = torch.ao.quantization.fuse_modules(m, [["c1", "b1", "r1"], ["c2", "b2"]])
    m.qconfig = torch.ao.quantization.get_default_qconfig(engine if engine != "onednn" else "fbgemm")
    torch.ao.quantization.prepare(m, inplace=True)
    for _ in range(4): m(torch.randn(2, 3, 16, 16))
    return torch.ao.quantization.convert(m)

class Custom(nn.Module):
    """Class attributes, methods, tuples, strings, dicts, isinstance."""
    names: List[str]
    def __init__(self):
        super().__init__(); self.names = ["a", "b"]; self.w = nn.Parameter(torch.randn(3)); self.count = 0
    @torch.jit.export
    def reset(self):
        self.count = 0
    def forward(self, x: Dict[str, torch.Tensor], s: float, flag: bool = True) -> Tuple[torch.Tensor, int]:
        self.count += 1
        y = self.w * s
        for n in self.names:
            if n in x and flag:
                y = y + x[n]
        if self.count > 3 and not flag:
            raise RuntimeError("too often")
        return y, self.count

def main(out):
    os.makedirs(out, exist_ok=True)
    torch.manual_seed(0)
    jobs = {
        "mlp": (Mlp(), [torch.randn(3, 16)]),
        "resnet18": (ResNet18(16, 10), [torch.randn(1, 3, 32, 32)]),
        "lstm": (Lstm(), [torch.randint(0, 50, (2, 6)), torch.tensor([6, 4])]),
        "generator": (Generator(), [torch.randint(0, 99, (1, 4)), 5]),
        "quantized": (quantized("qnnpack"), [torch.randn(2, 3, 16, 16)]),
        "custom": (Custom(), [{"a": torch.ones(3)}, 2.0]),
    }
    for name, (module, args) in jobs.items():
        path = os.path.join(out, name)
        with torch.no_grad():
            script = torch.jit.script(module.eval())
            script._save_for_lite_interpreter(path + ".ptl")
            script._save_for_lite_interpreter(path + ".fb.ptl", _use_flatbuffer=True)
            torch.save((args, module(*args)), path + ".values.pt")


if __name__ == "__main__":
    main(sys.argv[1])
