"""bad_sources.py FOLDER: writes sources with something wrong in them, and `expected`: a line for each, with its name and a
part of what has to be said of it. `fine/` gets sources that are merely odd.
"""
import pathlib
import sys

FOLDER = pathlib.Path(sys.argv[1])
START = '#include "mock.h"\nusing namespace structured;\n'
F = 'Tensor f(const Tensor& self);\n'
LONG = 'n' * 10000


def one(attributes, function=F):
    return f'[[{attributes}]] {function}'


BAD = {
    # counts
    'no_arguments': (one('structured::composite'), '`composite` has 0 arguments; expected one operator name'),
    'empty_list': (one('structured::composite()'), '`composite` has 0 arguments; expected one operator name'),
    'too_many': (one('structured::composite("f", "g")'), '`composite` has 2 arguments; expected one operator name'),
    'forty': (one('structured::composite(' + ', '.join(['"f"'] * 40) + ')'), '`composite` has 40 arguments'),
    'none_taken': (one('structured::composite("f")', 'Tensor f([[structured::kwonly(1)]] int64_t n);'),
                   '`kwonly` has 1 argument; expected no arguments'),
    # values
    'empty': (one('structured::composite("")'), 'argument 1 of `composite` is an empty string'),
    'empty_backend': (one('structured::kernel("f", "")'), 'argument 2 of `kernel` is an empty string'),
    'escaped_nul': (one(r'structured::composite("f\0g")'), 'argument 1 of `composite` contains a NUL character'),
    'nul': (one('structured::composite("f\0g")'), 'argument 1 of `composite` contains a NUL character'),
    'not_utf8': (one('structured::composite("f\udcff")'), 'found a string that is not UTF-8'),
    'line_break': (one(r'structured::composite("f\n")'), r'`f\n` is not an operator name'),
    'escape_sequence': (one(r'structured::composite("\x1b[31mf")'), r'`\x1b[31mf` is not an operator name'),
    'unicode_operator': (one('structured::composite("größe")'), '`größe` is not an operator name'),
    'unicode_backend': (one('structured::kernel("f", "ＣＰＵ")'), 'unknown backend `ＣＰＵ`'),
    'long_backend': (one(f'structured::kernel("f", "{LONG}")'), f'unknown backend `{LONG[:400]}...` ['),
    'long_operator': (one(f'structured::composite("{LONG}-")'), f'`{LONG[:400]}...` is not an operator name'),
    'long_attribute': (one(f'structured::{LONG}("f")'), 'unknown attribute `structured::nnn'),
    # no literals
    'name': (one('structured::composite(f)'), 'literals, found the name `f`'),
    'second_name': (one('structured::composite("f", g)'), "use of undeclared identifier 'g'"),
    'condition': (one('structured::kernel("f", true ? "CPU" : "Meta")'), 'literals, found another expression'),
    'wide': (one('structured::composite(L"f")'), 'literals, found a string of wide characters'),
    'fraction': (one('structured::composite("f")', 'Tensor f([[structured::size(2.5)]] IntArrayRef n);'),
                 'literals, found another expression'),
    'too_large': (one('structured::composite("f")', f'Tensor f([[structured::size({"9" * 30})]] IntArrayRef n);'),
                  'integer literal is too large'),
    'negative': (one('structured::composite("f")', 'Tensor f([[structured::size(-1)]] IntArrayRef n);'),
                 'argument 1 of `size` is less than 1'),
    'user_literal': ('const char* operator""_s(const char* s, unsigned long) { return s; }\n' +
                     one('structured::composite("f"_s)'), 'literals, found another expression'),
    # syntax
    'attribute_open': (one('structured::composite("f"').replace(']', '', 1), "expected ']'"),
    'attribute_at_end': ('[[structured::composite("f"', "expected ')'"),
    'string_open': (one('structured::composite("f)'), 'expected expression'),
    'parameters_open': (one('structured::composite("f")', 'Tensor f(const Tensor& self;'), "expected ')'"),
    'body_open': (one('structured::composite("f")', 'Tensor f(const Tensor& self) { if (true) {\n') +
                  one('structured::composite("g")'), 'error: '),  # which one depends on whether bodies are read
    'error_directive': ('#error "wrong machine"\n' + one('structured::composite("f")'), '"wrong machine"'),
    'brackets': (one('structured::composite("f")', 'Tensor f(int64_t n = ' + '(' * 5000 + '1' + ')' * 5000 + ');'),
                 'bracket nesting level exceeded'),
    'includes_itself': ('#include "includes_itself.cpp"\n' + one('structured::composite("f")'),
                        'include nested too deeply'),
    'bytes': ('structured::' + ''.join(chr(0xDC80 + (i * 37) % 128) for i in range(4096)), 'error'),
    # missing declarations
    'header': ('#include "nowhere.h"\n' + one('structured::composite("f")'), "'nowhere.h' file not found"),
    'header_of_type': ('#include <structured/ops/nowhere.h>\n' +
                       one('structured::composite("f")', 'Tensor f(const Missing& n);'), "unknown type name 'Missing'"),
    'type_argument': (one('structured::composite("f")', 'Tensor f(std::vector<Missing> n);'),
                      "use of undeclared identifier 'Missing'"),
    # templates and macros
    'template': ('template <class T> ' + one('structured::composite("f")'), 'annotated function `f` is a template'),
    'specialisation': ('template <class T> Tensor f(const T&);\ntemplate <> ' +
                       one('structured::composite("f")', 'Tensor f<Tensor>(const Tensor& self);'),
                       'annotated function `f` is a template'),
    'instantiated': ('template <class T> struct A { ' + one('structured::composite("f")', 'static ' + F) + '};\n'
                     'template struct A<int>;', 'annotated function `A::f` is a member'),
    'macro': ('#define KERNEL(name) [[structured::kernel(#name, "Cuda")]] Tensor name(const Tensor& self)\n'
              'KERNEL(f);\n', '4:1: error: unknown backend `Cuda`'),
}

FINE = {
    'odd_literals': (one('structured::composite("a" "b")') + one('structured::composite(R"(c)")', 'Tensor g();\n') +
                     one('structured::composite(u8"d")', 'Tensor h();\n')),
    'unicode': '/// Größe \udcff\n' + one('structured::composite("size_of")',
                                          'Tensor größe(const Tensor& größe, int64_t 数 = 1);'),
    'long_names': one('structured::composite("long_names")', f'Tensor {LONG}(const Tensor& {LONG});'),
    'many_parameters': one('structured::composite("many")',
                           'Tensor many(' + ', '.join(f'const Tensor& a{i}' for i in range(200)) + ');'),
    'not_utf8': (one('structured::composite("bytes")', 'Tensor bytes(std::string_view mode = "\udcff");') +
                 one('structured::composite("escaped")', r'Tensor escaped(std::string_view mode = "\xff");')),
    'macros': ('#define KERNEL(name) [[structured::kernel(#name, "CPU", "Meta")]] Tensor name##_any(const Tensor& self)\n'
               '#define EACH(of) of(first) { return self; } of(second) { return self; }\nEACH(KERNEL)\n'),
    'empty': '',
}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode('utf-8', 'surrogateescape'))


for name, (text, _) in BAD.items():
    write(FOLDER / 'bad' / f'{name}.cpp', START + text + '\n')
for name, text in FINE.items():
    write(FOLDER / 'fine' / f'{name}.cpp', START + text + '\n' if text else '')
write(FOLDER / 'expected', ''.join(f'{name} {message}\n' for name, (_, message) in BAD.items()))
