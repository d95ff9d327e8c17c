// A module with functions for each type of the registry, which return their argument: `Int`, `Int_optional`,
// `Int_list`, `Int_optional_list`. test_registered_types.py calls them.
#include "structured/python/module.h"
// Python.h comes first.
#include <deque>
#include <string>
#include <type_traits>
#include <vector>

#include "../../unit/registered_types.h"

namespace structured::python {
namespace {

std::string_view enumerator_of(SchemaBase base) {
  switch (base) {
#define STRUCTURED_VALUE_TYPE(enumerator, ...) \
  case SchemaBase::enumerator:                 \
    return #enumerator;
#define STRUCTURED_BASE_TYPE(enumerator, ...) \
  case SchemaBase::enumerator:                \
    return #enumerator;
#include "structured/schema/types.def"
    default:
      return "";
  }
}

// Tables of the module, which live as long as the process.
class Tables {
 public:
  template <SchemaBase base, class Parameter>
  void add(const std::string& name, const std::string& wrappers) {
    const std::string type = std::string(to_string(base)) + wrappers;
    // Storages and streams have no objects in Python.
    constexpr bool is_result = base != SchemaBase::Storage && base != SchemaBase::Stream;
    Invoke call = nullptr;
    if constexpr (is_result) {
      call = &invoke<decltype(owned(std::declval<Parameter>()))(Parameter), &same<Parameter>>;
    } else {
      call = &invoke<void(Parameter), &ignore<Parameter>>;
    }
    const std::string& kept = texts_.emplace_back(std::string(enumerator_of(base)) + name);
    const std::string& schema = texts_.emplace_back(kept + "(" + type + " value) -> " + (is_result ? type : "()"));
    Function& function = functions_.emplace_back();
    function.name = kept.c_str();
    function.overloads = &overloads_.emplace_back(Overload{schema.c_str(), call});
    function.count = 1;
  }

  FunctionTable table() const { return {functions_.data(), functions_.size()}; }

 private:
  template <class Parameter>
  static void ignore(Parameter) {}

  std::deque<std::string> texts_;
  std::deque<Overload> overloads_;
  std::vector<Function> functions_;
};

FunctionTable make_table() {
  static Tables tables;
  for_each_schema_type([]<SchemaBase base>() {
    tables.add<base, ParameterOf<base>>("", "");
    tables.add<base, OptionalParameterOf<base>>("_optional", "?");
  });
  for_each_list_type([]<SchemaBase base>() {
    tables.add<base, ListOf<base>>("_list", "[]");
    tables.add<base, OptionalListOf<base>>("_optional_list", "[]?");
  });
  return tables.table();
}

}  // namespace
}  // namespace structured::python

PyMODINIT_FUNC PyInit_registered_types_py() {
  static const structured::python::FunctionTable table = structured::python::make_table();
  static const structured::python::FunctionTable* tables[] = {&table};
  return structured::python::create_module("registered_types_py", tables, 1);
}
