#include "dialect/type_tables.h"
#include "type_table_testing.h"

namespace structured::gen {
namespace {

TEST(NativeTypes, EveryParameterTypeOfTheLanguage) {
  expect_arguments(native_types(),
                   {
                       {"const structured::Tensor &", "Tensor"},
                       {"structured::Tensor &", "Tensor, written"},
                       {"const std::optional<structured::Tensor> &", "Tensor?"},
                       {"std::optional<structured::Tensor>", "Tensor?"},
                       {"structured::ArrayRef<structured::Tensor>", "Tensor[]"},
                       {"structured::ArrayRef<std::optional<structured::Tensor>>", "Tensor?[]"},
                       {"const structured::Scalar &", "Scalar"},
                       {"const std::optional<structured::Scalar> &", "Scalar?"},
                       {"std::optional<structured::Scalar>", "Scalar?"},
                       {"structured::ArrayRef<structured::Scalar>", "Scalar[]"},
                       {"long", "int"},
                       {"long long", "int"},
                       {"const long", "int"},
                       {"double", "float"},
                       {"bool", "bool"},
                       {"std::basic_string_view<char>", "str"},
                       {"std::basic_string_view<char, std::char_traits<char>>", "str"},
                       {"std::optional<long>", "int?"},
                       {"std::optional<long long>", "int?"},
                       {"std::optional<double>", "float?"},
                       {"std::optional<bool>", "bool?"},
                       {"std::optional<std::basic_string_view<char>>", "str?"},
                       {"structured::ArrayRef<long>", "int[]"},
                       {"structured::OptionalIntArrayRef", "int[]?"},
                       {"structured::ArrayRef<double>", "float[]"},
                       {"std::optional<structured::ArrayRef<double>>", "float[]?"},
                       {"std::array<bool, 3>", "bool[3]"},
                       {"std::array<bool, 1>", "bool[1]"},
                       {"structured::ArrayRef<std::basic_string_view<char>>", "str[]"},
                       {"structured::ScalarType", "ScalarType"},
                       {"structured::Layout", "Layout"},
                       {"structured::Device", "Device"},
                       {"structured::MemoryFormat", "MemoryFormat"},
                       {"structured::Generator", "Generator"},
                       {"structured::Storage", "Storage"},
                       {"structured::Stream", "Stream"},
                       {"structured::QScheme", "QScheme"},
                       {"structured::Dimname", "Dimname"},
                       {"structured::ArrayRef<structured::Dimname>", "Dimname[]"},
                       {"std::optional<structured::ScalarType>", "ScalarType?"},
                       {"std::optional<structured::Layout>", "Layout?"},
                       {"std::optional<structured::Device>", "Device?"},
                       {"std::optional<structured::MemoryFormat>", "MemoryFormat?"},
                       {"std::optional<structured::Generator>", "Generator?"},
                       {"std::optional<structured::Storage>", "Storage?"},
                       {"std::optional<structured::Stream>", "Stream?"},
                       {"std::optional<structured::QScheme>", "QScheme?"},
                       {"std::optional<structured::Dimname>", "Dimname?"},
                       {"std::optional<structured::ArrayRef<structured::Dimname>>", "Dimname[]?"},
                       {"const std::optional<structured::Generator> &", "Generator?"},
                       {"std::optional<structured::ArrayRef<structured::Tensor>>", "Tensor[]?"},
                       {"std::optional<structured::ArrayRef<std::optional<structured::Tensor>>>", "Tensor?[]?"},
                       {"std::optional<structured::ArrayRef<structured::Scalar>>", "Scalar[]?"},
                       {"std::optional<structured::ArrayRef<std::basic_string_view<char>>>", "str[]?"},
                       {"structured::ArrayRef<bool>", "bool[]"},
                       {"std::optional<structured::ArrayRef<bool>>", "bool[]?"},
                       {"std::optional<std::array<bool, 3>>", "bool[3]?"},
                   });
}

TEST(NativeTypes, NoOtherParameterType) {
  expect_arguments(native_types(), {
                                       {"", "none"},
                                       {"void", "none"},
                                       {"int", "none"},
                                       {"unsigned long", "none"},
                                       {"float", "none"},
                                       {"char", "none"},
                                       {"structured::Tensor", "none"},
                                       {"const structured::Tensor", "none"},
                                       {"structured::Tensor &&", "none"},
                                       {"structured::Tensor *", "none"},
                                       {"const structured::Scalar", "none"},
                                       {"structured::ArrayRef<int>", "none"},
                                       {"structured::ArrayRef<long long>", "none"},
                                       {"std::optional<structured::ArrayRef<long>>", "none"},
                                       {"structured::ArrayRef<structured::Device>", "none"},
                                       {"structured::ArrayRef<std::optional<long>>", "none"},
                                       {"structured::ArrayRef<structured::ArrayRef<long>>", "none"},
                                       {"structured::ArrayRef<structured::Tensor &>", "none"},
                                       {"std::optional<std::optional<long>>", "none"},
                                       {"const std::optional<structured::ArrayRef<structured::Tensor>> &", "none"},
                                       {"std::array<bool, 0>", "none"},
                                       {"std::array<bool, N>", "none"},
                                       {"std::array<bool, 99999999999999999999>", "none"},
                                       {"std::array<long, 2>", "none"},
                                       {"std::array<bool, 3> &", "none"},
                                       {"std::array<const bool &, 3>", "none"},
                                       {"at::Tensor", "none"},
                                       {"const at::Tensor &", "none"},
                                       {"std::vector<long>", "none"},
                                       {"structured::TensorOptions", "none"},
                                       {"structured::Tensor<int> &", "none"},
                                   });
}

TEST(NativeTypes, Results) {
  expect_results(
      native_types(),
      {
          {"void", "()"},
          {"structured::Tensor", "(Tensor)"},
          {"structured::Tensor &", "(Tensor), by reference"},
          {"std::vector<structured::Tensor>", "(Tensor[])"},
          {"std::vector<structured::Tensor, std::allocator<structured::Tensor>>", "(Tensor[])"},
          {"long", "(int)"},
          {"long long", "(int)"},
          {"std::vector<long>", "(int[])"},
          {"std::vector<long long>", "none"},
          {"std::tuple<structured::Tensor, long long>", "(Tensor, int)"},
          {"bool", "(bool)"},
          {"double", "(float)"},
          {"structured::Scalar", "(Scalar)"},
          {"structured::ScalarType", "(ScalarType)"},
          {"structured::QScheme", "(QScheme)"},
          {"std::basic_string<char>", "(str)"},
          {"std::optional<structured::Tensor>", "(Tensor?)"},
          {"std::vector<std::optional<structured::Tensor>>", "(Tensor?[])"},
          {"std::optional<std::vector<structured::Tensor>>", "(Tensor[]?)"},
          {"std::vector<std::basic_string<char>>", "(str[])"},
          {"std::vector<double>", "(float[])"},
          {"std::tuple<structured::Tensor, std::optional<structured::Tensor>>", "(Tensor, Tensor?)"},
          {"std::vector<bool>", "none"},
          {"std::vector<std::vector<long>>", "none"},
          {"std::tuple<structured::Tensor, structured::Tensor>", "(Tensor, Tensor)"},
          {"std::tuple<structured::Tensor, structured::Tensor, double, long>", "(Tensor, Tensor, float, int)"},
          {"std::tuple<structured::Tensor, std::vector<structured::Tensor, std::allocator<structured::Tensor>>>",
           "(Tensor, Tensor[])"},
          {"std::tuple<structured::Tensor &, structured::Tensor &>", "(Tensor, Tensor), by reference"},
          {"std::tuple<structured::Tensor>", "none"},
          {"std::tuple<>", "none"},
          {"std::tuple<structured::Tensor &, structured::Tensor>", "none"},
          {"std::tuple<structured::Tensor, structured::Tensor &>", "none"},
          {"std::tuple<structured::Tensor, int>", "none"},
          {"const std::tuple<structured::Tensor, structured::Tensor> &", "none"},
          {"structured::Tensor &&", "none"},
          {"void *", "none"},
          {"int", "none"},
      });
}

TEST(NativeTypes, Suggestions) {
  expect_suggestions(
      native_types(),
      {
          {"int", "int64_t"},
          {"short", "int64_t"},
          {"unsigned long", "int64_t"},
          {"unsigned long long", "int64_t"},
          {"const int &", "int64_t"},
          {"const long &", "int64_t"},
          {"long &", "int64_t"},
          {"float", "double"},
          {"const double &", "double"},
          {"long double", "double"},
          {"std::vector<long, std::allocator<long>>", "IntArrayRef"},
          {"const std::vector<long, std::allocator<long>> &", "IntArrayRef"},
          {"std::vector<int>", "IntArrayRef"},
          {"std::initializer_list<long>", "IntArrayRef"},
          {"std::array<long, 2>", "IntArrayRef"},
          {"const structured::ArrayRef<long> &", "IntArrayRef"},
          {"structured::ArrayRef<int>", "IntArrayRef"},
          {"structured::ArrayRef<long long>", "IntArrayRef"},
          {"std::vector<unsigned long long>", "IntArrayRef"},
          {"std::optional<structured::ArrayRef<long>>", "OptionalIntArrayRef"},
          {"std::optional<std::vector<long>>", "OptionalIntArrayRef"},
          {"const structured::OptionalIntArrayRef &", "OptionalIntArrayRef"},
          {"std::vector<double>", "ArrayRef<double>"},
          {"std::vector<float>", "ArrayRef<double>"},
          {"std::basic_string<char, std::char_traits<char>, std::allocator<char>>", "std::string_view"},
          {"const std::basic_string<char> &", "std::string_view"},
          {"const char *", "std::string_view"},
          {"const std::basic_string_view<char> &", "std::string_view"},
          {"std::vector<std::basic_string<char>>", "ArrayRef<std::string_view>"},
          {"structured::Tensor", "const Tensor&"},
          {"structured::Tensor &&", "const Tensor&"},
          {"const structured::Tensor *", "const Tensor&"},
          {"structured::Tensor *", "Tensor&"},
          {"std::vector<structured::Tensor>", "TensorList"},
          {"const structured::ArrayRef<structured::Tensor> &", "TensorList"},
          {"std::vector<std::optional<structured::Tensor>>", "ArrayRef<std::optional<Tensor>>"},
          {"std::optional<structured::Tensor> &", "const std::optional<Tensor>&"},
          {"structured::Scalar", "const Scalar&"},
          {"structured::Scalar &", "const Scalar&"},
          {"std::vector<structured::Scalar>", "ArrayRef<Scalar>"},
          {"std::optional<int>", "std::optional<int64_t>"},
          {"const std::optional<long> &", "std::optional<int64_t>"},
          {"std::optional<float>", "std::optional<double>"},
          {"std::optional<std::basic_string<char>>", "std::optional<std::string_view>"},
          {"const structured::ScalarType &", "ScalarType"},
          {"const structured::Device &", "Device"},
          {"const std::optional<structured::Device> &", "std::optional<Device>"},
          {"structured::Generator &", "Generator"},
          {"const std::array<bool, 3> &", "std::array<bool, 3>"},
          {"std::vector<bool>", "ArrayRef<bool>"},
          {"std::optional<std::vector<structured::Tensor>>", "std::optional<TensorList>"},
          {"const std::optional<structured::ArrayRef<structured::Tensor>> &", "std::optional<TensorList>"},
          {"std::optional<std::vector<std::basic_string<char>>>", "std::optional<ArrayRef<std::string_view>>"},
          {"std::complex<double>", "nothing"},
          {"void *", "nothing"},
          {"std::map<int, int>", "nothing"},
          {"user::Thing", "nothing"},
          {"int (*)(int)", "nothing"},
          {"char", "nothing"},
          {"std::array<bool, 0>", "ArrayRef<bool>"},
      });
}

TEST(NativeTypes, ResultSuggestions) {
  expect_result_suggestions(
      native_types(),
      {
          {"int", "int64_t"},
          {"unsigned long", "int64_t"},
          {"float", "double"},
          {"const structured::Tensor &", "Tensor"},
          {"structured::Tensor &&", "Tensor"},
          {"structured::ArrayRef<structured::Tensor>", "std::vector<Tensor>"},
          {"structured::ArrayRef<long>", "std::vector<int64_t>"},
          {"std::vector<int>", "std::vector<int64_t>"},
          {"std::array<structured::Tensor, 2>", "std::vector<Tensor>"},
          {"std::pair<structured::Tensor, structured::Tensor>", "std::tuple<Tensor, Tensor>"},
          {"std::pair<structured::Tensor &, structured::Tensor &>", "std::tuple<Tensor&, Tensor&>"},
          {"std::tuple<structured::Tensor, int, float>", "std::tuple<Tensor, int64_t, double>"},
          {"std::tuple<const structured::Tensor &, const structured::Tensor &>", "std::tuple<Tensor, Tensor>"},
          {"std::tuple<structured::Tensor>", "Tensor"},
          {"std::tuple<structured::Tensor &>", "Tensor&"},
          {"const std::tuple<structured::Tensor, structured::Tensor> &", "std::tuple<Tensor, Tensor>"},
          {"std::tuple<structured::Tensor &, structured::Tensor>", "Tensor"},
          {"std::tuple<>", "nothing"},
          {"user::Thing", "nothing"},
          {"std::basic_string_view<char>", "std::string"},
          {"std::vector<bool>", "nothing"},
          {"std::pair<structured::Tensor, user::Thing>", "nothing"},
      });
}

TEST(NativeTypes, NamesOfTheRuntime) {
  EXPECT_EQ(native_types().tensor(), "structured::Tensor");
  EXPECT_EQ(native_types().meta_base(), "structured::MetaBase");
}

TEST(NativeTypes, Backends) {
  for (const char* name : {"CPU", "CUDA", "Meta", "QuantizedCPU", "SparseCPU", "PrivateUse1", "PrivateUse2",
                           "PrivateUse3", "CompositeExplicitAutograd", "CompositeImplicitAutograd"}) {
    EXPECT_TRUE(native_types().is_backend(name)) << name;
  }
  for (const char* name : {"", "cpu", "XLA", "Undefined", "PrivateUse4"}) {
    EXPECT_FALSE(native_types().is_backend(name)) << name;
  }
  EXPECT_EQ(native_types().backends().size(), 10u);
}

TEST(NativeTypes, CompositeBackends) {
  EXPECT_TRUE(is_composite_backend("CompositeImplicitAutograd"));
  EXPECT_TRUE(is_composite_backend("CompositeExplicitAutogradNonFunctional"));
  EXPECT_FALSE(is_composite_backend("CPU"));
}

}  // namespace
}  // namespace structured::gen
