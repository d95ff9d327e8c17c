// The type table of the native runtime.
#include "dialect/type_tables.h"
#include "language/backends.h"

namespace structured::gen {

namespace {

constexpr TypeTable::Row native_parameters[] = {
#define STRUCTURED_VALUE_TYPE(enumerator, schema, native, native_written, native_header, aten, aten_written, value) \
  {native, schema, native_written}, {"std::optional<" native ">", schema "?", "std::optional<" native_written ">"},
#include "structured/schema/types.def"

    {"const structured::Tensor &", "Tensor", "const Tensor&"},
    {"const std::optional<structured::Tensor> &", "Tensor?", "const std::optional<Tensor>&"},
    {"std::optional<structured::Tensor>", "Tensor?", "std::optional<Tensor>"},
    {"structured::ArrayRef<structured::Tensor>", "Tensor[]", "TensorList"},

    {"const structured::Scalar &", "Scalar", "const Scalar&"},
    {"const std::optional<structured::Scalar> &", "Scalar?", "const std::optional<Scalar>&"},
    {"std::optional<structured::Scalar>", "Scalar?", "std::optional<Scalar>"},

    {"structured::ArrayRef<long>", "int[]", "IntArrayRef"},
    {"structured::OptionalIntArrayRef", "int[]?", "OptionalIntArrayRef"},
    {"structured::ArrayRef<structured::Dimname>", "Dimname[]", "DimnameList"},
    {"const std::optional<structured::Generator> &", "Generator?", "const std::optional<Generator>&"},
};

constexpr TypeTable::Row native_results[] = {
    {"structured::Tensor", "Tensor", "Tensor"},
    {"long", "int", "int64_t"},
    {"bool", "bool", "bool"},
    {"double", "float", "double"},
    {"std::basic_string<char>", "str", "std::string"},
    {"structured::Scalar", "Scalar", "Scalar"},
    {"structured::ScalarType", "ScalarType", "ScalarType"},
    {"structured::QScheme", "QScheme", "QScheme"},
};

constexpr TypeTable::Template native_optionals[] = {{"std::optional", "std::optional"}};

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
      .optionals = native_optionals,
      .list = {"structured::ArrayRef", "ArrayRef"},
      .backends = native_backend_names(),
      .has_refined_tensors = true,
      .pointwise_backends = pointwise_backends,
      .listed_pointwise_backends = listed_pointwise_backends,
      .has_gradients = true,
      .has_list_gradients = false,
  });
  return table;
}

}  // namespace structured::gen
