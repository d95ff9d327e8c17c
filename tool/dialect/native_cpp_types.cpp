// C++ types in emitted code for the native runtime.
#include <cassert>
#include <iterator>
#include <utility>

#include "dialect/native_cpp_types.h"
#include "dialect/native_defaults.h"
#include "language/backends.h"
#include "llvm/ADT/STLExtras.h"

namespace structured::gen {
namespace {

struct Spelling {
  Type::Base base;
  llvm::StringLiteral value;   ///< canonical, as a value, an element or a result: `structured::Device`, `long`
  llvm::StringLiteral header;  ///< empty for types of the language
};

constexpr llvm::StringLiteral array_ref_header = "<structured/core/array_ref.h>";

constexpr Spelling spellings[] = {
#define STRUCTURED_VALUE_TYPE(enumerator, schema, native, native_written, native_header, aten, aten_written, value) \
  {Type::Base::enumerator, native, native_header},
#define STRUCTURED_BASE_TYPE(enumerator, schema, native, native_header, value) \
  {Type::Base::enumerator, native, native_header},
#include "structured/schema/types.def"
};

// Shorter names of canonical types in emitted code.
constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> type_names[] = {
    {"int64_t", "long"},
    {"std::string_view", "std::basic_string_view<char>"},
    {"std::string", "std::basic_string<char>"},
    {"::structured::IntArrayRef", "::structured::ArrayRef<long>"},
    {"::structured::TensorList", "::structured::ArrayRef<::structured::Tensor>"},
    {"::structured::DimnameList", "::structured::ArrayRef<::structured::Dimname>"},
};

const Spelling& spelling(Type::Base base) {
  const auto* found = llvm::find_if(spellings, [base](const Spelling& s) { return s.base == base; });
  assert(found != std::end(spellings) && "a type that the native type table does not have");
  return *found;
}

bool is_integer(Type::Base base) { return base == Type::Base::Int || base == Type::Base::SymInt; }

// Returns the type as emitted code spells it: `::structured::Device`, `int64_t`.
std::string spelled(Type::Base base) {
  const llvm::StringRef canonical = spelling(base).value;
  for (const auto& [name, meaning] : type_names) {
    if (canonical == meaning) return name.str();
  }
  return canonical.starts_with("structured::") ? ("::" + canonical).str() : canonical.str();
}

// Returns the type of an argument, without a reference.
std::string argument_value(const Type& type) {
  if (type.wrappers.empty()) {
    return spelled(type.base);
  }
  Type inner = type;
  const Type::Wrapper outer = inner.wrappers.back();
  inner.wrappers.pop_back();
  if (outer.kind == Type::Wrapper::Kind::optional) {
    const bool is_int_list = inner.is_list() && inner.wrappers.size() == 1 && is_integer(inner.base);
    return is_int_list ? "::structured::OptionalIntArrayRef" : "std::optional<" + argument_value(inner) + ">";
  }
  if (inner.wrappers.empty()) {
    if (is_integer(inner.base)) {
      return "::structured::IntArrayRef";
    }
    if (inner.base == Type::Base::Tensor) {
      return "::structured::TensorList";
    }
    if (inner.base == Type::Base::Dimname) {
      return "::structured::DimnameList";
    }
    if (inner.base == Type::Base::Bool && outer.size) {
      return "std::array<bool, " + std::to_string(*outer.size) + ">";
    }
  }
  return "::structured::ArrayRef<" + argument_value(inner) + ">";
}

class NativeSpelling final : public CppTypes {
 public:
  std::string argument(const Type& type, bool is_mutable) const override {
    const std::string value = argument_value(type);
    const bool is_list = llvm::any_of(
        type.wrappers, [](const Type::Wrapper& wrapper) { return wrapper.kind == Type::Wrapper::Kind::list; });
    const bool is_class = type.base == Type::Base::Tensor || type.base == Type::Base::Scalar;
    if (is_list || !is_class) {
      return value;
    }
    return is_mutable && type.is(Type::Base::Tensor) ? value + "&" : "const " + value + "&";
  }

  std::string value(const Type& type) const override { return argument_value(type); }

  std::string result(const Type& type, bool is_mutable) const override {
    std::string value = type.base == Type::Base::Str ? "std::string" : spelled(type.base);
    for (const Type::Wrapper& wrapper : type.wrappers) {
      value = (wrapper.kind == Type::Wrapper::Kind::optional ? "std::optional<" : "std::vector<") + value + ">";
    }
    return is_mutable && type.is(Type::Base::Tensor) ? value + "&" : value;
  }

  std::string canonical(std::string type) const override {
    for (const auto& [name, meaning] : type_names) {
      for (std::size_t at = 0; (at = type.find(name, at)) != std::string::npos; at += meaning.size()) {
        type.replace(at, name.size(), meaning);
      }
    }
    return type;
  }

  std::optional<CppDefault> default_value(const Type& type, llvm::StringRef schema_default) const override {
    std::optional<schema::DefaultValue> value = schema::parse_default(type, schema_default);
    if (!value) return std::nullopt;
    // OptionalIntArrayRef converts from an element.
    if (!converts_from_element(type) && !is_integer(type.base)) value = with_all_elements(type, *std::move(value));
    CppDefault spelled = native_default(*value);
    if (type.is_optional() && spelled.form == CppDefault::Form::braces) {
      spelled.expression.insert(0, argument_value(unwrapped(type)));  // bare braces could initialize the optional
      spelled.form = CppDefault::Form::expression;
    }
    return spelled;
  }

  void add_headers(const Type& type, std::set<std::string>& headers) const override {
    if (const llvm::StringRef header = spelling(type.base).header; !header.empty()) {
      headers.insert(header.str());
    }
    for (const Type::Wrapper& wrapper : type.wrappers) {
      const bool is_optional = wrapper.kind == Type::Wrapper::Kind::optional;
      const bool is_array = !is_optional && wrapper.size && type.base == Type::Base::Bool;
      headers.insert(is_optional ? "<optional>" : is_array ? "<array>" : array_ref_header.str());
    }
  }

  std::optional<CppBackend> backend(llvm::StringRef name) const override {
    const BackendSpec* spec = find_native_backend(name);
    if (!spec) return std::nullopt;
    return CppBackend{("::structured::Backend::" + name).str(), spec->cpp_namespace.str(),
                      spec->place == BackendSpec::Place::device, spec->place != BackendSpec::Place::meta};
  }
};

}  // namespace

const CppTypes& native_cpp_types() {
  static const NativeSpelling spelling;
  return spelling;
}

}  // namespace structured::gen
