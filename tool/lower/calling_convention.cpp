#include "lower/calling_convention.h"

#include <algorithm>
#include <cassert>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace structured::gen {
namespace {

// The four arguments of a factory in schema order, and the getters of TensorOptions for them.
struct OptionsPart {
  llvm::StringLiteral argument;
  Type::Base type;
  llvm::StringLiteral getter;
};
constexpr OptionsPart options_parts[] = {{"dtype", Type::Base::ScalarType, "dtype_opt"},
                                         {"layout", Type::Base::Layout, "layout_opt"},
                                         {"device", Type::Base::Device, "device_opt"},
                                         {"pin_memory", Type::Base::Bool, "pinned_memory_opt"}};

bool is_options_part(const Argument& argument, const OptionsPart& part) {
  return argument.name == part.argument && argument.type.base == part.type && argument.type.wrappers.size() == 1 &&
         argument.type.is_optional();
}

// Returns the position of a factory's first option; nullopt unless all four exist and are adjacent.
std::optional<std::size_t> find_options(llvm::ArrayRef<const Argument*> arguments) {
  constexpr std::size_t count = std::size(options_parts);
  for (std::size_t first = 0; first + count <= arguments.size(); ++first) {
    bool is_match = true;
    for (std::size_t i = 0; i < count; ++i) {
      is_match = is_match && is_options_part(*arguments[first + i], options_parts[i]);
    }
    if (is_match) {
      return first;
    }
  }
  return std::nullopt;
}

// Returns the default value of an argument in the C++ API.
std::optional<CppDefault> cpp_default(const CppTypes& cpp_types, const Operator& op, const Argument& argument) {
  const auto is_excluded = [&](const std::string& name) { return name == "*" || name == argument.name; };
  if (!argument.default_value || llvm::any_of(op.no_cpp_default, is_excluded)) {
    return std::nullopt;
  }
  return cpp_types.default_value(argument.type, *argument.default_value);
}

CppParameter parameter(const CppTypes& cpp_types, const Argument& argument) {
  return {cpp_types.argument(argument.type, argument.is_mutable()), argument.name, "", argument.type.is_optional(),
          argument.is_mutable() && argument.type.is(Type::Base::Tensor)};
}

// Whether functions return the only result by reference: a tensor that they write.
bool returns_reference(const Schema& schema) {
  return schema.returns.size() == 1 && schema.returns.front().type.is(Type::Base::Tensor) &&
         schema.returns.front().alias && schema.returns.front().alias->is_write;
}

// In C++, all parameters after one with a default must have defaults.
void drop_defaults_before_gaps(std::vector<CppParameter>& parameters) {
  bool is_droppable = false;
  for (CppParameter& parameter : llvm::reverse(parameters)) {
    is_droppable = is_droppable || parameter.default_value.empty();
    if (is_droppable) {
      parameter.default_value.clear();
    }
  }
}

// Returns the out arguments, then the inputs with their defaults.
std::vector<CppParameter> public_parameters(const CppTypes& cpp_types, const Operator& op, const Schema& schema) {
  std::vector<CppParameter> parameters;
  for (const Argument& out : schema.out) {
    parameters.push_back(parameter(cpp_types, out));
  }
  for (const Argument* input : inputs_of(schema)) {
    parameters.push_back(parameter(cpp_types, *input));
    if (std::optional<CppDefault> value = cpp_default(cpp_types, op, *input)) {
      parameters.back().default_value = std::move(value->expression);
    }
  }
  return parameters;
}

const CppParameter* find_parameter(const CppSignature& signature, llvm::StringRef name) {
  const auto found =
      llvm::find_if(signature.parameters, [name](const CppParameter& parameter) { return parameter.name == name; });
  return found == signature.parameters.end() ? nullptr : &*found;
}

const CppParameter* find_options_parameter(const CppSignature& signature) {
  const auto found =
      llvm::find_if(signature.parameters, [](const CppParameter& parameter) { return parameter.is_options; });
  return found == signature.parameters.end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::string> CppSignature::declared(bool with_defaults) const {
  std::vector<std::string> texts;
  for (const CppParameter& parameter : parameters) {
    texts.push_back(parameter.type + " " + parameter.name);
    if (with_defaults && !parameter.default_value.empty()) {
      texts.back().append(" = ").append(parameter.default_value);
    }
  }
  return texts;
}

std::vector<std::string> CppSignature::types() const {
  std::vector<std::string> texts;
  for (const CppParameter& parameter : parameters) {
    texts.push_back(parameter.type);
  }
  return texts;
}

std::vector<std::string> CppSignature::names() const {
  std::vector<std::string> texts;
  for (const CppParameter& parameter : parameters) {
    texts.push_back(parameter.name);
  }
  return texts;
}

std::vector<const Argument*> inputs_of(const Schema& schema) {
  std::vector<const Argument*> result;
  for (const std::vector<Argument>* part : {&schema.positional, &schema.keyword_only}) {
    for (const Argument& argument : *part) {
      result.push_back(&argument);
    }
  }
  return result;
}

std::vector<const Argument*> arguments_of(const Schema& schema) {
  std::vector<const Argument*> result = inputs_of(schema);
  for (const Argument& out : schema.out) {
    result.push_back(&out);
  }
  return result;
}

CppSignature dispatched_signature(const CppTypes& cpp_types, const Schema& schema) {
  CppSignature signature{result_type(cpp_types, schema.returns), {}, returns_reference(schema)};
  for (const Argument* argument : arguments_of(schema)) {
    signature.parameters.push_back(parameter(cpp_types, *argument));
  }
  return signature;
}

CppSignature public_signature(const CppTypes& cpp_types, const Operator& op, const Variant& variant) {
  CppSignature signature{result_type(cpp_types, variant.schema.returns),
                         public_parameters(cpp_types, op, variant.schema), returns_reference(variant.schema)};
  if (find_options(inputs_of(variant.schema))) {
    for (CppParameter& parameter : signature.parameters) {
      parameter.default_value.clear();
    }
  }
  drop_defaults_before_gaps(signature.parameters);
  return signature;
}

std::optional<CppSignature> options_signature(const CppTypes& cpp_types, const Operator& op, const Variant& variant) {
  const std::vector<const Argument*> inputs = inputs_of(variant.schema);
  const std::optional<std::size_t> first = find_options(inputs);
  if (!first) {
    return std::nullopt;
  }
  CppSignature signature{result_type(cpp_types, variant.schema.returns),
                         public_parameters(cpp_types, op, variant.schema), returns_reference(variant.schema)};
  const CppSignature with_parts = signature;
  // The options have a default if all four have one, which must be `None` except for the dtype.
  std::string default_value = "{}";
  for (std::size_t i = 0; i < std::size(options_parts); ++i) {
    const std::optional<CppDefault> part = cpp_default(cpp_types, op, *inputs[*first + i]);
    const bool is_none = part && part->form == CppDefault::Form::none;
    if (part && !is_none && i == 0) {
      default_value = part->expression;
    } else if (!is_none) {
      default_value.clear();
      break;
    }
  }
  auto& parameters = signature.parameters;
  const auto begin = parameters.begin() + static_cast<std::ptrdiff_t>(variant.schema.out.size() + *first);
  *begin =
      CppParameter{"::" + cpp_types.wrapper_traits().options.str(), unused_name("options", with_parts), default_value};
  begin->is_options = true;
  parameters.erase(begin + 1, begin + std::size(options_parts));
  drop_defaults_before_gaps(parameters);
  return signature;
}

std::optional<CppSignature> temporary_signature(const CppTypes& cpp_types, const CppSignature& signature) {
  if (!signature.returns_reference || signature.parameters.empty() || !signature.parameters.front().is_written_tensor) {
    return std::nullopt;
  }
  CppSignature temporary = signature;
  temporary.result = "::" + cpp_types.wrapper_traits().tensor.str();
  temporary.returns_reference = false;
  temporary.parameters.front().type = temporary.result + "&&";
  return temporary;
}

CppSignature meta_signature(const CppTypes& cpp_types, const Operator& op) {
  assert(op.structured && "an operator without meta");
  const std::optional<Precomputed>& precomputed = op.structured->precomputed;
  CppSignature signature{precomputed ? "::" + precomputed->type.name : "void", {}};
  for (const Argument* input : inputs_of(op.variants.front().schema)) {
    signature.parameters.push_back(parameter(cpp_types, *input));
  }
  return signature;
}

CppSignature impl_signature(const CppTypes& cpp_types, const Operator& op) {
  const CppSignature meta = meta_signature(cpp_types, op);
  const std::optional<Precomputed>& precomputed = op.structured->precomputed;
  CppSignature signature{"void", {}};
  for (const CppParameter& input : meta.parameters) {
    if (!precomputed || !llvm::is_contained(precomputed->replaced, input.name)) {
      signature.parameters.push_back(input);
    }
  }
  Type tensor;
  std::vector<CppParameter> outputs;
  for (const std::string& output : op.structured->output_names) {
    outputs.push_back({cpp_types.argument(tensor, /*is_mutable=*/false), output, ""});
  }
  if (precomputed) {
    CppSignature all = meta;
    llvm::append_range(all.parameters, outputs);
    signature.parameters.push_back({"const " + meta.result + "&", unused_name("precomputed", all), ""});
  }
  llvm::append_range(signature.parameters, outputs);
  return signature;
}

std::string options_of(const CppSignature& signature) {
  const CppParameter* options = find_options_parameter(signature);
  return options == nullptr ? "" : options->name;
}

std::vector<std::string> expressions(const CppSignature& caller, const CppSignature& callee, bool has_empty_options) {
  const CppParameter* options = find_options_parameter(caller);
  std::vector<std::string> result;
  for (const CppParameter& wanted : callee.parameters) {
    const CppParameter* given = find_parameter(caller, wanted.name);
    if (given != nullptr && options != nullptr && !has_empty_options && given->name == "memory_format" &&
        given->is_optional) {
      // An explicit memory format overrides the one in the options.
      result.push_back(given->name + " ? " + given->name + " : " + options->name + ".memory_format_opt()");
    } else if (given != nullptr) {
      result.push_back(given->name);
    } else if (has_empty_options) {
      result.push_back("std::nullopt");
    } else {
      const auto* part = llvm::find_if(options_parts, [&](const OptionsPart& p) { return p.argument == wanted.name; });
      assert(options != nullptr && part != std::end(options_parts) && "an argument that is nowhere in scope");
      result.push_back(options->name + "." + part->getter.str() + "()");
    }
  }
  return result;
}

void add_headers(const CppTypes& cpp_types, const Operator& op, const Variant& variant,
                 std::set<std::string>& headers) {
  const std::vector<const Argument*> arguments = arguments_of(variant.schema);
  for (const Argument* argument : arguments) {
    cpp_types.add_headers(argument->type, headers);
    if (const auto value = cpp_default(cpp_types, op, *argument); value && !value->header.empty()) {
      headers.insert(value->header);
    }
  }
  for (const Return& result : variant.schema.returns) {
    cpp_types.add_headers(result.type, headers);
    const auto is_list = [](const Type::Wrapper& wrapper) { return wrapper.kind == Type::Wrapper::Kind::list; };
    if (llvm::any_of(result.type.wrappers, is_list)) {
      headers.insert("<vector>");
    }
    if (result.type.base == Type::Base::Str) {
      headers.insert("<string>");
    }
  }
  if (variant.schema.returns.size() > 1) {
    headers.insert("<tuple>");
  }
  if (find_options(arguments)) {
    headers.insert(cpp_types.wrapper_traits().options_header.str());
  }
}

std::string unused_name(llvm::StringRef wanted, const CppSignature& signature) {
  std::string name = wanted.str();
  while (find_parameter(signature, name) != nullptr) {
    name += '_';
  }
  return name;
}

std::string qualified_type(llvm::StringRef canonical) {
  static const llvm::StringSet<> language_words{
      "const",  "volatile", "void",     "bool",    "char",    "short",    "int",      "long",     "float",
      "double", "signed",   "unsigned", "wchar_t", "char8_t", "char16_t", "char32_t", "__int128", "true",
      "false",  "class",    "struct",   "enum",    "union",   "typename", "noexcept", "nullptr"};
  const auto is_word = [](char c) {
    const bool is_ascii = static_cast<unsigned char>(c) < 0x80;
    return llvm::isAlnum(c) || c == '_' || !is_ascii;
  };
  std::string result;
  while (!canonical.empty()) {
    const llvm::StringRef word = canonical.take_while(is_word);
    if (word.empty()) {
      const char c = canonical.front();
      canonical = canonical.drop_front();
      if (c == '\'') {  // a character literal, which may be a letter
        const bool is_escaped = canonical.starts_with("\\");
        const std::size_t end = canonical.find('\'', is_escaped ? 2 : 1);
        const llvm::StringRef literal = canonical.take_front(end == llvm::StringRef::npos ? end : end + 1);
        result += c + literal.str();
        canonical = canonical.drop_front(literal.size());
        continue;
      }
      // Canonical types have a blank before `&`.
      if (c == ' ' && (canonical.starts_with("&") || canonical.starts_with("*"))) {
        continue;
      }
      result += c;
      continue;
    }
    canonical = canonical.drop_front(word.size());
    const bool is_name = !llvm::isDigit(word.front()) && !language_words.contains(word);
    const bool is_std = word == "std" && canonical.starts_with("::");
    if (is_name && !is_std && !llvm::StringRef(result).ends_with("::")) {
      result += "::";
    }
    result += word;
  }
  return result;
}

}  // namespace structured::gen
