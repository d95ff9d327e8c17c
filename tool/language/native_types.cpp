// The type table of our own runtime.
#include "language/type_tables.h"

namespace structured::gen {

namespace {

constexpr TypeTable::Row parameters[] = {
    {"const structured::Tensor &", "Tensor", "const Tensor&"},
    {"const std::optional<structured::Tensor> &", "Tensor?", "const std::optional<Tensor>&"},
    {"std::optional<structured::Tensor>", "Tensor?", "std::optional<Tensor>"},
    {"structured::ArrayRef<structured::Tensor>", "Tensor[]", "TensorList"},
    {"structured::ArrayRef<std::optional<structured::Tensor>>", "Tensor?[]", "ArrayRef<std::optional<Tensor>>"},

    {"const structured::Scalar &", "Scalar", "const Scalar&"},
    {"const std::optional<structured::Scalar> &", "Scalar?", "const std::optional<Scalar>&"},
    {"std::optional<structured::Scalar>", "Scalar?", "std::optional<Scalar>"},
    {"structured::ArrayRef<structured::Scalar>", "Scalar[]", "ArrayRef<Scalar>"},

    {"long", "int", "int64_t"},
    {"double", "float", "double"},
    {"bool", "bool", "bool"},
    {"std::basic_string_view<char>", "str", "std::string_view"},
    {"std::optional<long>", "int?", "std::optional<int64_t>"},
    {"std::optional<double>", "float?", "std::optional<double>"},
    {"std::optional<bool>", "bool?", "std::optional<bool>"},
    {"std::optional<std::basic_string_view<char>>", "str?", "std::optional<std::string_view>"},

    {"structured::ArrayRef<long>", "int[]", "IntArrayRef"},
    {"structured::OptionalIntArrayRef", "int[]?", "OptionalIntArrayRef"},
    {"structured::ArrayRef<double>", "float[]", "ArrayRef<double>"},
    {"std::optional<structured::ArrayRef<double>>", "float[]?", "std::optional<ArrayRef<double>>"},
    {"structured::ArrayRef<std::basic_string_view<char>>", "str[]", "ArrayRef<std::string_view>"},

    {"structured::ScalarType", "ScalarType", "ScalarType"},
    {"structured::Layout", "Layout", "Layout"},
    {"structured::Device", "Device", "Device"},
    {"structured::MemoryFormat", "MemoryFormat", "MemoryFormat"},
    {"structured::Generator", "Generator", "Generator"},
    {"structured::Storage", "Storage", "Storage"},
    {"structured::Stream", "Stream", "Stream"},
    {"structured::QScheme", "QScheme", "QScheme"},
    {"structured::Dimname", "Dimname", "Dimname"},
    {"structured::ArrayRef<structured::Dimname>", "Dimname[]", "DimnameList"},
    {"std::optional<structured::ScalarType>", "ScalarType?", "std::optional<ScalarType>"},
    {"std::optional<structured::Layout>", "Layout?", "std::optional<Layout>"},
    {"std::optional<structured::Device>", "Device?", "std::optional<Device>"},
    {"std::optional<structured::MemoryFormat>", "MemoryFormat?", "std::optional<MemoryFormat>"},
    {"std::optional<structured::Generator>", "Generator?", "std::optional<Generator>"},
    {"const std::optional<structured::Generator> &", "Generator?", "const std::optional<Generator>&"},
    {"std::optional<structured::Storage>", "Storage?", "std::optional<Storage>"},
    {"std::optional<structured::Stream>", "Stream?", "std::optional<Stream>"},
    {"std::optional<structured::QScheme>", "QScheme?", "std::optional<QScheme>"},
    {"std::optional<structured::Dimname>", "Dimname?", "std::optional<Dimname>"},
    {"std::optional<structured::ArrayRef<structured::Dimname>>", "Dimname[]?", "std::optional<DimnameList>"},
};

constexpr TypeTable::Row results[] = {
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

constexpr llvm::StringRef backends[] = {
    "CPU",
    "CUDA",
    "Meta",
    "QuantizedCPU",
    "SparseCPU",
    "PrivateUse1",
    "PrivateUse2",
    "PrivateUse3",
    "CompositeExplicitAutograd",
    "CompositeImplicitAutograd",
};

}  // namespace

const TypeTable& native_types() {
  static const TypeTable table({
      .tensor = "structured::Tensor",
      .written_tensor = "Tensor",
      .meta_base = "structured::MetaBase",
      .parameters = parameters,
      .results = results,
      .backends = backends,
  });
  return table;
}

}  // namespace structured::gen
