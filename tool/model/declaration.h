// Declarations: the facts that a scan finds in one source. `check` and `derive` interpret them, so a changed rule
// does not require another scan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/body_facts.h"
#include "model/cpp_type.h"
#include "model/scalar_graph.h"
#include "model/shape_program.h"
#include "model/source_range.h"

namespace structured::gen {

/// One argument of an attribute: a string, integer or boolean literal.
struct AttributeArgument {
  std::variant<std::string, int64_t, bool> value;
  SourceRange range;  ///< the literal as written, including quotes
  friend bool operator==(const AttributeArgument&, const AttributeArgument&) = default;
};

/// `[[structured::name(arguments...)]]` on a function or a parameter.
struct Attribute {
  std::string name;  ///< without the `structured::`
  std::vector<AttributeArgument> arguments;
  SourceRange range;  ///< from the name to the closing parenthesis
  friend bool operator==(const Attribute&, const Attribute&) = default;
};

/// The value of a default argument or of an element of one. Its type determines the member that a schema prints.
struct DefaultValue {
  std::optional<std::string> evaluated;   ///< value computed by Clang, of a number, bool or string literal
  std::optional<std::string> literal;     ///< the single number or string literal in the source, with its sign
  std::optional<std::string> enumerator;  ///< qualified name: `structured::ScalarType::Float`
  std::optional<std::vector<DefaultValue>> elements;  ///< elements of a list; empty for an object without arguments
  bool is_initial = false;  ///< `std::nullopt`, or the parameter's type, value-initialized: `{}`
  friend bool operator==(const DefaultValue&, const DefaultValue&) = default;
};

/// A C++ default argument.
struct DefaultArgument {
  std::string text;  ///< as written, without `=` and surrounding white space
  DefaultValue value;
  SourceRange range;  ///< the expression
  friend bool operator==(const DefaultArgument&, const DefaultArgument&) = default;
};

struct Parameter {
  std::string name;  ///< empty if unnamed
  CppType type;
  bool is_enum = false;  ///< the type is an enumeration, or a reference to one
  std::optional<DefaultArgument> default_argument;
  std::vector<Attribute> attributes;
  SourceRange range;       ///< whole parameter, including attributes and default
  SourceRange type_range;  ///< type as written, including `const` and `&`
  SourceRange name_range;
  bool is_invalid = false;  ///< Clang reported an error in the type
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// Facts about the class of a first parameter (a possible operator base) or of a result (precomputed
/// values).
struct ClassFact {
  std::string name;                ///< canonical qualified name, no leading `::`
  std::vector<std::string> bases;  ///< all public bases, direct and indirect, qualified names
  bool is_final = false;
  bool is_abstract = false;
  bool is_default_constructible = false;
  bool is_visible_from_header = false;
  std::string header;           ///< as in an include directive (`structured/kernel/meta_base.h`); may be empty
  std::vector<Member> members;  ///< public data members in order
  SourceRange range;            ///< the name in the definition
  friend bool operator==(const ClassFact&, const ClassFact&) = default;
};

/// Reasons why emitted code cannot link to a function or declare it.
enum class LinkageError {
  is_template,
  is_member,
  is_static,
  is_in_unnamed_namespace,
  is_inline,
  is_constexpr,
  returns_auto,
  is_c_variadic,
  is_deleted,
  has_asm_label,
};

/// A comparison by `<`, `>`, `<=` or `>=` of a parameter whose type is the template parameter of a pointwise function.
struct Ordering {
  std::string comparison;  ///< `>`
  SourceRange range;
  friend bool operator==(const Ordering&, const Ordering&) = default;
};

/// A use of a function or constant of `std` that does not know dual numbers, in a scalar function.
struct StandardUse {
  std::string name;   ///< `exp`
  SourceRange range;  ///< `std::exp`
  friend bool operator==(const StandardUse&, const StandardUse&) = default;
};

/// The iterator that a meta function on `at::TensorIteratorBase` builds. Its operands are the output and the tensors
/// among the parameters, in their order.
struct IteratorFact {
  std::string promotion;  ///< the rule of type promotion: `default`, `int_to_float` or `bool`
  std::string refusal;    ///< why the iterator may be another one: "checks its arguments"; empty if it is not
  SourceRange range;      ///< that the reason is about
  friend bool operator==(const IteratorFact&, const IteratorFact&) = default;
};

/// One annotated function declaration.
struct Declaration {
  std::string name;  ///< qualified, no leading `::`: `kernels::add_cpu`
  bool is_extern_c = false;
  bool is_definition = false;
  CppType result;
  std::vector<Parameter> parameters;
  std::vector<Attribute> attributes;
  std::vector<LinkageError> linkage_errors;
  bool is_invalid = false;                       ///< Clang marked the declaration or one of its types invalid
  std::optional<ClassFact> base_class;           ///< of the first parameter, if it is a reference to a class
  std::optional<ClassFact> result_class;         ///< of the result, if it is a class by value
  std::vector<std::string> template_parameters;  ///< of a pointwise template, in order
  std::optional<Ordering> ordering;              ///< the first one in the body of a pointwise template
  std::vector<StandardUse> standard_uses;        ///< in the body of a template
  std::optional<BodyFacts> body;                 ///< if bodies are parsed; not stored in fragments
  std::vector<ScalarBody> scalar_bodies;         ///< of a scalar function or an impl's loop, if the scan evaluates them
  std::optional<IteratorFact> iterator;          ///< of a meta function, if the scan evaluates bodies
  std::optional<ShapeProgram> shape;             ///< of a meta function, if the scan translates them
  std::string comment;                           ///< documentation comment without markers
  SourceRange range;                             ///< whole declarator, including attributes, without the body
  SourceRange name_range;                        ///< the narrowest range that names the function
  SourceRange result_range;                      ///< result type as written
  SourceRange parameters_range;                  ///< between the parentheses
  std::vector<SourceRange> macro_ranges;         ///< uses of macros that spell parts of the declaration, sorted
  friend bool operator==(const Declaration&, const Declaration&) = default;
};

/// All declarations of one source. `source` is its path relative to the source root.
struct Fragment {
  static constexpr int format_version = 2;
  std::string source;
  std::string dialect;                    ///< "native", "aten" or "torch"
  std::vector<Declaration> declarations;  ///< in source order
  /// Attributes with a role in branches that the scan skipped and that depend on the compiler.
  std::vector<Attribute> skipped = {};
  std::vector<Attribute> misspelt = {};  ///< attributes without a namespace that are not in the C++ standard
  friend bool operator==(const Fragment&, const Fragment&) = default;
};

}  // namespace structured::gen
