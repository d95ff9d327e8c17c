// Operators with arguments and results of every type: all emitted code compiles, including boxed calls.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen emit --namespace=acme --output-dir %t/out %t/a.json
// RUN: for source in src/every_type src/every_type.tables src/every_type.boxed operators; do \
// RUN:   %gxx -fsyntax-only -Wall -Wextra -Werror -I%t/out/include %t/out/$source.cpp && \
// RUN:   %clangxx -fsyntax-only -Wall -Wextra -Werror -I%t/out/include %t/out/$source.cpp || exit 1; done
// RUN: %structured_gen list --namespace=acme %t/a.json >%t/schemas
// RUN: FileCheck %s --input-file %t/schemas
// RUN: FileCheck %s --input-file %t/schemas --check-prefix=OTHERS

#include <structured/structured.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace acme::kernels {

using namespace structured;

// CHECK: take(Tensor a_tensor, Tensor? an_optional_tensor, Scalar a_scalar,
// CHECK-SAME: Tensor[]? optional_list, Tensor?[]? optional_list_of_optionals, Scalar[]? optional_scalars, bool[] bools,
// CHECK-SAME: bool[]? optional_bools, bool[2]? optional_pair, str[]? optional_strings) -> Tensor
[[structured::kernel("take", "CPU", "Meta")]]
Tensor take(const Tensor& a_tensor, const std::optional<Tensor>& an_optional_tensor,
    const Scalar& a_scalar,
    int64_t a_int,
    double a_float,
    bool a_bool,
    std::string_view a_str,
    ScalarType a_dtype,
    Layout a_layout,
    Device a_device,
    MemoryFormat a_format,
    Generator a_generator,
    Storage a_storage,
    Stream a_stream,
    QScheme a_qscheme,
    Dimname a_name,
    std::optional<Scalar> an_optional_scalar,
    std::optional<int64_t> an_optional_int,
    std::optional<double> an_optional_float,
    std::optional<bool> an_optional_bool,
    std::optional<std::string_view> an_optional_str,
    std::optional<ScalarType> an_optional_dtype,
    std::optional<Layout> an_optional_layout,
    std::optional<Device> an_optional_device,
    std::optional<MemoryFormat> an_optional_format,
    std::optional<Generator> an_optional_generator,
    std::optional<Storage> an_optional_storage,
    std::optional<Stream> an_optional_stream,
    std::optional<QScheme> an_optional_qscheme,
    std::optional<Dimname> an_optional_name,
    TensorList tensors,
    ArrayRef<std::optional<Tensor>> optional_tensors,
    IntArrayRef ints,
    OptionalIntArrayRef optional_ints,
    ArrayRef<double> doubles,
    std::optional<ArrayRef<double>> optional_doubles,
    std::array<bool, 3> three_bools,
    ArrayRef<std::string_view> strings,
    ArrayRef<Scalar> scalars,
    DimnameList names,
    std::optional<DimnameList> optional_names,
    std::optional<TensorList> optional_list,
    std::optional<ArrayRef<std::optional<Tensor>>> optional_list_of_optionals,
    std::optional<ArrayRef<Scalar>> optional_scalars,
    ArrayRef<bool> bools,
    std::optional<ArrayRef<bool>> optional_bools,
    std::optional<std::array<bool, 2>> optional_pair,
    std::optional<ArrayRef<std::string_view>> optional_strings) {
  return a_tensor;
}

// OTHERS-DAG: may_write(Tensor self, Tensor(a!)[]? buffers, Tensor(b!)? count) -> ()
[[structured::kernel("may_write", "CPU", "Meta")]]
void may_write(const Tensor& self, [[structured::alias("a!")]] std::optional<TensorList> buffers,
               [[structured::alias("b!")]] const std::optional<Tensor>& count) {}

// OTHERS-DAG: give(Tensor self) -> (Tensor?, Tensor, Tensor?[], Tensor[]?, str, str[], float[], int?, bool?, Scalar[], float?, Scalar?, ScalarType?)
[[structured::kernel("give", "CPU", "Meta")]]
std::tuple<std::optional<Tensor>, Tensor, std::vector<std::optional<Tensor>>, std::optional<std::vector<Tensor>>,
           std::string, std::vector<std::string>, std::vector<double>, std::optional<int64_t>, std::optional<bool>,
           std::vector<Scalar>, std::optional<double>, std::optional<Scalar>,
           std::optional<ScalarType>>
give(const Tensor& self) {
  return {};
}

// OTHERS-DAG: maybe(Tensor self) -> Tensor?
[[structured::kernel("maybe", "CPU", "Meta")]] std::optional<Tensor> maybe(const Tensor& self) { return self; }

// OTHERS-DAG: masked(Tensor self, Tensor? mask) -> (Tensor, Tensor?)
[[structured::kernel("masked", "CPU", "Meta")]]
std::tuple<Tensor, std::optional<Tensor>> masked(const Tensor& self, const std::optional<Tensor>& mask) {
  return {self, mask};
}
[[structured::backward("masked")]]
std::tuple<Tensor, Tensor> masked_backward(const Tensor& grad_out0, const Tensor& self,
                                           const std::optional<Tensor>& out1) {
  return {grad_out0, self};
}

// OTHERS-DAG: join(Tensor[]? tensors) -> Tensor?[]
[[structured::kernel("join", "CPU", "Meta")]]
std::vector<std::optional<Tensor>> join(std::optional<TensorList> tensors) { return {}; }

}  // namespace acme::kernels
