// Attributes that the parser alone can judge.
//
// RUN: %clangxx -fplugin=%plugin -fsyntax-only -Xclang -verify -Xclang -verify-ignore-unexpected=warning %s
// RUN: %clangxx -fplugin=%plugin -fsyntax-only -w -Wno-unknown-attributes -Xclang -verify %s

#include <structured/annotate.h>

static_assert(__has_cpp_attribute(structured::meta));
static_assert(__has_cpp_attribute(structured::kwonly));
static_assert(!__has_cpp_attribute(structured::mata));

[[structured::mata("f")]] void a();      // expected-error {{unknown attribute `structured::mata`; did you mean `structured::meta`? [structured-unknown-attribute]}}
[[using structured: kernal("f")]] int b();  // expected-error {{unknown attribute `structured::kernal`; did you mean `structured::kernel`? [structured-unknown-attribute]}}
[[structured::frobnicate]] void c();     // expected-error {{unknown attribute `structured::frobnicate` [structured-unknown-attribute]}}
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

// Not ours, whatever their names are.
[[other::meta(1)]] void k();
[[clang::suppress("structured")]] void l();
