// Parameters of every type with defaults: the emitted functions are called without arguments, and libraries without
// schemas have the defaults as values. test/torch/library/kernels/defaults.cpp does so for PyTorch.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen emit --namespace=acme --output-dir %t/dynamic %t/a.json
// RUN: %structured_gen emit --namespace=acme --flavour=edge --output-dir %t/edge %t/a.json
// RUN: (echo '#include <acme/operators.h>'; echo 'void call_all(const structured::Tensor& x) {'; \
// RUN:   for name in %t/dynamic/include/acme/ops/*.h; do echo "acme::$(basename $name .h)(x);"; done; echo '}') > %t/calls.cpp
// RUN: for compiler in "%gxx" "%clangxx"; do \
// RUN:   $compiler -fsyntax-only -Wall -Wextra -Werror -I%t/dynamic/include %t/calls.cpp || exit 1; \
// RUN:   $compiler -fsyntax-only -Wall -Wextra -Werror -I%t/edge/include %t/edge/operators.cpp || exit 1; done

#include <structured/structured.h>

#include <array>
#include <optional>
#include <string_view>

namespace acme::kernels {

using namespace structured;

// Tensor?
[[structured::kernel("f1", "CPU", "Meta")]]
Tensor f1(const Tensor& self,
    [[structured::schema_default("None")]] const std::optional<Tensor>& x0) { return self; }
// Tensor[]
[[structured::kernel("f2", "CPU", "Meta")]]
Tensor f2(const Tensor& self,
    [[structured::schema_default("[]")]] TensorList x0) { return self; }
// Tensor?[]
[[structured::kernel("f3", "CPU", "Meta")]]
Tensor f3(const Tensor& self,
    [[structured::schema_default("[]")]] ArrayRef<std::optional<Tensor>> x0,
    [[structured::schema_default("[None,None]")]] ArrayRef<std::optional<Tensor>> x1) { return self; }
// Tensor[]?
[[structured::kernel("f4", "CPU", "Meta")]]
Tensor f4(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<TensorList> x0,
    [[structured::schema_default("[]")]] std::optional<TensorList> x1) { return self; }
// Scalar
[[structured::kernel("f5", "CPU", "Meta")]]
Tensor f5(const Tensor& self,
    [[structured::schema_default("1")]] const Scalar& x0,
    [[structured::schema_default("-9223372036854775808")]] const Scalar& x1,
    [[structured::schema_default("1.5")]] const Scalar& x2,
    [[structured::schema_default("True")]] const Scalar& x3,
    [[structured::schema_default("18446744073709551615")]] const Scalar& x4) { return self; }
// Scalar?
[[structured::kernel("f6", "CPU", "Meta")]]
Tensor f6(const Tensor& self,
    [[structured::schema_default("None")]] const std::optional<Scalar>& x0,
    [[structured::schema_default("1")]] const std::optional<Scalar>& x1,
    [[structured::schema_default("1.5")]] const std::optional<Scalar>& x2,
    [[structured::schema_default("False")]] const std::optional<Scalar>& x3) { return self; }
// Scalar[]
[[structured::kernel("f7", "CPU", "Meta")]]
Tensor f7(const Tensor& self,
    [[structured::schema_default("[]")]] ArrayRef<Scalar> x0,
    [[structured::schema_default("[1,1.5,True]")]] ArrayRef<Scalar> x1) { return self; }
// Scalar[]?
[[structured::kernel("f8", "CPU", "Meta")]]
Tensor f8(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<ArrayRef<Scalar>> x0,
    [[structured::schema_default("[]")]] std::optional<ArrayRef<Scalar>> x1,
    [[structured::schema_default("[1,1.5]")]] std::optional<ArrayRef<Scalar>> x2) { return self; }
// int
[[structured::kernel("f9", "CPU", "Meta")]]
Tensor f9(const Tensor& self,
    [[structured::schema_default("1")]] int64_t x0,
    [[structured::schema_default("-9223372036854775808")]] int64_t x1,
    [[structured::schema_default("9223372036854775807")]] int64_t x2,
    [[structured::schema_default("Mean")]] int64_t x3) { return self; }
// int?
[[structured::kernel("f10", "CPU", "Meta")]]
Tensor f10(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<int64_t> x0,
    [[structured::schema_default("1")]] std::optional<int64_t> x1,
    [[structured::schema_default("Mean")]] std::optional<int64_t> x2) { return self; }
// int[]
[[structured::kernel("f11", "CPU", "Meta")]]
Tensor f11(const Tensor& self,
    [[structured::schema_default("[]")]] IntArrayRef x0,
    [[structured::schema_default("[1]")]] IntArrayRef x1,
    [[structured::schema_default("[1,2]")]] IntArrayRef x2,
    [[structured::schema_default("[Mean]")]] IntArrayRef x3) { return self; }
// int[2]
[[structured::kernel("f12", "CPU", "Meta")]]
Tensor f12(const Tensor& self,
    [[structured::size(2), structured::schema_default("1")]] IntArrayRef x0,
    [[structured::size(2), structured::schema_default("[1,2]")]] IntArrayRef x1,
    [[structured::size(2), structured::schema_default("[]")]] IntArrayRef x2,
    [[structured::size(2), structured::schema_default("-9223372036854775808")]] IntArrayRef x3,
    [[structured::size(2), structured::schema_default("Mean")]] IntArrayRef x4) { return self; }
// int[]?
[[structured::kernel("f13", "CPU", "Meta")]]
Tensor f13(const Tensor& self,
    [[structured::schema_default("None")]] OptionalIntArrayRef x0,
    [[structured::schema_default("[]")]] OptionalIntArrayRef x1,
    [[structured::schema_default("[1,2]")]] OptionalIntArrayRef x2,
    [[structured::schema_default("[1]")]] OptionalIntArrayRef x3) { return self; }
// int[2]?
[[structured::kernel("f14", "CPU", "Meta")]]
Tensor f14(const Tensor& self,
    [[structured::size(2), structured::schema_default("None")]] OptionalIntArrayRef x0,
    [[structured::size(2), structured::schema_default("1")]] OptionalIntArrayRef x1,
    [[structured::size(2), structured::schema_default("[1,2]")]] OptionalIntArrayRef x2) { return self; }
// float
[[structured::kernel("f15", "CPU", "Meta")]]
Tensor f15(const Tensor& self,
    [[structured::schema_default("1")]] double x0,
    [[structured::schema_default("1.5")]] double x1,
    [[structured::schema_default("1e-05")]] double x2,
    [[structured::schema_default("18446744073709551615")]] double x3) { return self; }
// float?
[[structured::kernel("f16", "CPU", "Meta")]]
Tensor f16(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<double> x0,
    [[structured::schema_default("1")]] std::optional<double> x1,
    [[structured::schema_default("1.5")]] std::optional<double> x2) { return self; }
// float[]
[[structured::kernel("f17", "CPU", "Meta")]]
Tensor f17(const Tensor& self,
    [[structured::schema_default("[]")]] ArrayRef<double> x0,
    [[structured::schema_default("[1]")]] ArrayRef<double> x1,
    [[structured::schema_default("[1.5,2]")]] ArrayRef<double> x2,
    [[structured::schema_default("[18446744073709551615]")]] ArrayRef<double> x3) { return self; }
// float[2]
[[structured::kernel("f18", "CPU", "Meta")]]
Tensor f18(const Tensor& self,
    [[structured::size(2), structured::schema_default("1")]] ArrayRef<double> x0,
    [[structured::size(2), structured::schema_default("1.5")]] ArrayRef<double> x1,
    [[structured::size(2), structured::schema_default("[1,2]")]] ArrayRef<double> x2,
    [[structured::size(2), structured::schema_default("9007199254740993")]] ArrayRef<double> x3) { return self; }
// float[]?
[[structured::kernel("f19", "CPU", "Meta")]]
Tensor f19(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<ArrayRef<double>> x0,
    [[structured::schema_default("[]")]] std::optional<ArrayRef<double>> x1,
    [[structured::schema_default("[1.0]")]] std::optional<ArrayRef<double>> x2,
    [[structured::schema_default("[1,2.5]")]] std::optional<ArrayRef<double>> x3) { return self; }
// float[2]?
[[structured::kernel("f20", "CPU", "Meta")]]
Tensor f20(const Tensor& self,
    [[structured::size(2), structured::schema_default("None")]] std::optional<ArrayRef<double>> x0,
    [[structured::size(2), structured::schema_default("1")]] std::optional<ArrayRef<double>> x1,
    [[structured::size(2), structured::schema_default("1.5")]] std::optional<ArrayRef<double>> x2,
    [[structured::size(2), structured::schema_default("[1.0,2]")]] std::optional<ArrayRef<double>> x3) { return self; }
// bool
[[structured::kernel("f21", "CPU", "Meta")]]
Tensor f21(const Tensor& self,
    [[structured::schema_default("True")]] bool x0,
    [[structured::schema_default("False")]] bool x1) { return self; }
// bool?
[[structured::kernel("f22", "CPU", "Meta")]]
Tensor f22(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<bool> x0,
    [[structured::schema_default("True")]] std::optional<bool> x1,
    [[structured::schema_default("False")]] std::optional<bool> x2) { return self; }
// bool[]
[[structured::kernel("f23", "CPU", "Meta")]]
Tensor f23(const Tensor& self,
    [[structured::schema_default("[]")]] ArrayRef<bool> x0,
    [[structured::schema_default("[True]")]] ArrayRef<bool> x1,
    [[structured::schema_default("[True,False]")]] ArrayRef<bool> x2) { return self; }
// bool[]?
[[structured::kernel("f24", "CPU", "Meta")]]
Tensor f24(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<ArrayRef<bool>> x0,
    [[structured::schema_default("[]")]] std::optional<ArrayRef<bool>> x1,
    [[structured::schema_default("[True]")]] std::optional<ArrayRef<bool>> x2) { return self; }
// bool[2]
[[structured::kernel("f25", "CPU", "Meta")]]
Tensor f25(const Tensor& self,
    [[structured::schema_default("True")]] std::array<bool, 2> x0,
    [[structured::schema_default("False")]] std::array<bool, 2> x1,
    [[structured::schema_default("[True,False]")]] std::array<bool, 2> x2,
    [[structured::schema_default("[True,True]")]] std::array<bool, 2> x3) { return self; }
// bool[2]?
[[structured::kernel("f26", "CPU", "Meta")]]
Tensor f26(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<std::array<bool, 2>> x0,
    [[structured::schema_default("True")]] std::optional<std::array<bool, 2>> x1,
    [[structured::schema_default("[True,False]")]] std::optional<std::array<bool, 2>> x2) { return self; }
// str
[[structured::kernel("f27", "CPU", "Meta")]]
Tensor f27(const Tensor& self,
    [[structured::schema_default("\"mean\"")]] std::string_view x0,
    [[structured::schema_default("\"\"")]] std::string_view x1,
    [[structured::schema_default("\'a\'")]] std::string_view x2) { return self; }
// str?
[[structured::kernel("f28", "CPU", "Meta")]]
Tensor f28(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<std::string_view> x0,
    [[structured::schema_default("\"mean\"")]] std::optional<std::string_view> x1) { return self; }
// str[]
[[structured::kernel("f29", "CPU", "Meta")]]
Tensor f29(const Tensor& self,
    [[structured::schema_default("[]")]] ArrayRef<std::string_view> x0,
    [[structured::schema_default("[\"a\"]")]] ArrayRef<std::string_view> x1,
    [[structured::schema_default("[\"a\",\"b\"]")]] ArrayRef<std::string_view> x2) { return self; }
// str[2]
[[structured::kernel("f30", "CPU", "Meta")]]
Tensor f30(const Tensor& self,
    [[structured::size(2), structured::schema_default("\"a\"")]] ArrayRef<std::string_view> x0,
    [[structured::size(2), structured::schema_default("[\"a\",\"b\"]")]] ArrayRef<std::string_view> x1) { return self; }
// str[]?
[[structured::kernel("f31", "CPU", "Meta")]]
Tensor f31(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<ArrayRef<std::string_view>> x0,
    [[structured::schema_default("[]")]] std::optional<ArrayRef<std::string_view>> x1,
    [[structured::schema_default("[\"a\"]")]] std::optional<ArrayRef<std::string_view>> x2,
    [[structured::schema_default("[\"a\",\"b\"]")]] std::optional<ArrayRef<std::string_view>> x3) { return self; }
// ScalarType
[[structured::kernel("f32", "CPU", "Meta")]]
Tensor f32(const Tensor& self,
    [[structured::schema_default("long")]] ScalarType x0,
    [[structured::schema_default("float")]] ScalarType x1,
    [[structured::schema_default("complex64")]] ScalarType x2,
    [[structured::schema_default("quint8")]] ScalarType x3) { return self; }
// ScalarType?
[[structured::kernel("f33", "CPU", "Meta")]]
Tensor f33(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<ScalarType> x0,
    [[structured::schema_default("float")]] std::optional<ScalarType> x1) { return self; }
// Layout
[[structured::kernel("f34", "CPU", "Meta")]]
Tensor f34(const Tensor& self,
    [[structured::schema_default("strided")]] Layout x0,
    [[structured::schema_default("mkldnn")]] Layout x1,
    [[structured::schema_default("sparse_bsr")]] Layout x2) { return self; }
// Layout?
[[structured::kernel("f35", "CPU", "Meta")]]
Tensor f35(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<Layout> x0,
    [[structured::schema_default("strided")]] std::optional<Layout> x1) { return self; }
// Device
[[structured::kernel("f36", "CPU", "Meta")]]
Tensor f36(const Tensor& self,
    [[structured::schema_default("cpu")]] Device x0,
    [[structured::schema_default("cuda")]] Device x1,
    [[structured::schema_default("meta")]] Device x2) { return self; }
// Device?
[[structured::kernel("f37", "CPU", "Meta")]]
Tensor f37(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<Device> x0,
    [[structured::schema_default("cpu")]] std::optional<Device> x1) { return self; }
// MemoryFormat
[[structured::kernel("f38", "CPU", "Meta")]]
Tensor f38(const Tensor& self,
    [[structured::schema_default("contiguous_format")]] MemoryFormat x0,
    [[structured::schema_default("channels_last")]] MemoryFormat x1) { return self; }
// MemoryFormat?
[[structured::kernel("f39", "CPU", "Meta")]]
Tensor f39(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<MemoryFormat> x0,
    [[structured::schema_default("preserve_format")]] std::optional<MemoryFormat> x1) { return self; }
// Generator?
[[structured::kernel("f40", "CPU", "Meta")]]
Tensor f40(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<Generator> x0) { return self; }
// Storage?
[[structured::kernel("f41", "CPU", "Meta")]]
Tensor f41(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<Storage> x0) { return self; }
// Stream?
[[structured::kernel("f42", "CPU", "Meta")]]
Tensor f42(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<Stream> x0) { return self; }
// QScheme?
[[structured::kernel("f43", "CPU", "Meta")]]
Tensor f43(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<QScheme> x0) { return self; }
// Dimname?
[[structured::kernel("f44", "CPU", "Meta")]]
Tensor f44(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<Dimname> x0) { return self; }
// Dimname[]
[[structured::kernel("f45", "CPU", "Meta")]]
Tensor f45(const Tensor& self,
    [[structured::schema_default("[]")]] DimnameList x0) { return self; }
// Dimname[]?
[[structured::kernel("f46", "CPU", "Meta")]]
Tensor f46(const Tensor& self,
    [[structured::schema_default("None")]] std::optional<DimnameList> x0,
    [[structured::schema_default("[]")]] std::optional<DimnameList> x1) { return self; }

}  // namespace acme::kernels
