// The type table of PyTorch's C++ library. Most types of `at` are aliases of types in `c10`. Canonical names are those
// of 1.13 and, in rows that come last, those of later versions, in which c10::optional and c10::string_view are aliases
// of standard types.
#include "dialect/type_tables.h"
#include "language/backends.h"

namespace structured::gen {

namespace {

constexpr TypeTable::Row aten_parameters[] = {
#define STRUCTURED_VALUE_TYPE(enumerator, schema, native, native_written, native_header, aten, aten_written, value) \
  {aten, schema, aten_written}, {"c10::optional<" aten ">", schema "?", "c10::optional<" aten_written ">"},
#include "structured/schema/types.def"

    {"const at::Tensor &", "Tensor", "const at::Tensor&"},
    {"const c10::optional<at::Tensor> &", "Tensor?", "const c10::optional<at::Tensor>&"},
    {"c10::optional<at::Tensor>", "Tensor?", "c10::optional<at::Tensor>"},
    {"at::OptionalTensorRef", "Tensor?", "at::OptionalTensorRef"},
    {"c10::ArrayRef<at::Tensor>", "Tensor[]", "at::TensorList"},
    {"const c10::IListRef<at::Tensor> &", "Tensor[]", "const at::ITensorListRef&"},
    {"const c10::List<c10::optional<at::Tensor>> &", "Tensor?[]", "const c10::List<c10::optional<at::Tensor>>&"},
    {"c10::IListRef<at::OptionalTensorRef>", "Tensor?[]", "at::IOptTensorListRef"},

    {"const c10::Scalar &", "Scalar", "const at::Scalar&"},
    {"const c10::optional<c10::Scalar> &", "Scalar?", "const c10::optional<at::Scalar>&"},
    {"c10::optional<c10::Scalar>", "Scalar?", "c10::optional<at::Scalar>"},
    {"c10::OptionalRef<c10::Scalar>", "Scalar?", "at::OptionalScalarRef"},

    {"c10::ArrayRef<long>", "int[]", "at::IntArrayRef"},
    {"c10::OptionalArrayRef<long>", "int[]?", "at::OptionalIntArrayRef"},
    {"c10::optional<c10::ArrayRef<long>>", "int[]?", "c10::optional<at::IntArrayRef>"},
    {"c10::optional<c10::ArrayRef<double>>", "float[]?", "c10::optional<at::ArrayRef<double>>"},
    {"c10::OptionalArrayRef<double>", "float[]?", "c10::OptionalArrayRef<double>"},
    {"const c10::List<bool> &", "bool[]", "const c10::List<bool>&"},
    // Boxed calls of PyTorch 2.15 free the strings of a list before a kernel that takes an ArrayRef reads them.
    {"const c10::List<std::basic_string<char>> &", "str[]", "const c10::List<std::string>&"},

    {"c10::SymInt", "SymInt", "c10::SymInt"},
    {"c10::optional<c10::SymInt>", "SymInt?", "c10::optional<c10::SymInt>"},
    {"c10::ArrayRef<c10::SymInt>", "SymInt[]", "c10::SymIntArrayRef"},
    {"c10::OptionalArrayRef<c10::SymInt>", "SymInt[]?", "at::OptionalSymIntArrayRef"},
    {"c10::optional<c10::ArrayRef<c10::SymInt>>", "SymInt[]?", "c10::optional<c10::SymIntArrayRef>"},

    {"c10::ArrayRef<at::Dimname>", "Dimname[]", "at::DimnameList"},
    {"const c10::optional<at::Generator> &", "Generator?", "const c10::optional<at::Generator>&"},

#define STRUCTURED_VALUE_TYPE(enumerator, schema, native, native_written, native_header, aten, aten_written, value) \
  {"std::optional<" aten ">", schema "?", "std::optional<" aten_written ">"},
#include "structured/schema/types.def"
    {"std::basic_string_view<char>", "str", "std::string_view"},
    {"std::optional<std::basic_string_view<char>>", "str?", "std::optional<std::string_view>"},
    {"const std::optional<at::Tensor> &", "Tensor?", "const std::optional<at::Tensor>&"},
    {"std::optional<at::Tensor>", "Tensor?", "std::optional<at::Tensor>"},
    {"const c10::List<std::optional<at::Tensor>> &", "Tensor?[]", "const c10::List<std::optional<at::Tensor>>&"},
    {"const std::optional<c10::Scalar> &", "Scalar?", "const std::optional<at::Scalar>&"},
    {"std::optional<c10::Scalar>", "Scalar?", "std::optional<at::Scalar>"},
    {"std::optional<c10::ArrayRef<long>>", "int[]?", "std::optional<at::IntArrayRef>"},
    {"std::optional<c10::ArrayRef<double>>", "float[]?", "std::optional<at::ArrayRef<double>>"},
    {"std::optional<c10::SymInt>", "SymInt?", "std::optional<c10::SymInt>"},
    {"std::optional<c10::ArrayRef<c10::SymInt>>", "SymInt[]?", "std::optional<c10::SymIntArrayRef>"},
    {"const std::optional<at::Generator> &", "Generator?", "const std::optional<at::Generator>&"},
    {"signed char", "DeviceIndex", "c10::DeviceIndex"},
    {"c10::SymBool", "SymBool", "c10::SymBool"},
};

constexpr TypeTable::Row aten_results[] = {
    {"at::Tensor", "Tensor", "at::Tensor"},
    {"long", "int", "int64_t"},
    {"bool", "bool", "bool"},
    {"double", "float", "double"},
    {"std::basic_string<char>", "str", "std::string"},
    {"c10::Scalar", "Scalar", "at::Scalar"},
    {"c10::ScalarType", "ScalarType", "at::ScalarType"},
    {"c10::QScheme", "QScheme", "at::QScheme"},
    {"c10::SymInt", "SymInt", "c10::SymInt"},
    {"c10::SymBool", "SymBool", "c10::SymBool"},
};

constexpr TypeTable::Template aten_optionals[] = {{"c10::optional", "c10::optional"},
                                                  {"std::optional", "std::optional"}};

TypeTable make_table(llvm::ArrayRef<llvm::StringRef> pointwise_backends,
                     llvm::ArrayRef<llvm::StringRef> listed_pointwise_backends, bool has_gradients) {
  return TypeTable({
      .tensor = "at::Tensor",
      .written_tensor = "at::Tensor",
      .meta_base = "at::impl::MetaBase",
      .parameters = aten_parameters,
      .results = aten_results,
      .optionals = aten_optionals,
      .list = {"c10::ArrayRef", "at::ArrayRef"},
      .backends = aten_backend_names(),
      .pointwise_backends = pointwise_backends,
      .listed_pointwise_backends = listed_pointwise_backends,
      .has_gradients = has_gradients,
      .has_torch_schemas = true,
  });
}

}  // namespace

const TypeTable& aten_types() {
  static const TypeTable table = make_table({}, {}, /*has_gradients=*/false);
  return table;
}

const TypeTable& torch_types() {
  static constexpr llvm::StringRef always[] = {"CPU"};
  static constexpr llvm::StringRef where_listed[] = {"CUDA"};
  static const TypeTable table = make_table(always, where_listed, /*has_gradients=*/true);
  return table;
}

}  // namespace structured::gen
