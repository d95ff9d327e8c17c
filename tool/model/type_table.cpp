#include "model/type_table.h"

#include <cassert>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "model/cpp_type_tree.h"
#include "model/refinement.h"
#include "model/schema.h"

namespace structured::gen {

namespace {

constexpr llvm::StringRef tuple_template = "std::tuple";
constexpr llvm::StringRef array_template = "std::array";

Type type_of_row(const TypeTable::Row& row) {
  llvm::Expected<Type> type = parse_type(row.schema);
  assert(type && "a dialect's table names a type that no schema has");
  return std::move(*type);
}

bool is_integer_type(llvm::StringRef name) {
  constexpr llvm::StringLiteral names[] = {
      "int",          "short",         "signed char",        "unsigned char", "unsigned short",
      "unsigned int", "unsigned long", "unsigned long long", "long",          "long long"};
  return llvm::is_contained(names, name);
}

bool is_string(const CppTypeTree& spelling) {
  return spelling.name == "std::basic_string" || spelling.name == "std::basic_string_view" ||
         spelling.name == "c10::basic_string_view" || (spelling.name == "char" && spelling.suffix == " *");
}

// Containers of one element type, regardless of further template arguments.
bool is_container(llvm::StringRef name) {
  constexpr llvm::StringLiteral names[] = {
      "std::vector",       "std::array",       "std::span", "std::initializer_list", "std::deque",          "std::list",
      "llvm::SmallVector", "c10::SmallVector", "c10::List", "c10::ArrayRef",         "structured::ArrayRef"};
  return llvm::is_contained(names, name);
}

bool is_optional(llvm::StringRef name) { return name == "std::optional" || name == "c10::optional"; }

CppTypeTree value_of(CppTypeTree spelling) {
  spelling.is_const = false;
  spelling.suffix.clear();
  return spelling;
}

CppTypeTree const_reference_to(CppTypeTree spelling) {
  spelling.is_const = true;
  spelling.suffix = " &";
  return spelling;
}

// Returns the C++ type of the first row for a schema type.
std::optional<CppType> first_type(llvm::ArrayRef<TypeTable::Row> rows, const Type& type) {
  const std::string schema = to_string(type);
  const auto* row = llvm::find_if(rows, [&](const TypeTable::Row& candidate) { return candidate.schema == schema; });
  if (row == rows.end()) return std::nullopt;
  return CppType{row->canonical.str(), row->written.str()};
}

// Returns the C++ type of the first row for a schema type, as authors write it.
std::optional<std::string> preferred(llvm::ArrayRef<TypeTable::Row> rows, const Type& type) {
  const std::optional<CppType> found = first_type(rows, type);
  return found ? std::optional(found->written) : std::nullopt;
}

}  // namespace

TypeTable::TypeTable(const Spec& spec) : spec_(spec) {
  for (const Row& row : spec.parameters) parameters_[row.canonical] = {type_of_row(row), row.written};
  for (const Row& row : spec.results) results_[row.canonical] = {type_of_row(row), row.written};
}

bool TypeTable::is_mutable_tensor(const CppTypeTree& spelling) const {
  return !spelling.is_const && spelling.suffix == " &" && spelling.name == spec_.tensor && spelling.arguments.empty();
}

bool TypeTable::is_refined(llvm::StringRef canonical) const {
  return spec_.has_refined_tensors && refinement_of(canonical).has_value();
}

bool TypeTable::is_tensor_handle(llvm::StringRef canonical) const {
  return canonical == ("const " + spec_.tensor + " &").str() || is_refined(canonical);
}

std::optional<TypeTable::Classified> TypeTable::argument(llvm::StringRef canonical) const {
  // Fast path: nearly all types are spelled as in the table.
  if (const auto found = parameters_.find(canonical); found != parameters_.end()) {
    return Classified{found->second.type, false};
  }
  if (is_refined(canonical)) return Classified{{Type::Base::Tensor, {}}, false};
  const std::optional<CppTypeTree> spelling = parse_cpp_type(canonical);
  if (!spelling) return std::nullopt;
  if (is_mutable_tensor(*spelling)) return Classified{{Type::Base::Tensor, {}}, true};
  if (spelling->is_value() && spelling->is_template(array_template) && spelling->arguments.size() == 2 &&
      spelling->arguments[0].name == "bool" && spelling->arguments[0].is_value()) {
    std::int64_t size = 0;
    if (llvm::StringRef(spelling->arguments[1].name).getAsInteger(10, size) || size < 1) return std::nullopt;
    return Classified{{Type::Base::Bool, {{Type::Wrapper::Kind::list, size}}}, false};
  }
  const auto found = parameters_.find(to_string(*spelling));
  if (found == parameters_.end()) return std::nullopt;
  return Classified{found->second.type, false};
}

const TypeTable::Entry* TypeTable::single_result(const CppTypeTree& spelling) const {
  const auto found = results_.find(to_string(spelling));
  return found == results_.end() ? nullptr : &found->second;
}

std::optional<std::vector<Type>> TypeTable::results(llvm::StringRef canonical) const {
  const std::optional<CppTypeTree> spelling = parse_cpp_type(canonical);
  if (!spelling) return std::nullopt;
  if (to_string(*spelling) == "void") return std::vector<Type>();
  if (is_mutable_tensor(*spelling)) return std::vector<Type>{{Type::Base::Tensor, {}}};
  if (const Entry* entry = single_result(*spelling)) return std::vector<Type>{entry->type};
  if (!spelling->is_value() || !spelling->is_template(tuple_template) || spelling->arguments.size() < 2) {
    return std::nullopt;
  }
  const bool are_references = is_mutable_tensor(spelling->arguments.front());
  std::vector<Type> types;
  for (const CppTypeTree& element : spelling->arguments) {
    if (is_mutable_tensor(element) != are_references) return std::nullopt;
    const Entry* entry = are_references ? nullptr : single_result(element);
    if (!are_references && !entry) return std::nullopt;
    types.push_back(entry ? entry->type : Type{Type::Base::Tensor, {}});
  }
  return types;
}

bool TypeTable::result_is_reference(llvm::StringRef canonical) const {
  if (!results(canonical)) return false;
  const std::optional<CppTypeTree> spelling = parse_cpp_type(canonical);
  return is_mutable_tensor(*spelling) ||
         (spelling->is_template(tuple_template) && is_mutable_tensor(spelling->arguments.front()));
}

std::optional<Type> TypeTable::intended(CppTypeTree spelling) const {
  if (is_string(spelling)) return Type{Type::Base::Str, {}};
  spelling = value_of(std::move(spelling));
  if (is_integer_type(spelling.name)) return Type{Type::Base::Int, {}};
  if (spelling.name == "float" || spelling.name == "long double") return Type{Type::Base::Float, {}};
  for (const CppTypeTree& candidate : {spelling, const_reference_to(spelling)}) {
    if (const std::optional<Classified> classified = argument(to_string(candidate))) return classified->type;
  }
  if (spelling.arguments.empty()) return std::nullopt;
  std::optional<Type> type = intended(spelling.arguments.front());
  if (!type) return std::nullopt;
  if (is_optional(spelling.name)) {
    type->wrappers.push_back({Type::Wrapper::Kind::optional, std::nullopt});
  } else if (is_container(spelling.name)) {
    type->wrappers.push_back({Type::Wrapper::Kind::list, std::nullopt});
  } else {
    return std::nullopt;
  }
  return type;
}

std::optional<std::string> TypeTable::suggestion(llvm::StringRef canonical) const {
  const std::optional<CppTypeTree> spelling = parse_cpp_type(canonical);
  if (!spelling || argument(canonical)) return std::nullopt;
  const CppTypeTree value = value_of(*spelling);
  // A pointer to a non-const tensor was probably meant as an output.
  if (value.name == spec_.tensor && !spelling->is_const && spelling->suffix == " *") {
    return (spec_.written_tensor + "&").str();
  }
  // If only the reference is wrong, keep the author's type.
  for (const CppTypeTree& candidate : {const_reference_to(value), value}) {
    std::string text = to_string(candidate);
    const auto found = parameters_.find(text);
    if (found != parameters_.end()) return found->second.written.str();
    if (argument(text)) return text;
  }
  const std::optional<Type> type = intended(*spelling);
  if (!type) return std::nullopt;
  return preferred(spec_.parameters, *type);
}

std::optional<std::string> TypeTable::written_result(const CppTypeTree& spelling) const {
  if (is_mutable_tensor(spelling)) return (spec_.written_tensor + "&").str();
  if (const Entry* entry = single_result(value_of(spelling))) return entry->written.str();
  std::optional<Type> type = intended(spelling);
  if (!type) return std::nullopt;
  if (type->is_optional()) type->wrappers.pop_back();
  return preferred(spec_.results, *type);
}

std::optional<std::string> TypeTable::result_suggestion(llvm::StringRef canonical) const {
  const std::optional<CppTypeTree> spelling = parse_cpp_type(canonical);
  if (!spelling || results(canonical)) return std::nullopt;
  if (!spelling->is_template(tuple_template) && !spelling->is_template("std::pair")) return written_result(*spelling);
  std::string text = "std::tuple<";
  bool has_reference = false;
  bool has_value = false;
  for (const CppTypeTree& element : spelling->arguments) {
    const std::optional<std::string> written = written_result(element);
    if (!written) return std::nullopt;
    (is_mutable_tensor(element) ? has_reference : has_value) = true;
    if (text.back() != '<') text += ", ";
    text += *written;
  }
  if (has_reference && has_value) return std::nullopt;  // ambiguous
  if (spelling->arguments.size() == 1) return written_result(spelling->arguments.front());
  return text + ">";
}

std::vector<std::string> TypeTable::pointwise_backends(llvm::ArrayRef<std::string> library) const {
  std::vector<std::string> backends;
  for (const llvm::StringRef backend : spec_.pointwise_backends) {
    if (library.empty() || llvm::is_contained(library, backend)) backends.push_back(backend.str());
  }
  for (const llvm::StringRef backend : spec_.listed_pointwise_backends) {
    if (llvm::is_contained(library, backend)) backends.push_back(backend.str());
  }
  return backends;
}

std::optional<std::string> TypeTable::canonical_argument(const Type& type) const {
  const std::optional<CppType> found = parameter_type(type);
  return found ? std::optional(found->canonical) : std::nullopt;
}

std::optional<CppType> TypeTable::parameter_type(const Type& type) const { return first_type(spec_.parameters, type); }
std::optional<CppType> TypeTable::result_type(const Type& type) const { return first_type(spec_.results, type); }

std::string TypeTable::written_argument(llvm::StringRef canonical) const {
  const auto found = parameters_.find(canonical);
  return found == parameters_.end() ? canonical.str() : found->second.written.str();
}

bool TypeTable::is_backend(llvm::StringRef name) const { return llvm::is_contained(spec_.backends, name); }

bool is_composite_backend(llvm::StringRef name) { return name.starts_with("Composite"); }

}  // namespace structured::gen
