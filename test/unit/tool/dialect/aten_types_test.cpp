#include <set>

#include "dialect/type_tables.h"
#include "type_table_testing.h"

namespace structured::gen {
namespace {

TEST(AtenTypes, EveryParameterTypeOfTheLanguage) {
  expect_arguments(aten_types(), {
                                     {"const at::Tensor &", "Tensor"},
                                     {"at::Tensor &", "Tensor, written"},
                                     {"const c10::optional<at::Tensor> &", "Tensor?"},
                                     {"c10::optional<at::Tensor>", "Tensor?"},
                                     {"at::OptionalTensorRef", "Tensor?"},
                                     {"c10::ArrayRef<at::Tensor>", "Tensor[]"},
                                     {"const c10::IListRef<at::Tensor> &", "Tensor[]"},
                                     {"const c10::List<c10::optional<at::Tensor>> &", "Tensor?[]"},
                                     {"c10::IListRef<at::OptionalTensorRef>", "Tensor?[]"},
                                     {"const c10::Scalar &", "Scalar"},
                                     {"const c10::optional<c10::Scalar> &", "Scalar?"},
                                     {"c10::optional<c10::Scalar>", "Scalar?"},
                                     {"c10::OptionalRef<c10::Scalar>", "Scalar?"},
                                     {"c10::ArrayRef<c10::Scalar>", "Scalar[]"},
                                     {"long", "int"},
                                     {"long long", "int"},
                                     {"double", "float"},
                                     {"bool", "bool"},
                                     {"c10::basic_string_view<char>", "str"},
                                     {"c10::optional<long>", "int?"},
                                     {"c10::optional<double>", "float?"},
                                     {"c10::optional<bool>", "bool?"},
                                     {"c10::optional<c10::basic_string_view<char>>", "str?"},
                                     {"c10::ArrayRef<long>", "int[]"},
                                     {"c10::OptionalArrayRef<long>", "int[]?"},
                                     {"c10::optional<c10::ArrayRef<long>>", "int[]?"},
                                     {"c10::ArrayRef<double>", "float[]"},
                                     {"c10::optional<c10::ArrayRef<double>>", "float[]?"},
                                     {"c10::OptionalArrayRef<double>", "float[]?"},
                                     {"std::array<bool, 3>", "bool[3]"},
                                     {"const c10::List<std::basic_string<char>> &", "str[]"},
                                     {"c10::SymInt", "SymInt"},
                                     {"c10::ArrayRef<c10::SymInt>", "SymInt[]"},
                                     {"c10::optional<c10::SymInt>", "SymInt?"},
                                     {"c10::OptionalArrayRef<c10::SymInt>", "SymInt[]?"},
                                     {"c10::optional<c10::ArrayRef<c10::SymInt>>", "SymInt[]?"},
                                     {"c10::ScalarType", "ScalarType"},
                                     {"c10::Layout", "Layout"},
                                     {"c10::Device", "Device"},
                                     {"c10::MemoryFormat", "MemoryFormat"},
                                     {"at::Generator", "Generator"},
                                     {"c10::Storage", "Storage"},
                                     {"c10::Stream", "Stream"},
                                     {"c10::QScheme", "QScheme"},
                                     {"at::Dimname", "Dimname"},
                                     {"c10::ArrayRef<at::Dimname>", "Dimname[]"},
                                     {"c10::optional<c10::ScalarType>", "ScalarType?"},
                                     {"c10::optional<c10::Layout>", "Layout?"},
                                     {"c10::optional<c10::Device>", "Device?"},
                                     {"c10::optional<c10::MemoryFormat>", "MemoryFormat?"},
                                     {"c10::optional<at::Generator>", "Generator?"},
                                     {"c10::optional<c10::Storage>", "Storage?"},
                                     {"c10::optional<c10::Stream>", "Stream?"},
                                     {"c10::optional<c10::QScheme>", "QScheme?"},
                                     {"c10::optional<at::Dimname>", "Dimname?"},
                                     {"c10::optional<c10::ArrayRef<at::Dimname>>", "Dimname[]?"},
                                     {"const c10::optional<at::Generator> &", "Generator?"},
                                     {"signed char", "DeviceIndex"},
                                     {"c10::SymBool", "SymBool"},
                                 });
}

TEST(AtenTypes, StandardTypesThatReplaceThoseOfC10) {
  expect_arguments(aten_types(), {
                                     {"std::optional<long>", "int?"},
                                     {"std::basic_string_view<char>", "str"},
                                     {"std::optional<std::basic_string_view<char>>", "str?"},
                                     {"const std::optional<at::Tensor> &", "Tensor?"},
                                     {"const c10::List<std::optional<at::Tensor>> &", "Tensor?[]"},
                                     {"std::optional<c10::ScalarType>", "ScalarType?"},
                                     {"std::optional<c10::ArrayRef<double>>", "float[]?"},
                                     {"std::optional<c10::ArrayRef<at::Tensor>>", "Tensor[]?"},
                                     {"c10::optional<c10::ArrayRef<at::Tensor>>", "Tensor[]?"},
                                     {"std::optional<c10::List<std::basic_string<char>>>", "str[]?"},
                                     {"const c10::List<bool> &", "bool[]"},
                                     {"std::optional<c10::List<bool>>", "bool[]?"},
                                     {"c10::ArrayRef<bool>", "none"},
                                     {"c10::ArrayRef<std::basic_string_view<char>>", "none"},
                                     {"std::optional<c10::ArrayRef<std::basic_string_view<char>>>", "none"},
                                     {"c10::ArrayRef<std::optional<at::Tensor>>", "none"},
                                 });
}

TEST(AtenTypes, NoOtherParameterType) {
  expect_arguments(aten_types(), {
                                     {"", "none"},
                                     {"void", "none"},
                                     {"int", "none"},
                                     {"at::Tensor", "none"},
                                     {"const structured::Tensor &", "none"},
                                     {"const c10::SymInt &", "none"},
                                     {"c10::IListRef<at::Tensor>", "none"},
                                     {"c10::SymFloat", "none"},
                                     {"c10::TensorOptions", "none"},
                                     {"c10::ArrayRef<bool>", "none"},
                                 });
}

TEST(AtenTypes, Results) {
  expect_results(aten_types(), {
                                   {"void", "()"},
                                   {"at::Tensor", "(Tensor)"},
                                   {"at::Tensor &", "(Tensor), by reference"},
                                   {"std::vector<at::Tensor>", "(Tensor[])"},
                                   {"std::vector<at::Tensor, std::allocator<at::Tensor>>", "(Tensor[])"},
                                   {"long", "(int)"},
                                   {"long long", "(int)"},
                                   {"std::vector<long>", "(int[])"},
                                   {"bool", "(bool)"},
                                   {"double", "(float)"},
                                   {"c10::Scalar", "(Scalar)"},
                                   {"c10::ScalarType", "(ScalarType)"},
                                   {"c10::QScheme", "(QScheme)"},
                                   {"std::tuple<at::Tensor, at::Tensor>", "(Tensor, Tensor)"},
                                   {"std::tuple<at::Tensor, at::Tensor, double, long>", "(Tensor, Tensor, float, int)"},
                                   {"std::tuple<at::Tensor, std::vector<at::Tensor, std::allocator<at::Tensor>>>",
                                    "(Tensor, Tensor[])"},
                                   {"std::tuple<at::Tensor &, at::Tensor &>", "(Tensor, Tensor), by reference"},
                                   {"std::tuple<at::Tensor>", "none"},
                                   {"std::tuple<>", "none"},
                                   {"std::tuple<at::Tensor &, at::Tensor>", "none"},
                                   {"std::tuple<at::Tensor, at::Tensor &>", "none"},
                                   {"std::tuple<at::Tensor, int>", "none"},
                                   {"const std::tuple<at::Tensor, at::Tensor> &", "none"},
                                   {"at::Tensor &&", "none"},
                                   {"void *", "none"},
                                   {"int", "none"},
                               });
}

TEST(AtenTypes, Suggestions) {
  expect_suggestions(aten_types(),
                     {
                         {"int", "int64_t"},
                         {"float", "double"},
                         {"std::vector<long, std::allocator<long>>", "at::IntArrayRef"},
                         {"std::basic_string<char>", "c10::string_view"},
                         {"at::Tensor", "const at::Tensor&"},
                         {"at::Tensor *", "at::Tensor&"},
                         {"const c10::SymInt &", "c10::SymInt"},
                         {"const c10::ArrayRef<c10::SymInt> &", "c10::SymIntArrayRef"},
                         {"std::vector<c10::SymInt>", "c10::SymIntArrayRef"},
                         {"c10::IListRef<at::Tensor>", "const at::ITensorListRef&"},
                         {"std::vector<at::Tensor>", "at::TensorList"},
                         {"const at::OptionalTensorRef &", "at::OptionalTensorRef"},
                         {"c10::List<c10::optional<at::Tensor>>", "const c10::List<c10::optional<at::Tensor>>&"},
                         {"std::vector<c10::optional<at::Tensor>>", "const c10::List<c10::optional<at::Tensor>>&"},
                         {"c10::ArrayRef<c10::optional<at::Tensor>>", "const c10::List<c10::optional<at::Tensor>>&"},
                         {"const std::optional<long> &", "std::optional<int64_t>"},
                         {"c10::ArrayRef<c10::basic_string_view<char>>", "const c10::List<std::string>&"},
                         {"c10::SmallVector<long, 5>", "at::IntArrayRef"},
                         {"c10::Scalar", "const at::Scalar&"},
                         {"c10::optional<std::vector<long>>", "at::OptionalIntArrayRef"},
                         {"c10::optional<std::vector<double>>", "c10::optional<at::ArrayRef<double>>"},
                         {"c10::TensorOptions", "nothing"},
                         {"structured::Tensor", "nothing"},
                     });
}

TEST(AtenTypes, ResultSuggestions) {
  expect_result_suggestions(aten_types(),
                            {
                                {"int", "int64_t"},
                                {"const at::Tensor &", "at::Tensor"},
                                {"std::pair<at::Tensor, at::Tensor>", "std::tuple<at::Tensor, at::Tensor>"},
                                {"c10::ArrayRef<at::Tensor>", "std::vector<at::Tensor>"},
                                {"c10::ArrayRef<long>", "std::vector<int64_t>"},
                            });
}

TEST(AtenTypes, NamesOfTheLibrary) {
  EXPECT_EQ(aten_types().tensor(), "at::Tensor");
  EXPECT_EQ(aten_types().meta_base(), "at::impl::MetaBase");
}

// All dispatch keys of torchgen, in its order.
TEST(AtenTypes, Backends) {
  // One name of each kind: single keys, composites, and devices with each prefix.
  for (const char* name : {"CPU", "CUDA", "Autograd", "BackendSelect", "SparseCsrCUDA", "CompositeImplicitAutograd",
                           "QuantizedMeta", "SparseXPU", "NestedTensorCUDA", "AutogradPrivateUse3"}) {
    EXPECT_TRUE(aten_types().is_backend(name)) << name;
  }
  for (const char* name : {"", "cpu", "NestedTensor", "QuantizedAutograd", "CPUQuantized", "PrivateUse4"}) {
    EXPECT_FALSE(aten_types().is_backend(name)) << name;
  }
  const auto backends = aten_types().backends();
  const std::set<llvm::StringRef> distinct(backends.begin(), backends.end());
  EXPECT_EQ(distinct.size(), backends.size());
}

}  // namespace
}  // namespace structured::gen
