#include "model/type_table.h"

#include <cassert>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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

// Returns the size N of `std::array<bool, N>`.
std::optional<int64_t> array_size(const CppTypeTree& spelling) {
  if (!spelling.is_value() || !spelling.is_template(array_template) || spelling.arguments.size() != 2) {
    return std::nullopt;
  }
  const CppTypeTree& element = spelling.arguments[0];
  int64_t size = 0;
  if (element.name != "bool" || !element.is_value()) return std::nullopt;
  if (llvm::StringRef(spelling.arguments[1].name).getAsInteger(10, size) || size < 1) return std::nullopt;
  return size;
}

bool is_tuple(const CppTypeTree& spelling) {
  return spelling.is_template(tuple_template) || spelling.is_template("std::pair");
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

// Returns `Tensor` for `const Tensor&` and for `const Tensor &`.
std::string without_reference(llvm::StringRef type) {
  if (type.consume_front("const ")) type.consume_back("&");
  return type.rtrim().str();
}

const TypeTable::Row* first_row(llvm::ArrayRef<TypeTable::Row> rows, const Type& type) {
  const std::string schema = to_string(type);
  const auto* row = llvm::find_if(rows, [&](const TypeTable::Row& candidate) { return candidate.schema == schema; });
  return row == rows.end() ? nullptr : row;
}

// The type of a list of results.
constexpr TypeTable::Template vector_template{"std::vector", "std::vector"};

std::string with_argument(llvm::StringRef name, const std::string& argument) {
  return name.str() + "<" + without_reference(argument) + ">";
}

}  // namespace

TypeTable::TypeTable(const Spec& spec) : spec_(spec) {
  for (const Row& row : spec.parameters) parameters_[row.canonical] = {type_of_row(row), row.written.str()};
  for (const Row& row : spec.results) results_[row.canonical] = {type_of_row(row), row.written.str()};
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
  const std::optional<Entry> found = parameter(*spelling);
  if (!found) return std::nullopt;
  return Classified{found->type, false};
}

std::optional<TypeTable::Entry> TypeTable::composed(const CppTypeTree& spelling, llvm::ArrayRef<Row> rows,
                                                    const Template& list,
                                                    std::optional<Entry> (TypeTable::*element)(const CppTypeTree&)
                                                        const) const {
  if (!spelling.is_value() || spelling.arguments.size() != 1) return std::nullopt;
  const auto* optional =
      llvm::find_if(spec_.optionals, [&](const Template& each) { return each.canonical == spelling.name; });
  const bool is_optional = optional != spec_.optionals.end();
  if (!is_optional && spelling.name != list.canonical) return std::nullopt;
  const CppTypeTree& argument = spelling.arguments.front();
  std::optional<Entry> entry = argument.is_value() ? (this->*element)(argument) : std::nullopt;
  if (!entry || (is_optional ? entry->type.is_optional() : !has_list(entry->type))) return std::nullopt;
  entry->type.wrappers.push_back(
      {is_optional ? Type::Wrapper::Kind::optional : Type::Wrapper::Kind::list, std::nullopt});
  if (first_row(rows, entry->type)) return std::nullopt;  // the dialect has another C++ type for it
  entry->written = with_argument(is_optional ? optional->written : list.written, entry->written);
  return entry;
}

std::optional<TypeTable::Entry> TypeTable::parameter_element(const CppTypeTree& spelling) const {
  if (const auto found = parameters_.find(to_string(spelling)); found != parameters_.end()) return found->second;
  const std::string reference = to_string(const_reference_to(spelling));
  if (const auto found = parameters_.find(reference); found != parameters_.end()) return found->second;
  if (std::optional<int64_t> size = spec_.has_bool_arrays ? array_size(spelling) : std::nullopt) {
    return Entry{{Type::Base::Bool, {{Type::Wrapper::Kind::list, size}}}, to_string(spelling)};
  }
  return composed(spelling, spec_.parameters, spec_.list, &TypeTable::parameter_element);
}

std::optional<TypeTable::Entry> TypeTable::parameter(const CppTypeTree& spelling) const {
  if (const auto found = parameters_.find(to_string(spelling)); found != parameters_.end()) return found->second;
  const CppTypeTree value = value_of(spelling);
  const bool is_reference = !spelling.is_value();
  if (is_reference && spelling != const_reference_to(value)) return std::nullopt;
  // Single values have rows for each way to pass them.
  if (parameters_.contains(to_string(value)) || parameters_.contains(to_string(const_reference_to(value)))) {
    return std::nullopt;
  }
  std::optional<Entry> entry = parameter_element(value);
  if (!entry || is_reference != spec_.has_composed_references) return std::nullopt;
  if (is_reference) entry->written = "const " + entry->written + "&";
  return entry;
}

std::optional<TypeTable::Entry> TypeTable::single_result(const CppTypeTree& spelling) const {
  if (const auto found = results_.find(to_string(spelling)); found != results_.end()) return found->second;
  std::optional<Entry> entry = composed(spelling, spec_.results, vector_template, &TypeTable::single_result);
  // std::vector<bool> has no elements to refer to.
  const bool is_bool_list = entry && entry->type.base == Type::Base::Bool && schema::contains_list(entry->type);
  return is_bool_list ? std::nullopt : entry;
}

std::optional<CppType> TypeTable::usual_type(llvm::ArrayRef<Row> rows, const Template& list, const Type& type) const {
  if (const Row* row = first_row(rows, type)) return CppType{row->canonical.str(), row->written.str()};
  if (type.wrappers.empty()) return std::nullopt;
  Type element = type;
  element.wrappers.pop_back();
  if (type.is_optional() ? element.is_optional() : !has_list(element)) return std::nullopt;
  const std::optional<CppType> inner = usual_type(rows, list, element);
  if (!inner) return std::nullopt;
  const Template& outer = type.is_optional() ? spec_.optionals.front() : list;
  CppType result{with_argument(outer.canonical, inner->canonical), with_argument(outer.written, inner->written)};
  return result;
}

std::optional<std::vector<Type>> TypeTable::results(llvm::StringRef canonical) const {
  const std::optional<CppTypeTree> spelling = parse_cpp_type(canonical);
  if (!spelling) return std::nullopt;
  if (to_string(*spelling) == "void") return std::vector<Type>();
  if (is_mutable_tensor(*spelling)) return std::vector<Type>{{Type::Base::Tensor, {}}};
  if (const std::optional<Entry> entry = single_result(*spelling)) return std::vector<Type>{entry->type};
  if (!spelling->is_value() || !spelling->is_template(tuple_template) || spelling->arguments.size() < 2) {
    return std::nullopt;
  }
  const bool are_references = is_mutable_tensor(spelling->arguments.front());
  std::vector<Type> types;
  for (const CppTypeTree& element : spelling->arguments) {
    if (is_mutable_tensor(element) != are_references) return std::nullopt;
    const std::optional<Entry> entry = are_references ? std::nullopt : single_result(element);
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
    if (std::optional<Entry> entry = parameter(candidate)) return std::move(entry->written);
  }
  const std::optional<Type> type = intended(*spelling);
  const std::optional<CppType> usual = type ? parameter_type(*type) : std::nullopt;
  return usual ? std::optional(usual->written) : std::nullopt;
}

llvm::StringRef TypeTable::advice(llvm::StringRef canonical) const {
  std::optional<CppTypeTree> spelling = parse_cpp_type(canonical);
  while (spelling) {
    const auto* found = llvm::find_if(spec_.advice, [&](const Advice& each) { return each.type == spelling->name; });
    if (found != spec_.advice.end()) return found->expected;
    if (spelling->arguments.empty()) break;
    spelling = CppTypeTree(spelling->arguments.front());
  }
  return {};
}

std::optional<std::string> TypeTable::written_result(const CppTypeTree& spelling) const {
  if (is_mutable_tensor(spelling)) return (spec_.written_tensor + "&").str();
  if (std::optional<Entry> entry = single_result(value_of(spelling))) return std::move(entry->written);
  const std::optional<Type> type = intended(spelling);
  const std::optional<CppType> usual = type ? result_type(*type) : std::nullopt;
  return usual ? std::optional(usual->written) : std::nullopt;
}

std::optional<std::string> TypeTable::result_suggestion(llvm::StringRef canonical) const {
  const std::optional<CppTypeTree> spelling = parse_cpp_type(canonical);
  if (!spelling || results(canonical)) return std::nullopt;
  if (!is_tuple(*spelling)) return written_result(*spelling);
  const bool is_mixed = result_mixes_references(canonical);
  std::vector<std::string> types;
  for (const CppTypeTree& element : spelling->arguments) {
    if (is_mixed && is_mutable_tensor(element)) continue;
    std::optional<std::string> written = written_result(element);
    if (!written) return std::nullopt;
    types.push_back(std::move(*written));
  }
  return types.size() == 1 ? types.front() : "std::tuple<" + llvm::join(types, ", ") + ">";
}

bool TypeTable::result_mixes_references(llvm::StringRef canonical) const {
  const std::optional<CppTypeTree> spelling = parse_cpp_type(canonical);
  if (!spelling || !is_tuple(*spelling)) return false;
  const auto is_reference = [this](const CppTypeTree& element) { return is_mutable_tensor(element); };
  return llvm::any_of(spelling->arguments, is_reference) && !llvm::all_of(spelling->arguments, is_reference);
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

std::optional<CppType> TypeTable::parameter_type(const Type& type) const {
  std::optional<CppType> found = usual_type(spec_.parameters, spec_.list, type);
  if (found && spec_.has_composed_references && !first_row(spec_.parameters, type)) {
    *found = {"const " + found->canonical + " &", "const " + found->written + "&"};
  }
  return found;
}

std::optional<CppType> TypeTable::result_type(const Type& type) const {
  const bool is_bool_list = type.base == Type::Base::Bool && schema::contains_list(type);
  return is_bool_list ? std::nullopt : usual_type(spec_.results, vector_template, type);
}

std::string TypeTable::written_argument(llvm::StringRef canonical) const {
  const std::optional<CppTypeTree> spelling = parse_cpp_type(canonical);
  std::optional<Entry> entry = spelling ? parameter(*spelling) : std::nullopt;
  return entry ? std::move(entry->written) : canonical.str();
}

bool TypeTable::is_backend(llvm::StringRef name) const { return llvm::is_contained(spec_.backends, name); }

bool is_composite_backend(llvm::StringRef name) { return name.starts_with("Composite"); }

}  // namespace structured::gen
