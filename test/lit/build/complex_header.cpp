// The C++ library's <complex.h> defines no macro `complex`, so that it can precede our headers, whose enumerations have
// that name.
// RUN: for compiler in "%gxx" "%clangxx"; do $compiler -fsyntax-only -Wall -Wextra -Werror %s || exit 1; done
#include <complex.h>

#include <structured/structured.h>

static_assert(structured::schema::Category::complex != structured::schema::Category::floating);

structured::Complex<double> converted(std::complex<double> z) { return {z.real(), z.imag()}; }
