#include "emit/python/stubs.h"

#include <set>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "lower/calling_convention.h"
#include "model/documentation.h"
#include "model/python_names.h"

namespace structured::gen {
namespace {

// Names of a type in parameters and in results.
struct TypeNames {
  llvm::StringLiteral parameter;
  llvm::StringLiteral result;
};

TypeNames names_in_structured(Type::Base base) {
  switch (base) {
    case Type::Base::Tensor:
      return {"Tensor", "Tensor"};
    case Type::Base::Scalar:
      return {"Number", "Number"};
    case Type::Base::Int:
    case Type::Base::SymInt:
      return {"int", "int"};
    case Type::Base::Float:
      return {"float", "float"};
    case Type::Base::Bool:
      return {"bool", "bool"};
    case Type::Base::Str:
    case Type::Base::Dimname:
      return {"str", "str"};
    case Type::Base::ScalarType:
      return {"DTypeLike", "dtype"};
    case Type::Base::Layout:
      return {"layout", "layout"};
    case Type::Base::Device:
      return {"DeviceLike", "device"};
    case Type::Base::MemoryFormat:
      return {"memory_format", "memory_format"};
    case Type::Base::Generator:
      return {"Generator", "Generator"};
    case Type::Base::QScheme:
      return {"qscheme", "qscheme"};
    default:
      return {"object", "object"};
  }
}

// Type checkers accept integers and floating-point numbers for `complex`.
TypeNames names_in_torch(Type::Base base) {
  switch (base) {
    case Type::Base::Scalar:
      return {"complex", "Number"};
    case Type::Base::SymInt:
      return {"int | SymInt", "int | SymInt"};
    case Type::Base::ScalarType:
      return {"dtype", "dtype"};
    case Type::Base::Device:
      return {"device | str | int", "device"};
    default:
      return names_in_structured(base);
  }
}

// The package that calls the operators.
struct Package {
  TypeNames (*names)(Type::Base base);
  llvm::StringLiteral list_of_tensors;  // type of results
  bool has_loose_lists;                 // lists of integers may be given as separate numbers
  bool makes_leaves;                    // factories take `requires_grad`
  bool has_tuple_of_outputs;            // `out` is a tuple of all outputs; otherwise each has a keyword
  bool renames_keywords;                // calls may say `from_` for the argument `from`
};
constexpr Package structured_package{names_in_structured, "tuple[Tensor, ...]", true, true, true, true};
constexpr Package torch_package{names_in_torch, "list[Tensor]", false, false, false, false};

std::string parameter_type(const Package& package, const Type& type) {
  std::string text = package.names(type.base).parameter.str();
  for (const Type::Wrapper& wrapper : type.wrappers) {
    if (wrapper.kind == Type::Wrapper::Kind::optional) {
      text += " | None";
    } else {
      const bool is_single = wrapper.size && type.base != Type::Base::Bool;  // `int[2]` accepts a number
      text = (is_single ? text + " | " : "") + "Sequence[" + text + "]";
    }
  }
  return text;
}

std::string result_type(const Package& package, const Type& type) {
  std::string text = package.names(type.base).result.str();
  bool is_tensor = type.base == Type::Base::Tensor;
  for (const Type::Wrapper& wrapper : type.wrappers) {
    text = wrapper.kind == Type::Wrapper::Kind::optional ? text + " | None"
           : is_tensor                                   ? package.list_of_tensors.str()
                                                         : "list[" + text + "]";
    is_tensor = false;
  }
  return text;
}

std::string results_type(const Package& package, const Schema& schema) {
  if (schema.returns.empty()) return "None";
  std::vector<std::string> types;
  for (const Return& result : schema.returns) types.push_back(result_type(package, result.type));
  return types.size() == 1 ? types.front() : "tuple[" + llvm::join(types, ", ") + "]";
}

std::string parameter_name(const Argument& argument) {
  return argument.name + (is_python_keyword(argument.name) ? "_" : "");
}

std::string parameter(const Package& package, const Argument& argument) {
  return parameter_name(argument) + ": " + parameter_type(package, argument.type) +
         (argument.default_value ? " = ..." : "");
}

// Whether calls can only pass the argument in a dictionary: `**{"from": 0}`.
bool has_unusable_name(const Package& package, const Argument& argument) {
  return !package.renames_keywords && is_python_keyword(argument.name);
}

std::string parameters(const Package& package, const Schema& schema, bool is_method, bool is_loose) {
  std::vector<std::string> texts;
  llvm::ArrayRef<Argument> positional = schema.positional;
  if (is_method) {
    texts.push_back("self");
    positional = positional.drop_front();
  }
  std::size_t only_positional = 0;
  for (const Argument& argument : positional) {
    texts.push_back(parameter(package, argument));
    if (has_unusable_name(package, argument)) only_positional = texts.size();
  }
  if (only_positional > 0) texts.insert(texts.begin() + static_cast<std::ptrdiff_t>(only_positional), "/");
  const bool has_dictionary =
      llvm::any_of(schema.keyword_only, [&](const Argument& each) { return has_unusable_name(package, each); });
  const bool has_keywords = !schema.out.empty() || llvm::any_of(schema.keyword_only, [&](const Argument& each) {
    return !has_unusable_name(package, each);
  });
  if (is_loose) {
    texts.back() = "*" + parameter_name(positional.back()) + ": int";
  } else if (has_keywords) {
    texts.push_back("*");
  }
  for (const Argument& argument : schema.keyword_only) {
    if (!has_unusable_name(package, argument)) texts.push_back(parameter(package, argument));
  }
  const auto takes = [&](llvm::StringRef name) {
    return llvm::any_of(schema.keyword_only, [&](const Argument& each) { return each.name == name; });
  };
  if (package.makes_leaves && takes("pin_memory") && !takes("non_blocking"))
    texts.push_back("requires_grad: bool = ...");
  if (!package.has_tuple_of_outputs) {
    for (const Argument& argument : schema.out) texts.push_back(parameter(package, argument));
  } else if (schema.out.size() == 1) {
    texts.push_back("out: " + parameter_type(package, schema.out.front().type));
  } else if (!schema.out.empty()) {
    const std::vector<std::string> tensors(schema.out.size(), "Tensor");
    texts.push_back("out: tuple[" + llvm::join(tensors, ", ") + "]");
  }
  if (has_dictionary) texts.push_back("**kwargs: object");
  return llvm::join(texts, ", ");
}

// A list of integers that is the only argument, or the only one after `self`, may be given as separate numbers.
bool has_loose_list(const Schema& schema) {
  const bool has_self = !schema.positional.empty() && schema.positional.front().type.is(Type::Base::Tensor);
  if (schema.positional.size() != (has_self ? 2U : 1U)) return false;
  const Type& last = schema.positional.back().type;
  const bool is_integer = last.base == Type::Base::Int || last.base == Type::Base::SymInt;
  return is_integer && last.wrappers.size() == 1 && last.wrappers.front().kind != Type::Wrapper::Kind::optional;
}

bool has_self(const PythonOverload& overload) {
  const std::vector<Argument>& positional = overload.schema.positional;
  return !positional.empty() && positional.front().type.is(Type::Base::Tensor);
}

std::string docstring_of(const PythonOverload& overload) {
  return documentation_docstring(read_documentation(overload.variant->op->documentation));
}

std::string docstring_of(const PythonFunction& function) {
  std::vector<std::string> parts;
  for (const PythonOverload& overload : function.overloads) {
    std::string part = docstring_of(overload);
    if (!part.empty() && !llvm::is_contained(parts, part)) parts.push_back(std::move(part));
  }
  return llvm::join(parts, "\n\n");
}

// Returns the end of a function's head: an empty body, or one with the documentation.
std::string body_with(llvm::StringRef documentation, llvm::StringRef indent) {
  if (documentation.empty()) return ": ...\n";
  std::string text = ":\n" + indent.str() + "    \"\"\"";
  for (const char c : documentation) {
    if (c != '\n' && text.back() == '\n') text += indent.str() + "    ";
    if (c == '\\' || c == '"') text += '\\';
    text += c;
  }
  return text + "\"\"\"\n";
}

// Overloads whose first parameter cannot be `self` are left out of the methods.
void write_function(std::string& text, const Package& package, const PythonFunction& function, bool is_method) {
  std::set<std::string> heads;
  std::vector<std::pair<std::string, std::string>> unique;  // heads and bodies
  const std::string indent = is_method ? "    " : "";
  for (const PythonOverload& overload : function.overloads) {
    if (is_method && !has_self(overload)) continue;
    const auto head_of = [&](const Schema& schema, bool is_loose) {
      return "def " + function.name + "(" + parameters(package, schema, is_method, is_loose) + ") -> " +
             results_type(package, schema);
    };
    for (const bool is_loose : {false, true}) {
      if (is_loose && !(package.has_loose_lists && has_loose_list(overload.schema))) continue;
      std::string head = head_of(overload.schema, is_loose);
      if (heads.insert(head).second) unique.emplace_back(std::move(head), body_with(docstring_of(overload), indent));
    }
    // Type checkers reject an overload after one that accepts more: `f(a)` after `f(a, b=1)`.
    Schema shorter = overload.schema;
    while (!shorter.positional.empty() && shorter.positional.back().default_value) {
      shorter.positional.pop_back();
      heads.insert(head_of(shorter, /*is_loose=*/false));
    }
  }
  for (const auto& [head, body] : unique) {
    if (unique.size() > 1) text += indent + "@overload\n";
    text += indent + head + body;
  }
}

void write_functions(std::string& text, const Package& package, llvm::ArrayRef<PythonFunction> functions) {
  for (const PythonFunction& function : functions) {
    if (!is_python_keyword(function.name)) write_function(text, package, function, /*is_method=*/false);
  }
}

}  // namespace

std::string python_stubs(llvm::ArrayRef<PythonFunction> functions) {
  std::string text =
      "# Emitted by structured-gen. Do not edit.\n"
      "from collections.abc import Sequence\n"
      "from typing import overload\n\n"
      "from structured._types import DeviceLike, DTypeLike, Generator, Number, Tensor, device, dtype, layout, "
      "memory_format, qscheme\n\n";
  write_functions(text, structured_package, functions);
  text += "\nclass TensorMethods:\n";
  bool has_methods = false;
  for (const PythonFunction& function : functions) {
    if (!function.is_method || is_python_keyword(function.name)) continue;
    write_function(text, structured_package, function, /*is_method=*/true);
    has_methods = true;
  }
  if (!has_methods) text += "    ...\n";
  return text;
}

std::string torch_stubs(llvm::ArrayRef<PythonFunction> functions) {
  std::string text =
      "# Emitted by structured-gen. Do not edit.\n"
      "from collections.abc import Sequence\n"
      "from typing import overload\n\n"
      "from torch import Generator, SymInt, Tensor, device, dtype, layout, memory_format, qscheme\n"
      "from torch.types import Number\n\n";
  write_functions(text, torch_package, functions);
  return text;
}

std::string python_documentation(llvm::ArrayRef<PythonFunction> functions) {
  std::string text =
      "# Emitted by structured-gen. Do not edit.\n"
      "DOCS = {\n";
  for (const PythonFunction& function : functions) {
    const std::string documentation = docstring_of(function);
    if (documentation.empty()) continue;
    std::string literal;
    for (const char c : documentation) {
      if (c == '\\' || c == '"') literal += '\\';
      if (c == '\n') {
        literal += "\\n";
      } else {
        literal += c;
      }
    }
    text += "    \"" + function.name + "\": \"" + literal + "\",\n";
  }
  return text + "}\n";
}

}  // namespace structured::gen
