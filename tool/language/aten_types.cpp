// The type table of PyTorch's C++ library. Canonical names are those of 1.13: most of what `at` offers is an alias
// of something in `c10`.
#include "language/type_tables.h"

namespace structured::gen {

namespace {

constexpr TypeTable::Row parameters[] = {
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
    {"c10::ArrayRef<c10::Scalar>", "Scalar[]", "at::ArrayRef<at::Scalar>"},

    {"long", "int", "int64_t"},
    {"double", "float", "double"},
    {"bool", "bool", "bool"},
    {"c10::basic_string_view<char>", "str", "c10::string_view"},
    {"c10::optional<long>", "int?", "c10::optional<int64_t>"},
    {"c10::optional<double>", "float?", "c10::optional<double>"},
    {"c10::optional<bool>", "bool?", "c10::optional<bool>"},
    {"c10::optional<c10::basic_string_view<char>>", "str?", "c10::optional<c10::string_view>"},

    {"c10::ArrayRef<long>", "int[]", "at::IntArrayRef"},
    {"c10::OptionalArrayRef<long>", "int[]?", "at::OptionalIntArrayRef"},
    {"c10::optional<c10::ArrayRef<long>>", "int[]?", "c10::optional<at::IntArrayRef>"},
    {"c10::ArrayRef<double>", "float[]", "at::ArrayRef<double>"},
    {"c10::optional<c10::ArrayRef<double>>", "float[]?", "c10::optional<at::ArrayRef<double>>"},
    {"c10::OptionalArrayRef<double>", "float[]?", "c10::OptionalArrayRef<double>"},
    {"c10::ArrayRef<c10::basic_string_view<char>>", "str[]", "at::ArrayRef<c10::string_view>"},

    {"c10::SymInt", "SymInt", "c10::SymInt"},
    {"c10::optional<c10::SymInt>", "SymInt?", "c10::optional<c10::SymInt>"},
    {"c10::ArrayRef<c10::SymInt>", "SymInt[]", "c10::SymIntArrayRef"},
    {"c10::OptionalArrayRef<c10::SymInt>", "SymInt[]?", "at::OptionalSymIntArrayRef"},
    {"c10::optional<c10::ArrayRef<c10::SymInt>>", "SymInt[]?", "c10::optional<c10::SymIntArrayRef>"},

    {"c10::ScalarType", "ScalarType", "at::ScalarType"},
    {"c10::Layout", "Layout", "at::Layout"},
    {"c10::Device", "Device", "at::Device"},
    {"c10::MemoryFormat", "MemoryFormat", "at::MemoryFormat"},
    {"at::Generator", "Generator", "at::Generator"},
    {"c10::Storage", "Storage", "at::Storage"},
    {"c10::Stream", "Stream", "at::Stream"},
    {"c10::QScheme", "QScheme", "at::QScheme"},
    {"at::Dimname", "Dimname", "at::Dimname"},
    {"c10::ArrayRef<at::Dimname>", "Dimname[]", "at::DimnameList"},
    {"c10::optional<c10::ScalarType>", "ScalarType?", "c10::optional<at::ScalarType>"},
    {"c10::optional<c10::Layout>", "Layout?", "c10::optional<at::Layout>"},
    {"c10::optional<c10::Device>", "Device?", "c10::optional<at::Device>"},
    {"c10::optional<c10::MemoryFormat>", "MemoryFormat?", "c10::optional<at::MemoryFormat>"},
    {"c10::optional<at::Generator>", "Generator?", "c10::optional<at::Generator>"},
    {"const c10::optional<at::Generator> &", "Generator?", "const c10::optional<at::Generator>&"},
    {"c10::optional<c10::Storage>", "Storage?", "c10::optional<at::Storage>"},
    {"c10::optional<c10::Stream>", "Stream?", "c10::optional<at::Stream>"},
    {"c10::optional<c10::QScheme>", "QScheme?", "c10::optional<at::QScheme>"},
    {"c10::optional<at::Dimname>", "Dimname?", "c10::optional<at::Dimname>"},
    {"c10::optional<c10::ArrayRef<at::Dimname>>", "Dimname[]?", "c10::optional<at::DimnameList>"},
};

constexpr TypeTable::Row results[] = {
    {"at::Tensor", "Tensor", "at::Tensor"},
    {"std::vector<at::Tensor>", "Tensor[]", "std::vector<at::Tensor>"},
    {"long", "int", "int64_t"},
    {"std::vector<long>", "int[]", "std::vector<int64_t>"},
    {"bool", "bool", "bool"},
    {"double", "float", "double"},
    {"c10::Scalar", "Scalar", "at::Scalar"},
    {"c10::ScalarType", "ScalarType", "at::ScalarType"},
    {"c10::QScheme", "QScheme", "at::QScheme"},
};

#define FOR_EACH_DEVICE(prefix)                                                                                    \
  prefix "CPU", prefix "CUDA", prefix "HIP", prefix "XLA", prefix "MPS", prefix "IPU", prefix "XPU", prefix "HPU", \
      prefix "VE", prefix "Lazy", prefix "Meta", prefix "PrivateUse1", prefix "PrivateUse2", prefix "PrivateUse3"

// The dispatch keys that torchgen knows, in its order.
constexpr llvm::StringRef backends[] = {
    "Undefined",
    "CatchAll",
    "FPGA",
    "ORT",
    "Vulkan",
    "Metal",
    "MKLDNN",
    "OpenGL",
    "OpenCL",
    "IDEEP",
    "CustomRNGKeyId",
    "MkldnnCPU",
    "Sparse",
    "SparseCsrCPU",
    "SparseCsrCUDA",
    "Python",
    "ZeroTensor",
    "BackendSelect",
    "Named",
    "AutogradOther",
    "AutogradFunctionality",
    "AutogradNestedTensor",
    "Tracer",
    "Autocast",
    "Batched",
    "VmapMode",
    "TESTING_ONLY_GenericWrapper",
    "TESTING_ONLY_GenericMode",
    "Autograd",
    "CompositeImplicitAutograd",
    "CompositeImplicitAutogradNestedTensor",
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
    FOR_EACH_DEVICE(""),
    FOR_EACH_DEVICE("Quantized"),
    FOR_EACH_DEVICE("Sparse"),
    FOR_EACH_DEVICE("NestedTensor"),
    FOR_EACH_DEVICE("Autograd"),
};
#undef FOR_EACH_DEVICE

}  // namespace

const TypeTable& aten_types() {
  static const TypeTable table({
      .tensor = "at::Tensor",
      .written_tensor = "at::Tensor",
      .meta_base = "at::impl::MetaBase",
      .parameters = parameters,
      .results = results,
      .backends = backends,
  });
  return table;
}

}  // namespace structured::gen
