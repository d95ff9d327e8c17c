// Defaults that schemas of the dialect `native` have and PyTorch does not accept: its parser rejects them, or calls
// from Python that omit the argument fail.
#include <cmath>

#include "check/rules.h"
#include "llvm/ADT/StringExtras.h"
#include "model/parameter.h"
#include "model/schema_default.h"
#include "structured/schema/default_value.h"

namespace structured::gen {
namespace {

using Value = schema::DefaultValue;

/// The defaults that PyTorch accepts for a type, and a replacement for one that it does not accept.
struct Expected {
  Phrase accepted;
  Phrase remedy;
};

const Phrase& nullopt_and_body() {
  static const Phrase remedy("`std::nullopt`, and the default in the body");
  return remedy;
}

/// Whether PyTorch has default lists of the type.
bool has_default_lists(const Type& element) {
  if (!element.wrappers.empty()) return false;
  switch (element.base) {
    case Type::Base::Int:
    case Type::Base::SymInt:
    case Type::Base::Float:
    case Type::Base::Bool:
    case Type::Base::ScalarType:
    case Type::Base::Layout:
    case Type::Base::MemoryFormat:
      return true;
    default:
      return false;
  }
}

/// Whether PyTorch reads all escape sequences of a string literal: not `\r`, `\?`, `\x0d` and `\0`.
bool has_known_escapes(llvm::StringRef literal) {
  for (std::size_t i = literal.find('\\'); i != llvm::StringRef::npos; i = literal.find('\\', i)) {
    const llvm::StringRef code = literal.substr(i + 1, 3);
    const bool is_octal = code.size() == 3 && llvm::all_of(code, [](char c) { return c >= '0' && c <= '7'; });
    if (!is_octal && !llvm::StringRef("\\\"'abfntv").contains(code.front())) return false;
    i += is_octal ? 4 : 2;
  }
  return true;
}

bool is_fractional(llvm::StringRef number) { return number.find_first_of(".eE") != llvm::StringRef::npos; }

/// Whether PyTorch reads the number. It parses integers of 64 bits, and fractions by std::stod, which fails for
/// subnormal numbers.
bool is_known_number(Type::Base base, double number, llvm::StringRef text) {
  if (base == Type::Base::Scalar && !is_fractional(text)) return false;
  return std::fpclassify(number) != FP_SUBNORMAL;
}

/// Returns what PyTorch expects instead of an enumerator; nullopt if it accepts the enumerator.
std::optional<Expected> fault_of_enumerator(const Type& type, const Value::Enumerator& value) {
  const bool is_optional = type.is_optional();
  auto one = [&](llvm::StringRef word) {
    return is_optional ? Expected{phrase("only `None` and {}", Code(word)), nullopt_and_body()}
                       : Expected{phrase("only {}", Code(word)),
                                  phrase("{}, or an optional with {}", Code(word), nullopt_and_body())};
  };
  switch (type.base) {
    case Type::Base::Layout:
      if (value.name == "Strided") return std::nullopt;
      return one("strided");
    case Type::Base::MemoryFormat:
      if (value.name == "Contiguous") return std::nullopt;
      return one("contiguous_format");
    case Type::Base::Device:
      if (is_optional) return Expected{Phrase("only `None`"), nullopt_and_body()};
      return Expected{Phrase("none"), phrase("no default, or an optional with {}", nullopt_and_body())};
    default:
      return std::nullopt;
  }
}

/// Returns what PyTorch expects instead of the default of an element, or of a type other than a list; nullopt if it
/// accepts the default.
std::optional<Expected> fault_of_single(const Type& type, const Value& value) {
  if (const auto* named = value.as<Value::Enumerator>()) return fault_of_enumerator(type, *named);
  if (const double* number = value.as<double>()) {
    if (!is_known_number(type.base, *number, value.text)) {
      return Expected{Phrase("only integers of 64 bits, and fractions that are 0 or at least 2.3e-308"),
                      Phrase("such a number")};
    }
    // PyTorch converts an integer for `float`, but not for `float?`.
    if (type.is_optional() && type.base == Type::Base::Float && !is_fractional(value.text)) {
      return Expected{Phrase("only `None` and numbers with a decimal point"),
                      phrase("{}", Code(std::string(value.text) + ".0"))};
    }
  }
  if (value.as<std::string>() != nullptr && !has_known_escapes(value.text)) {
    return Expected{phrase("only the escapes {} and three octal digits",
                           Phrase(R"(`\\`, `\"`, `\'`, `\a`, `\b`, `\f`, `\n`, `\t`, `\v`)")),
                    phrase("such escapes, as in {}", Code(R"("\015")"))};
  }
  return std::nullopt;
}

/// Returns what PyTorch expects instead of the default; nullopt if it accepts the default.
std::optional<Expected> fault_of(const Type& type, const Value& value) {
  if (value.as<Value::None>() != nullptr) return std::nullopt;
  const Type list = type.is_optional() ? unwrapped(type) : type;
  if (!list.is_list()) return fault_of_single(type, value);
  // PyTorch reads a number as the default of `int[2]?`, but passes the number and not a list to kernels.
  if (type.is_optional()) return Expected{Phrase("only `None`"), nullopt_and_body()};
  const Type element = unwrapped(list);
  if (!has_default_lists(element)) return Expected{Phrase("none"), Phrase("no default")};
  const auto* elements = value.as<Value::List>();
  if (elements == nullptr) {
    if (value.as<Value::Enumerator>() != nullptr) return Expected{Phrase("only numbers and lists"), Phrase("a list")};
    return fault_of_single(element, value);
  }
  for (const Value& each : *elements) {
    if (std::optional<Expected> fault = fault_of_single(element, each)) return fault;
  }
  return std::nullopt;
}

void check_parameter(Checker& checker, const OperatorRef& ref, const Parameter& parameter,
                     const std::optional<Type>& type) {
  if (!type || parameter.name.empty()) return;
  std::optional<std::string> text;
  SourceRange range;
  if (const Attribute* attribute = find_attribute(parameter.attributes, "schema_default")) {
    if (auto given = string_argument(*attribute, 0)) text = given->str();
    if (text) range = attribute->arguments[0].range;
  } else if (parameter.default_argument) {
    text = schema_default(*type, *parameter.default_argument);
    range = parameter.default_argument->range;
  }
  const std::optional<Value> value = text ? schema::parse_default(*type, *text) : std::nullopt;
  const std::optional<Expected> expected = value ? fault_of(*type, *value) : std::nullopt;
  if (!expected) return;
  checker.report(DiagnosticKind::torch_default, range,
                 "argument {} of {} has the default {}, but PyTorch accepts {} for {}; expected {}",
                 Code(parameter.name), ref.name, Code(*text), expected->accepted, *type, expected->remedy);
}

}  // namespace

void check_torch_defaults(Checker& checker) {
  if (!checker.types().has_torch_schemas()) return;
  for_each_signature(checker, [&](const OperatorRef& ref) {
    if (ref.found.is_imported) return;
    for (const Parameter& parameter : ref.declaration().parameters) {
      check_parameter(checker, ref, parameter, argument_type(parameter, checker.types()));
    }
  });
  for (const DefinedOperator& op : checker.index().defined()) {
    const Declaration& declaration = op.definition.declaration();
    if (op.is_structured() || op.is_imported() || !is_readable(declaration)) continue;
    for (const Parameter& parameter : declaration.parameters) {
      check_parameter(checker, op.definition, parameter,
                      pointwise_argument_type(declaration, parameter, checker.types()));
    }
  }
}

}  // namespace structured::gen
