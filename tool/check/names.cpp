// Names of operators and of their variants.
#include "check/public_functions.h"
#include "check/rules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "model/cpp_names.h"

namespace structured::gen {
namespace {

/// Returns the number of arguments that are operator names.
std::size_t name_count(const Attribute& attribute) {
  bool names_variants = attribute.name == "meta" || attribute.name == "pointwise";
  return names_variants ? attribute.arguments.size() : std::min<std::size_t>(1, attribute.arguments.size());
}

struct WrittenName {
  const AttributeArgument* argument;
  OperatorName name;
};

/// Returns the well-formed names in a `meta` or `pointwise` attribute; empty if the first is malformed.
std::vector<WrittenName> written_names(const Checker& checker, const Attribute& attribute) {
  std::vector<WrittenName> names;
  for (std::size_t i = 0; i < attribute.arguments.size(); ++i) {
    auto text = string_argument(attribute, i);
    auto name = text ? checker.index().read_name(*text) : std::nullopt;
    if (name)
      names.push_back({&attribute.arguments[i], *name});
    else if (i == 0)
      break;
  }
  return names;
}

void check_variant(Checker& checker, const OperatorName& functional, const WrittenName& written) {
  bool is_inplace = written.name.is_inplace();
  OperatorName expected = written.name;
  expected.ns = functional.ns;
  expected.base = is_inplace ? functional.inplace().base : functional.base;
  if (expected == written.name) return;
  checker
      .build(DiagnosticKind::variant_name, written.argument->range, "{} variant {} does not belong to {}; expected {}",
             Phrase(is_inplace ? "in-place" : "out"), written.name, functional, expected)
      .fix(string_replacement(written.argument->range, to_string(expected)))
      .emit();
}

/// `no_out` is on an operator that names its out variant.
void check_left_off_out(Checker& checker, const Declaration& declaration, const WrittenName& out) {
  const Attribute* left_off = find_attribute(declaration.attributes, "no_out");
  if (!left_off) return;
  checker
      .build(DiagnosticKind::variant_name, out.argument->range,
             "`no_out` leaves off the out variant, and {} names it; expected the name or `no_out`, not both", out.name)
      .note(left_off->range, "`no_out` is here")
      .emit();
}

void check_variants(Checker& checker, const Declaration& declaration, const Attribute& attribute) {
  std::vector<WrittenName> names = written_names(checker, attribute);
  if (names.empty()) return;
  const WrittenName& functional = names.front();
  if (functional.name.is_inplace()) {
    checker.report(DiagnosticKind::variant_name, functional.argument->range,
                   "{} is in-place, because its name {}, but is the first name of {}; expected the functional variant "
                   "first, which has another name",
                   functional.name, Phrase(functional.name.is_dunder() ? "has the form `__i...__`" : "ends in `_`"),
                   Code(attribute.name));
    return;
  }
  const WrittenName* inplace = nullptr;
  const WrittenName* out = nullptr;
  for (std::size_t i = 1; i < names.size(); ++i) {
    const WrittenName& written = names[i];
    const WrittenName*& slot = written.name.is_inplace() ? inplace : out;
    const WrittenName* taken = written.name == functional.name ? &functional : slot;
    if (taken) {
      const char* kind = taken == &functional ? "functional" : written.name.is_inplace() ? "in-place" : "out";
      checker
          .build(DiagnosticKind::variant_name, written.argument->range,
                 "{} is a second {} variant; expected one of each kind", written.name, Phrase(kind))
          .note(taken->argument->range, "the first one is {}", taken->name)
          .emit();
      continue;
    }
    slot = &written;
    check_variant(checker, functional.name, written);
    if (slot == out) check_left_off_out(checker, declaration, written);
  }
}

/// Describes what is wrong with the namespace of another library's operator; empty if nothing is.
llvm::StringRef fault_in_namespace(llvm::StringRef name, const llvm::StringSet<>& inner) {
  if (is_cpp_keyword(name)) return "is a keyword";
  if (name == "std") return "belongs to the standard library";
  return inner.contains(name) ? "emitted code uses for other functions" : "";
}

/// Describes what is wrong with a function's name; empty if nothing is.
llvm::StringRef fault_in_function(const PublicFunction& function, const llvm::StringSet<>& namespaces) {
  constexpr llvm::StringLiteral own_functions[] = {"find_operator", "dispatch_table"};
  if (is_cpp_keyword(function.name)) return "is a keyword";
  if (namespaces.contains(function.name)) return "is also the name of a namespace";
  if (function.name == "int64_t") return "is the name of a type in emitted code";
  bool is_own = function.variant.ns.empty() && llvm::is_contained(own_functions, function.name);
  return is_own ? "every library defines" : "";
}

}  // namespace

void check_function_names(Checker& checker) {
  if (!checker.options().cpp_types) return;
  std::vector<PublicFunction> functions = public_functions(checker);
  llvm::StringSet<> inner{"emitted"};  // nested namespaces of emitted code
  for (const PublicFunction& function : functions) {
    for (const std::string& backend : function.backends) inner.insert(backend_namespace(checker, backend));
  }
  llvm::StringSet<> namespaces = inner;
  for (const PublicFunction& function : functions) namespaces.insert(function.variant.ns);
  for (const PublicFunction& function : functions) {
    const llvm::StringRef ns = function.variant.ns;
    if (const llvm::StringRef fault = fault_in_namespace(ns, inner); !ns.empty() && !fault.empty()) {
      checker.report(DiagnosticKind::operator_name, function.range,
                     "{} has the namespace {}, which {}; expected another name", function.variant, Code(ns),
                     Phrase(fault));
    } else if (const llvm::StringRef other = fault_in_function(function, namespaces); !other.empty()) {
      checker.report(DiagnosticKind::operator_name, function.range,
                     "{} needs a C++ function named {}, which {}; expected another name", function.variant,
                     Code(function.name), Phrase(other));
    }
  }
}

void check_operator_names(Checker& checker) {
  for (const FoundDeclaration& found : checker.index().declarations()) {
    for (const Attribute& attribute : found.declaration->attributes) {
      if (!role_named(attribute.name)) continue;
      for (std::size_t i = 0; i < name_count(attribute); ++i) {
        auto text = string_argument(attribute, i);
        // Empty strings are reported as bad arguments.
        if (!text || text->empty() || text->contains('\0') || checker.index().read_name(*text)) continue;
        checker.report(DiagnosticKind::operator_name, attribute.arguments[i].range,
                       "{} is not an operator name; expected `[namespace::]base[.overload]`", Code(*text));
      }
    }
  }
}

void check_variant_names(Checker& checker) {
  for (const FoundDeclaration& found : checker.index().declarations()) {
    for (const Attribute& attribute : found.declaration->attributes) {
      if (attribute.name == "meta" || attribute.name == "pointwise")
        check_variants(checker, *found.declaration, attribute);
    }
  }
}

}  // namespace structured::gen
