// The type table of PyTorch's stable ABI, and C++ types in emitted code for it. Kernels are boxed by the headers of the
// stable ABI, which convert values and standard containers.
#include "dialect/torch_stable_types.h"

#include <iterator>
#include <utility>

#include "dialect/aten_cpp_types.h"
#include "dialect/type_tables.h"
#include "language/backends.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

constexpr TypeTable::Row parameters[] = {
    {"const torch::stable::Tensor &", "Tensor", "const torch::stable::Tensor&"},
    {"const std::optional<torch::stable::Tensor> &", "Tensor?", "const std::optional<torch::stable::Tensor>&"},
    {"long", "int", "int64_t"},
    {"std::optional<long>", "int?", "std::optional<int64_t>"},
    {"double", "float", "double"},
    {"std::optional<double>", "float?", "std::optional<double>"},
    {"bool", "bool", "bool"},
    {"std::optional<bool>", "bool?", "std::optional<bool>"},
    {"const std::basic_string<char> &", "str", "const std::string&"},
    {"const std::optional<std::basic_string<char>> &", "str?", "const std::optional<std::string>&"},
    {"c10::ScalarType", "ScalarType", "torch::headeronly::ScalarType"},
    {"std::optional<c10::ScalarType>", "ScalarType?", "std::optional<torch::headeronly::ScalarType>"},
    {"c10::Layout", "Layout", "torch::headeronly::Layout"},
    {"std::optional<c10::Layout>", "Layout?", "std::optional<torch::headeronly::Layout>"},
    {"c10::MemoryFormat", "MemoryFormat", "torch::headeronly::MemoryFormat"},
    {"std::optional<c10::MemoryFormat>", "MemoryFormat?", "std::optional<torch::headeronly::MemoryFormat>"},
    {"torch::stable::Device", "Device", "torch::stable::Device"},
    {"std::optional<torch::stable::Device>", "Device?", "std::optional<torch::stable::Device>"},
};

constexpr TypeTable::Row results[] = {
    {"torch::stable::Tensor", "Tensor", "torch::stable::Tensor"},
    {"long", "int", "int64_t"},
    {"double", "float", "double"},
    {"bool", "bool", "bool"},
    {"std::basic_string<char>", "str", "std::string"},
};

constexpr TypeTable::Advice stable_advice[] = {
    {"at::Tensor", "`torch::stable::Tensor`"},
    {"c10::Scalar", "`double`, or overloads for `int64_t` and `double`"},
    {"c10::SymInt", "`int64_t`"},
    {"c10::SymBool", "`bool`"},
    {"c10::complex", "two parameters of type `double`"},
    {"at::Generator", "an `int64_t` seed"},
    {"c10::Device", "`torch::stable::Device`"},
    {"c10::Storage", "a tensor"},
    {"c10::Stream", "no parameter: the kernel can ask for the current stream"},
    {"c10::ArrayRef", "a `const std::vector<...>&`"},
    {"c10::OptionalArrayRef", "a `const std::optional<std::vector<...>>&`"},
    {"c10::List", "a `const std::vector<...>&`"},
};

constexpr llvm::StringRef stable_pointwise_backends[] = {"CPU"};

constexpr TypeTable::Template stable_optionals[] = {{"std::optional", "std::optional"}};

std::string value_of(Type::Base base) {
  switch (base) {
    case Type::Base::Tensor:
      return "::torch::stable::Tensor";
    case Type::Base::Int:
      return "int64_t";
    case Type::Base::Float:
      return "double";
    case Type::Base::Str:
      return "std::string";
    case Type::Base::ScalarType:
      return "::c10::ScalarType";
    case Type::Base::Layout:
      return "::c10::Layout";
    case Type::Base::MemoryFormat:
      return "::c10::MemoryFormat";
    case Type::Base::Device:
      return "::torch::stable::Device";
    default:  // the type table has no others
      return "bool";
  }
}

std::string value_of(const Type& type) {
  std::string value = value_of(type.base);
  for (const Type::Wrapper& wrapper : type.wrappers) {
    const bool is_optional = wrapper.kind == Type::Wrapper::Kind::optional;
    value = (is_optional ? "std::optional<" : "std::vector<") + value + ">";
  }
  return value;
}

bool is_passed_by_reference(const Type& type) {
  return type.base == Type::Base::Tensor || type.base == Type::Base::Str ||
         llvm::any_of(type.wrappers,
                      [](const Type::Wrapper& wrapper) { return wrapper.kind != Type::Wrapper::Kind::optional; });
}

class StableTypes final : public CppTypes {
 public:
  WrapperTraits wrapper_traits() const override {
    WrapperTraits traits = aten_cpp_types().wrapper_traits();
    traits.tensor = "torch::stable::Tensor";
    traits.iterator = "structured::torch_stable::ElementwiseIterator";
    traits.iterator_header = "structured/torch_stable/iterator.h";
    return traits;
  }

  std::string argument(const Type& type, bool is_mutable) const override {
    const std::string value = value_of(type);
    if (is_mutable && type.is(Type::Base::Tensor)) return value + "&";
    return is_passed_by_reference(type) ? "const " + value + "&" : value;
  }

  std::string value(const Type& type) const override { return value_of(type); }

  // Boxed kernels return values.
  std::string result(const Type& type, bool) const override { return value_of(type); }

  std::string canonical(std::string type) const override {
    static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> names[] = {
        {"int64_t", "long"}, {"std::string", "std::basic_string<char>"}};
    for (const auto& [name, meaning] : names) {
      for (std::size_t at = 0; (at = type.find(name, at)) != std::string::npos; at += meaning.size()) {
        type.replace(at, name.size(), meaning);
      }
    }
    return type;
  }

  std::optional<CppDefault> default_value(const Type&, llvm::StringRef) const override { return std::nullopt; }

  void add_headers(const Type&, std::set<std::string>& headers) const override {
    headers.insert("<structured/torch_stable.h>");
  }

  std::optional<CppBackend> backend(llvm::StringRef name) const override {
    std::optional<CppBackend> backend = aten_cpp_types().backend(name);
    if (backend) backend->enumerator = name.str();
    return backend;
  }
};

}  // namespace

const TypeTable& torch_stable_types() {
  static const TypeTable table({
      .tensor = "torch::stable::Tensor",
      .written_tensor = "torch::stable::Tensor",
      .meta_base = "structured::torch_stable::MetaBase",
      .parameters = parameters,
      .results = results,
      .optionals = stable_optionals,
      .list = {"std::vector", "std::vector"},
      .has_composed_references = true,
      .backends = aten_backend_names(),
      .pointwise_backends = stable_pointwise_backends,
      .has_gradients = true,
      .has_torch_schemas = true,
      .has_bool_arrays = false,
      .scalar = Type::Base::Float,
      .advice = stable_advice,
  });
  return table;
}

const CppTypes& torch_stable_cpp_types() {
  static const StableTypes types;
  return types;
}

}  // namespace structured::gen
