// Defaults that PyTorch does not accept.
// Why: PyTorch parses a library's schemas when it is imported. Its schemas have no default lists of strings, scalars and
// tensors, none but `None` for an optional list, and few enumerators. With some of the other defaults the import fails,
// with others each call from Python that omits the argument.
// Cure: Make the argument optional, with the default `std::nullopt`, and replace it in the body. Or remove the default.
// RUN: not %structured_gen check --dialect=torch --namespace=my %s -- -std=c++20 -I%S/../derive/Inputs -I%runtime 2>&1 | FileCheck %s
// RUN: sed 's/at::/structured::/g; s/c10::/std::/g; s/aten_mock/mock/' %s > %t.native.cpp
// RUN: %structured_gen check %t.native.cpp -- -std=c++20 -I%S/../Inputs -I%runtime 2>&1 | count 0
// RUN: sed 's/at::Tensor/torch::stable::Tensor/g; s/aten_mock/torch_stable_mock/; s/c10::optional<at::ArrayRef<double>>/const std::optional<std::vector<double>>\&/; s/c10::/std::/g' %s \
// RUN:   > %t.stable.cpp
// RUN: not %structured_gen check --dialect=torch_stable --namespace=my %t.stable.cpp -- -std=c++20 -DIS_STABLE -I%S/../derive/Inputs \
// RUN:   -I%runtime 2>&1 | FileCheck --check-prefix=STABLE %s
#include "aten_mock.h"

namespace kernels {

// example begin
// CHECK: torch_default.cpp:[[@LINE+3]]:48: error: argument `scales` of `resize` has the default `[1.0]`, but PyTorch accepts only `None` for `float[]?`; expected `std::nullopt`, and the default in the body [structured-torch-default]
[[structured::composite("resize")]]
at::Tensor resize(const at::Tensor& self,
                  [[structured::schema_default("[1.0]")]] c10::optional<at::ArrayRef<double>> scales);
// example end
// STABLE: error: argument `scales` of `resize` has the default `[1.0]`, but PyTorch accepts only `None` for `float[]?`; expected `std::nullopt`, and the default in the body [structured-torch-default]

#ifndef IS_STABLE
// PyTorch passes a number for all elements as a number, not as a list.
// CHECK: error: argument `sizes` of `tile` has the default `1.0`, but PyTorch accepts only `None` for `float[2]?`;
[[structured::composite("tile")]]
at::Tensor tile(const at::Tensor& self, [[structured::size(2), structured::schema_default("1.0")]] c10::optional<at::ArrayRef<double>> sizes);

// CHECK: error: argument `tensors` of `join` has the default `[]`, but PyTorch accepts none for `Tensor[]`; expected no default [structured-torch-default]
[[structured::composite("join")]]
at::Tensor join(const at::Tensor& self, at::ArrayRef<at::Tensor> tensors = {});

// CHECK: error: argument `format` of `like` has the default `preserve_format`, but PyTorch accepts only `contiguous_format` for `MemoryFormat`; expected `contiguous_format`, or an optional with `std::nullopt`, and the default in the body [structured-torch-default]
// CHECK: error: argument `layout` of `like` has the default `sparse_coo`, but PyTorch accepts only `None` and `strided` for `Layout?`; expected `std::nullopt`, and the default in the body [structured-torch-default]
[[structured::composite("like")]]
at::Tensor like(const at::Tensor& self, [[structured::schema_default("preserve_format")]] at::MemoryFormat format,
                [[structured::schema_default("sparse_coo")]] c10::optional<at::Layout> layout);

// CHECK: error: argument `device` of `move` has the default `cpu`, but PyTorch accepts none for `Device`; expected no default, or an optional with `std::nullopt`, and the default in the body [structured-torch-default]
[[structured::composite("move")]]
at::Tensor move(const at::Tensor& self, [[structured::schema_default("cpu")]] at::Device device);

// CHECK: error: argument `p` of `drop` has the default `1`, but PyTorch accepts only `None` and numbers with a decimal point for `float?`; expected `1.0` [structured-torch-default]
// CHECK: error: argument `eps` of `drop` has the default `1e-310`, but PyTorch accepts only integers of 64 bits, and fractions that are 0 or at least 2.3e-308 for `float`; expected such a number [structured-torch-default]
[[structured::composite("drop")]]
at::Tensor drop(const at::Tensor& self, c10::optional<double> p = 1, double eps = 1e-310);

// CHECK: error: argument `end` of `parse` has the default `"\x0d"`, but PyTorch accepts only the escapes `\\`, `\"`, `\'`, `\a`, `\b`, `\f`, `\n`, `\t`, `\v` and three octal digits for `str`; expected such escapes, as in `"\015"` [structured-torch-default]
[[structured::composite("parse")]]
at::Tensor parse(const at::Tensor& self, c10::string_view end = "\x0d");

// CHECK: error: argument `count` of `share` has the default `Mean`, but PyTorch accepts only numbers and lists for `int[2]`; expected a list [structured-torch-default]
[[structured::composite("share")]]
at::Tensor share(const at::Tensor& self, [[structured::size(2), structured::schema_default("Mean")]] at::IntArrayRef count);

// Near misses: defaults that PyTorch accepts.
[[structured::composite("accepted")]]
at::Tensor accepted(const at::Tensor& self, [[structured::schema_default("[1.0,2]")]] at::ArrayRef<double> scales,
                    [[structured::size(2), structured::schema_default("1")]] at::IntArrayRef sizes,
                    [[structured::schema_default("[]")]] at::IntArrayRef strides,
                    [[structured::schema_default("None")]] c10::optional<at::ArrayRef<double>> none,
                    [[structured::schema_default("contiguous_format")]] at::MemoryFormat format,
                    [[structured::schema_default("strided")]] c10::optional<at::Layout> layout,
                    [[structured::schema_default("2")]] double p,
                    [[structured::schema_default("\"a\\n\\015\"")]] c10::optional<c10::string_view> end);
#endif
}  // namespace kernels

// CHECK-NOT: {{error|warning}}:
// CHECK: 10 errors generated.
// STABLE: 1 error generated.
