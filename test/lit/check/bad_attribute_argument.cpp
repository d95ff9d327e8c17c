// Arguments of attributes: their number, forms and values.
// Why: Attribute arguments are literals that become parts of schemas. The tool does not guess what a malformed argument
// means.
// Cure: Write the argument in the form that the message expects.
// RUN: not %structured_gen check %s -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: %clangxx -fsyntax-only -I%S/../Inputs -fplugin=%plugin -Xclang -verify %s
#include "mock.h"

using namespace structured;

namespace kernels {

// example begin
// CHECK: bad_attribute_argument.cpp:[[@LINE+2]]:3: error: `kernel` has 1 argument; expected an operator name and at least one backend [structured-bad-attribute-argument]
// expected-error@+1 {{`kernel` has 1 argument; expected an operator name and at least one backend [structured-bad-attribute-argument]}}
[[structured::kernel("twice")]]
Tensor twice(const Tensor& self);
// example end

// CHECK: bad_attribute_argument.cpp:[[@LINE+4]]:61: error: argument 1 of `device_check` is a string; expected a boolean [structured-bad-attribute-argument]
// expected-error@+3 {{argument 1 of `device_check` is a string; expected a boolean [structured-bad-attribute-argument]}}
// CHECK: bad_attribute_argument.cpp:[[@LINE+3]]:54: error: argument 1 of `size` is a string; expected an integer [structured-bad-attribute-argument]
// expected-error@+2 {{argument 1 of `size` is a string; expected an integer [structured-bad-attribute-argument]}}
[[structured::composite("thrice"), structured::device_check("no")]]
Tensor thrice(const Tensor& self, [[structured::size("2")]] IntArrayRef dims);

// CHECK: bad_attribute_argument.cpp:[[@LINE+6]]:51: error: argument 1 of `tags` is an empty string [structured-bad-attribute-argument]
// expected-error@+5 {{argument 1 of `tags` is an empty string [structured-bad-attribute-argument]}}
// CHECK: bad_attribute_argument.cpp:[[@LINE+5]]:33: error: argument 1 of `alias` is not an alias set; expected one like `a`, `a!` or `a -> *` [structured-bad-attribute-argument]
// expected-error@+4 {{argument 1 of `alias` is not an alias set; expected one like `a`, `a!` or `a -> *` [structured-bad-attribute-argument]}}
// CHECK: bad_attribute_argument.cpp:[[@LINE+3]]:79: error: argument 1 of `size` is less than 1 [structured-bad-attribute-argument]
// expected-error@+2 {{argument 1 of `size` is less than 1 [structured-bad-attribute-argument]}}
[[structured::composite("half"), structured::tags("")]]
Tensor half([[structured::alias("A")]] const Tensor& self, [[structured::size(0)]] IntArrayRef dims);

// CHECK: bad_attribute_argument.cpp:[[@LINE+4]]:54: error: `dtypes` has unknown dtype `flaot`; did you mean `float`? [structured-bad-attribute-argument]
// expected-error@+3 {{`dtypes` has unknown dtype `flaot`; did you mean `float`? [structured-bad-attribute-argument]}}
// CHECK: bad_attribute_argument.cpp:[[@LINE+2]]:91: error: `no_cpp_default` names `scal`, which is not a parameter of `kernels::third`; did you mean `scale`? [structured-bad-attribute-argument]
// expected-error@+1 {{`no_cpp_default` names `scal`, which is not a parameter of `kernels::third`; did you mean `scale`? [structured-bad-attribute-argument]}}
[[structured::composite("third"), structured::dtypes("flaot"), structured::no_cpp_default("scal")]]
Tensor third(const Tensor& self, const Scalar& scale = 1);

// CHECK: bad_attribute_argument.cpp:[[@LINE+4]]:74: error: `requires` has unknown property `contigous`; expected a dtype, `rank` and a number, `contiguous` or a device type [structured-bad-attribute-argument]
// expected-error@+3 {{`requires` has unknown property `contigous`; expected a dtype, `rank` and a number, `contiguous` or a device type [structured-bad-attribute-argument]}}
// CHECK: bad_attribute_argument.cpp:[[@LINE+2]]:132: error: `requires` states `rank 3`, but `other` has 2 dimensions [structured-bad-attribute-argument]
// expected-error@+1 {{`requires` states `rank 3`, but `other` has 2 dimensions [structured-bad-attribute-argument]}}
[[structured::composite("fourth")]] Tensor fourth([[structured::requires("contigous")]] const Tensor& self, [[structured::requires("rank 3")]] RankedTensor<2> other);

// CHECK: bad_attribute_argument.cpp:[[@LINE+2]]:78: error: `not_differentiable` names `indexes`, which is neither a result nor a mutable argument of `fifth`; did you mean `indices`? [structured-bad-attribute-argument]
// expected-error@+1 {{`not_differentiable` names `indexes`, which is neither a result nor a mutable argument of `fifth`; did you mean `indices`? [structured-bad-attribute-argument]}}
[[structured::kernel("fifth", "CPU", "Meta"), structured::not_differentiable("indexes"), structured::returns("values", "indices")]]
std::tuple<Tensor, Tensor> fifth(const Tensor& self, Tensor& total);
// CHECK: bad_attribute_argument.cpp:[[@LINE+2]]:87: error: `not_differentiable` names `self`, which is neither a result nor a mutable argument of `sixth`; expected `out` or `total` [structured-bad-attribute-argument]
// expected-error@+1 {{`not_differentiable` names `self`, which is neither a result nor a mutable argument of `sixth`; expected `out` or `total` [structured-bad-attribute-argument]}}
[[structured::kernel("sixth", "CPU", "Meta"), structured::not_differentiable("total", "self")]]
Tensor sixth(const Tensor& self, Tensor& total);

// Near misses: adjacent strings are joined, numbers may be hexadecimal, and a backend may precede dtypes.
[[structured::kernel("quar"
                     "ter",
                     "CPU", "Meta"),
  structured::dtypes("CPU", "floating", "int64")]]
Tensor quarter([[structured::alias("a -> *")]] const Tensor& self, [[structured::size(0x2)]] IntArrayRef dims);

}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 12 errors generated.
