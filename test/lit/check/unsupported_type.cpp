// Parameter types that schemas cannot express, with suggestions.
// Why: Every argument needs a schema type, which other languages, boxed calls and recordings use.
// Cure: Use the type that the message suggests. An enumeration is an `int64_t`, with the default
// `static_cast<int64_t>(Mode::exact)`. If there is no suggestion, split the argument into values that have schema types.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: unsupported_type.cpp:[[@LINE+11]]:14: error: parameter `self` is `Tensor`, which has no schema type; expected `const Tensor&` [structured-unsupported-type]
// expected-error@+10 {{parameter `self` is `Tensor`, which has no schema type; expected `const Tensor&` [structured-unsupported-type]}}
// CHECK: unsupported_type.cpp:[[@LINE+9]]:27: error: parameter `dim` is `int`, which has no schema type; expected `int64_t` [structured-unsupported-type]
// expected-error@+8 {{parameter `dim` is `int`, which has no schema type; expected `int64_t` [structured-unsupported-type]}}
// CHECK: unsupported_type.cpp:[[@LINE+7]]:36: error: parameter `factor` is `float`, which has no schema type; expected `double` [structured-unsupported-type]
// expected-error@+6 {{parameter `factor` is `float`, which has no schema type; expected `double` [structured-unsupported-type]}}
// CHECK: unsupported_type.cpp:[[@LINE+5]]:50: error: parameter `dims` is `const std::vector<int64_t>&`, which has no schema type; expected `IntArrayRef` [structured-unsupported-type]
// expected-error@+4 {{parameter `dims` is `const std::vector<int64_t>&`, which has no schema type; expected `IntArrayRef` [structured-unsupported-type]}}
// CHECK: unsupported_type.cpp:[[@LINE+3]]:84: error: parameter `mode` is `std::string`, which has no schema type; expected `std::string_view` [structured-unsupported-type]
// expected-error@+2 {{parameter `mode` is `std::string`, which has no schema type; expected `std::string_view` [structured-unsupported-type]}}
[[structured::composite("twice")]]
Tensor twice(Tensor self, int dim, float factor, const std::vector<int64_t>& dims, std::string mode);
// example end

struct Options {};
// CHECK: unsupported_type.cpp:[[@LINE+3]]:35: error: parameter `options` is `const Options&`, which has no schema type [structured-unsupported-type]
// expected-error@+2 {{parameter `options` is `const Options&`, which has no schema type [structured-unsupported-type]}}
[[structured::composite("thrice")]]
Tensor thrice(const Tensor& self, const Options& options);

enum class Mode { fast, exact };
// CHECK: unsupported_type.cpp:[[@LINE+3]]:35: error: parameter `mode` is the enumeration `Mode`, which has no schema type; expected `int64_t`, converted in the body by `static_cast<Mode>(mode)` [structured-unsupported-type]
// expected-error@+2 {{parameter `mode` is the enumeration `Mode`, which has no schema type; expected `int64_t`, converted in the body by `static_cast<Mode>(mode)` [structured-unsupported-type]}}
[[structured::composite("fourth")]]
Tensor fourth(const Tensor& self, Mode mode = Mode::fast);

// Near miss: the same types, spelled correctly.
[[structured::composite("half")]]
Tensor half(const Tensor& self, int64_t dim, double factor, IntArrayRef dims, std::string_view mode, const bool flag);
[[structured::composite("fifth")]]
Tensor fifth(const Tensor& self, int64_t mode = static_cast<int64_t>(Mode::exact), Layout layout = Layout::Strided);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 7 errors generated.
