// C++ types in emitted code for libtorch: those that its dispatcher accepts as parameters of kernels.
#include "dialect/aten_cpp_types.h"

#include <cmath>
#include <iterator>
#include <utility>

#include "dialect/native_defaults.h"
#include "language/backends.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "structured/schema/default_value.h"

namespace structured::gen {
namespace {

struct AtenType {
  Type::Base base;
  llvm::StringLiteral type;  ///< canonical
};

constexpr AtenType aten_value_types[] = {
    {Type::Base::Tensor, "at::Tensor"},    {Type::Base::Scalar, "c10::Scalar"},           {Type::Base::SymInt, "long"},
    {Type::Base::SymBool, "c10::SymBool"}, {Type::Base::DeviceIndex, "c10::DeviceIndex"},
#define STRUCTURED_VALUE_TYPE(enumerator, schema, native, native_written, native_header, aten, aten_written, value) \
  {Type::Base::enumerator, aten},
#include "structured/schema/types.def"
};

// Types with other names in the canonical types of libtorch, or in emitted code. The dispatcher accepts a kernel with
// integers for a schema with symbolic integers.
constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> aten_type_names[] = {
    {"::c10::optional<", "std::optional<"},
    {"::c10::basic_string_view<char>", "std::basic_string_view<char>"},
    {"::c10::string_view", "std::basic_string_view<char>"},
    {"std::string", "std::basic_string<char>"},
    {"::c10::SymInt", "long"},
    {"int64_t", "long"},
    {"::at::IntArrayRef", "::c10::ArrayRef<long>"},
    {"::at::OptionalIntArrayRef", "::c10::OptionalArrayRef<long>"},
    {"::at::TensorList", "::c10::ArrayRef<::at::Tensor>"},
    {"::at::DimnameList", "::c10::ArrayRef<::at::Dimname>"},
};

bool is_aten_integer(Type::Base base) { return base == Type::Base::Int || base == Type::Base::SymInt; }

std::string aten_spelled(Type::Base base) {
  if (is_aten_integer(base)) return "int64_t";
  if (base == Type::Base::Str) return "::c10::string_view";
  const auto* found = llvm::find_if(aten_value_types, [base](const AtenType& s) { return s.base == base; });
  if (found == std::end(aten_value_types)) return std::string(to_string(base));
  return found->type.contains("::") ? ("::" + found->type).str() : found->type.str();
}

// Returns the type of an argument, without a reference.
std::string aten_argument_value(const Type& type) {
  if (type.wrappers.empty()) return aten_spelled(type.base);
  Type inner = type;
  const Type::Wrapper outer = inner.wrappers.back();
  inner.wrappers.pop_back();
  if (outer.kind == Type::Wrapper::Kind::optional) {
    const bool is_int_list = inner.is_list() && inner.wrappers.size() == 1 && is_aten_integer(inner.base);
    return is_int_list ? "::at::OptionalIntArrayRef" : "::c10::optional<" + aten_argument_value(inner) + ">";
  }
  if (inner.wrappers.empty()) {
    if (is_aten_integer(inner.base)) return "::at::IntArrayRef";
    if (inner.base == Type::Base::Tensor) return "::at::TensorList";
    if (inner.base == Type::Base::Dimname) return "::at::DimnameList";
    // std::vector<bool>, to which the dispatcher would convert a list, has no elements to refer to.
    if (inner.base == Type::Base::Bool && !outer.size) return "::c10::List<bool>";
    if (inner.base == Type::Base::Str) return "::c10::List<std::string>";
    if (inner.base == Type::Base::Bool) return "std::array<bool, " + std::to_string(*outer.size) + ">";
  }
  if (inner.base == Type::Base::Tensor && inner.is_optional()) return "::c10::List<::c10::optional<::at::Tensor>>";
  return "::c10::ArrayRef<" + aten_argument_value(inner) + ">";
}

// Returns nullopt for infinities, for which PyTorch's schemas have no words.
std::optional<CppDefault> aten_default(const schema::DefaultValue& value) {
  using Value = schema::DefaultValue;
  if (const auto* named = value.as<Value::Enumerator>()) {
    return CppDefault{"::at::" + std::string(named->enumeration) + "::" + std::string(named->name), ""};
  }
  if (const auto* truth = value.as<bool>()) return CppDefault{*truth ? "true" : "false", ""};
  if (value.as<std::string>()) return CppDefault{cpp_string(value), ""};
  if (value.as<Value::None>()) return CppDefault{"{}", "", CppDefault::Form::none};
  if (const auto* number = value.as<double>(); number && !std::isfinite(*number)) return std::nullopt;
  const auto* elements = value.as<Value::List>();
  if (!elements) return native_default(value);
  std::string list;
  for (const Value& element : *elements) {
    const std::optional<CppDefault> spelled = aten_default(element);
    if (!spelled) return std::nullopt;
    // Bare braces around bare braces could initialize a list from another one.
    const bool is_none = spelled->form == CppDefault::Form::none;
    list.append(list.empty() ? "" : ", ").append(is_none ? "::c10::nullopt" : spelled->expression);
  }
  return CppDefault{"{" + list + "}", "", CppDefault::Form::braces};
}

class AtenSpelling final : public CppTypes {
 public:
  WrapperTraits wrapper_traits() const override {
    // Kernels of the key ADInplaceOrView bump versions, and wrappers of CPU kernels need no device check, since a call
    // with tensors on a device dispatches to the device's kernel.
    return {.has_tables = false,
            .bumps_versions = false,
            .checks_on_hosts = false,
            .has_public_functions = false,
            .has_own_autograd = false,
            .has_python_modules = false,
            .has_abstract_bases = true,
            .names_wrappers = true,
            .tensor = "at::Tensor",
            .iterator = "at::TensorIteratorBase",
            .iterator_header = "ATen/TensorIterator.h"};
  }

  std::string argument(const Type& type, bool is_mutable) const override {
    std::string value = aten_argument_value(type);
    const bool is_class = type.base == Type::Base::Tensor || type.base == Type::Base::Scalar;
    if ((!is_class || schema::contains_list(type)) && !llvm::StringRef(value).starts_with("::c10::List")) return value;
    return is_mutable && type.is(Type::Base::Tensor) ? value + "&" : "const " + value + "&";
  }

  std::optional<std::string> symbolic(const Type& type) const override {
    if (type.base != Type::Base::SymInt) return std::nullopt;
    const std::string symbol = "::c10::SymInt";
    const bool is_list = schema::contains_list(type);
    if (type.is_optional()) return (is_list ? "::c10::OptionalArrayRef<" : "::c10::optional<") + symbol + ">";
    return is_list ? "::c10::ArrayRef<" + symbol + ">" : symbol;
  }

  std::string result(const Type& type, bool is_mutable) const override {
    std::string value = type.base == Type::Base::SymInt ? "::c10::SymInt"
                        : type.base == Type::Base::Str  ? "std::string"
                                                        : aten_spelled(type.base);
    for (const Type::Wrapper& wrapper : type.wrappers) {
      const llvm::StringRef wrapped =
          wrapper.kind == Type::Wrapper::Kind::optional ? "::c10::optional<" : "std::vector<";
      value = (wrapped + value + ">").str();
    }
    return is_mutable && type.is(Type::Base::Tensor) ? value + "&" : value;
  }

  std::string canonical(std::string type) const override {
    for (const auto& [name, meaning] : aten_type_names) {
      for (std::size_t at = 0; (at = type.find(name, at)) != std::string::npos; at += meaning.size()) {
        type.replace(at, name.size(), meaning);
      }
    }
    return type;
  }

  std::string recognised(std::string type) const override {
    const bool is_list = llvm::StringRef(type).ends_with("optional<::c10::ArrayRef<::c10::SymInt>>");
    return is_list ? "::c10::OptionalArrayRef<::c10::SymInt>" : type;
  }

  // For optional lists of integers, the dispatcher passes c10::OptionalArrayRef, which converts to no optional. It
  // passes c10::IListRef to libtorch's own operators.
  AuthorType author_type(llvm::StringRef type) const override {
    AuthorType result = CppTypes::author_type(type);
    result.is_symbolic = type.contains("c10::SymInt");
    result.is_dispatched_list = type.contains("IListRef<::at::Tensor>");
    const bool is_optional = type.consume_front("std::") || type.consume_front("::c10::");
    result.is_optional_reference =
        type == "::at::OptionalTensorRef" ||
        (is_optional && (type.starts_with("OptionalRef<") || type == "optional<::c10::ArrayRef<long>>" ||
                         type == "optional<::c10::ArrayRef<::c10::SymInt>>"));
    return result;
  }

  std::string value(const Type& type) const override { return aten_argument_value(type); }

  std::optional<CppDefault> default_value(const Type& type, llvm::StringRef schema_default) const override {
    std::optional<schema::DefaultValue> value = schema::parse_default(type, schema_default);
    if (!value) return std::nullopt;
    if (!converts_from_element(type) || type.base == Type::Base::SymInt) {
      value = with_all_elements(type, *std::move(value));
    }
    std::optional<CppDefault> spelled = aten_default(*value);
    if (spelled && spelled->form == CppDefault::Form::braces) spelled->expression.insert(0, list_type(type));
    return spelled;
  }

  void add_headers(const Type&, std::set<std::string>& headers) const override {
    headers.insert("<structured/torch.h>");
  }

  std::optional<CppBackend> backend(llvm::StringRef name) const override {
    if (!llvm::is_contained(aten_backend_names(), name)) return std::nullopt;
    std::string lower;  // `QuantizedCPU` -> `quantized_cpu`
    for (std::size_t i = 0; i < name.size(); ++i) {
      const bool begins_word = i > 0 && llvm::isUpper(name[i]) && !llvm::isUpper(name[i - 1]);
      if (begins_word) lower += '_';
      lower += llvm::toLower(name[i]);
    }
    return CppBackend{("::c10::DispatchKey::" + name).str(), std::move(lower), has_devices(name), name != "Meta"};
  }

 private:
  // Returns the type that a list in braces needs before it: bare braces could initialize an optional without a value,
  // and c10::List has explicit constructors. Returns "" for types that braces initialize.
  static std::string list_type(const Type& type) {
    const Type list = type.is_optional() ? unwrapped(type) : type;
    if (list.base == Type::Base::SymInt && type.is_optional()) return "::c10::ArrayRef<::c10::SymInt>";
    std::string value = aten_argument_value(list);
    return type.is_optional() || llvm::StringRef(value).starts_with("::c10::List") ? value : "";
  }

  // Keys of functionality, such as AutogradCPU, name no backend.
  static bool has_devices(llvm::StringRef key) {
    static constexpr llvm::StringLiteral devices[] = {
        "CUDA", "HIP", "XLA", "MPS", "IPU", "XPU", "HPU", "VE", "Lazy", "PrivateUse1", "PrivateUse2", "PrivateUse3"};
    return !key.starts_with("Autograd") &&
           llvm::any_of(devices, [key](llvm::StringRef device) { return key.ends_with(device); });
  }
};

}  // namespace

const CppTypes& aten_cpp_types() {
  static const AtenSpelling spelling;
  return spelling;
}

}  // namespace structured::gen
