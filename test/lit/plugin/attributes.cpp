// Errors in attributes that only the parser can detect. For unknown `structured` attributes, Clang's own warning is
// suppressed; it stays for attributes of other scopes.
//
// RUN: %clangxx -fplugin=%plugin -fsyntax-only -ferror-limit=0 -Xclang -verify=expected,foreign %s
// RUN: %clangxx -fplugin=%plugin -fsyntax-only -ferror-limit=0 -w -Wno-unknown-attributes -Xclang -verify %s

#include <structured/annotate.h>

static_assert(__has_cpp_attribute(structured::meta));
static_assert(__has_cpp_attribute(structured::kwonly));
static_assert(!__has_cpp_attribute(structured::mata));

[[structured::mata("f")]] void a();      // expected-error {{unknown attribute `structured::mata`; did you mean `structured::meta`? [structured-unknown-attribute]}}
[[using structured: kernal("f")]] int b();  // expected-error {{unknown attribute `structured::kernal`; did you mean `structured::kernel`? [structured-unknown-attribute]}}
[[structured::frobnicate]] void c();     // expected-error {{unknown attribute `structured::frobnicate` [structured-unknown-attribute]}}
[[using structured: first, method, second]] void m();  // expected-error {{`structured::first`}} expected-error {{`structured::second`}} expected-error {{`method` does not apply to `m`}}
#define MARK(name) [[structured::name("f"), structured::third]] [[other::name]]
MARK(fourth) void n();                   // expected-error {{`structured::third`}} expected-error {{`structured::fourth`}} foreign-warning {{fourth' ignored}}
[[other::fifth, structured::fifth, other::sixth]] void o();  // expected-error {{`structured::fifth`}} foreign-warning {{fifth' ignored}} foreign-warning {{sixth' ignored}}
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-attributes"
[[structured::seventh, other::eighth]] void p();  // expected-error {{`structured::seventh`}}
#pragma clang diagnostic pop
[[structured::meta(name)]] void d();     // expected-error {{found the name `name` [structured-bad-attribute-argument]}}
[[structured::meta("f", 1.5)]] void e(); // expected-error {{`structured::meta` takes string, integer and boolean literals, found another expression [structured-bad-attribute-argument]}}
[[structured::meta(L"f")]] void f();     // expected-error {{found a string of wide characters [structured-bad-attribute-argument]}}
[[structured::meta("\xff")]] void g();   // expected-error {{found a string that is not UTF-8 [structured-bad-attribute-argument]}}
struct [[structured::method]] S {};      // expected-error {{`structured::method` belongs on a function at namespace scope, found on a type [structured-misplaced-attribute]}}
int variable [[structured::method]];     // expected-error {{found on a variable}}
[[structured::kwonly]] void h();         // expected-error {{`structured::kwonly` belongs on a parameter of a function, found on a function}}
void i([[structured::meta("i")]] int);   // expected-error {{found on a parameter}}
void j() {
  [[structured::method]] void local();   // expected-error {{found on a declaration inside a function}}
  [[structured::method]] local();        // expected-error {{found on a statement}}
}

// Attributes of other scopes with names of `structured` attributes.
[[other::meta(1)]] void k();  // foreign-warning {{meta' ignored}}
[[clang::suppress("structured")]] void l();
