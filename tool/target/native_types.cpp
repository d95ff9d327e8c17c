// The type table of the native runtime.
#include "language/backends.h"
#include "target/type_tables.h"

namespace structured::gen {

namespace {

constexpr TypeTable::Row native_parameters[] = {
#define STRUCTURED_VALUE_TYPE(enumerator, schema, native, native_written, native_header, aten, aten_written, value) \
  {native, schema, native_written}, {"std::optional<" native ">", schema "?", "std::optional<" native_written ">"},
#include "language/types.def"

    {"const structured::Tensor &", "Tensor", "const Tensor&"},
    {"const std::optional<structured::Tensor> &", "Tensor?", "const std::optional<Tensor>&"},
    {"std::optional<structured::Tensor>", "Tensor?", "std::optional<Tensor>"},
    {"structured::ArrayRef<structured::Tensor>", "Tensor[]", "TensorList"},
    {"structured::ArrayRef<std::optional<structured::Tensor>>", "Tensor?[]", "ArrayRef<std::optional<Tensor>>"},

    {"const structured::Scalar &", "Scalar", "const Scalar&"},
    {"const std::optional<structured::Scalar> &", "Scalar?", "const std::optional<Scalar>&"},
    {"std::optional<structured::Scalar>", "Scalar?", "std::optional<Scalar>"},
    {"structured::ArrayRef<structured::Scalar>", "Scalar[]", "ArrayRef<Scalar>"},

    {"structured::ArrayRef<long>", "int[]", "IntArrayRef"},
    {"structured::OptionalIntArrayRef", "int[]?", "OptionalIntArrayRef"},
    {"structured::ArrayRef<double>", "float[]", "ArrayRef<double>"},
    {"std::optional<structured::ArrayRef<double>>", "float[]?", "std::optional<ArrayRef<double>>"},
    {"structured::ArrayRef<std::basic_string_view<char>>", "str[]", "ArrayRef<std::string_view>"},

    {"structured::ArrayRef<structured::Dimname>", "Dimname[]", "DimnameList"},
    {"const std::optional<structured::Generator> &", "Generator?", "const std::optional<Generator>&"},
    {"std::optional<structured::ArrayRef<structured::Dimname>>", "Dimname[]?", "std::optional<DimnameList>"},
};

constexpr TypeTable::Row native_results[] = {
    {"structured::Tensor", "Tensor", "Tensor"},
    {"std::vector<structured::Tensor>", "Tensor[]", "std::vector<Tensor>"},
    {"long", "int", "int64_t"},
    {"std::vector<long>", "int[]", "std::vector<int64_t>"},
    {"bool", "bool", "bool"},
    {"double", "float", "double"},
    {"structured::Scalar", "Scalar", "Scalar"},
    {"structured::ScalarType", "ScalarType", "ScalarType"},
    {"structured::QScheme", "QScheme", "QScheme"},
};

constexpr llvm::StringRef pointwise_backends[] = {"CPU"};
constexpr llvm::StringRef listed_pointwise_backends[] = {"CUDA"};

}  // namespace

const TypeTable& native_types() {
  static const TypeTable table({
      .tensor = "structured::Tensor",
      .written_tensor = "Tensor",
      .meta_base = "structured::MetaBase",
      .parameters = native_parameters,
      .results = native_results,
      .backends = native_backend_names(),
      .has_refined_tensors = true,
      .pointwise_backends = pointwise_backends,
      .listed_pointwise_backends = listed_pointwise_backends,
      .has_gradients = true,
  });
  return table;
}

}  // namespace structured::gen
