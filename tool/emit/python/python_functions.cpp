#include "emit/python/python_functions.h"

#include <map>
#include <system_error>
#include <utility>

#include "emit/python/overload_order.h"
#include "llvm/ADT/StringRef.h"

namespace structured::gen {
namespace {

bool starts_with_self(const Schema& schema) {
  return !schema.positional.empty() && schema.positional.front().name == "self" &&
         schema.positional.front().type.is(Type::Base::Tensor);
}

// In-place variants are methods without an attribute: their name says that they change `self`.
bool is_method(const LoweredVariant& variant, const PythonFunctionOptions& options) {
  if (!starts_with_self(variant.derived->schema)) return false;
  return options.self_methods || variant.op->is_method || variant.derived->kind == Variant::Kind::inplace;
}

}  // namespace

llvm::Expected<std::vector<PythonFunction>> python_functions(llvm::ArrayRef<LoweredLibrary> libraries,
                                                             const PythonFunctionOptions& options) {
  std::map<std::string, PythonFunction> by_name;
  std::map<std::string, std::string> owners;  // full name by name and overload
  for (const LoweredLibrary& library : libraries) {
    for (const LoweredVariant& variant : library.own_variants()) {
      PythonOverload overload{&library, &variant, variant.derived->schema};
      OperatorName& name = overload.schema.name;
      const bool is_foreign = !name.ns.empty() && name.ns != library.library->schema_namespace;
      if (is_foreign && options.own_namespace) continue;
      if (is_foreign) name.base = joined_scopes(name.ns, "_") + "_" + name.base;
      name.ns.clear();
      const auto [owner, is_new] = owners.emplace(to_string(name), variant.full_name);
      if (!is_new) {
        return llvm::createStringError(std::errc::invalid_argument,
                                       "operators `%s` and `%s` have the same name in Python", owner->second.c_str(),
                                       variant.full_name.c_str());
      }
      PythonFunction& function = by_name[name.base];
      function.name = name.base;
      function.is_method |= is_method(variant, options);
      function.overloads.push_back(std::move(overload));
    }
  }
  std::vector<PythonFunction> functions;
  functions.reserve(by_name.size());
  for (auto& [name, function] : by_name) {
    sort_overloads(function.overloads);
    functions.push_back(std::move(function));
  }
  return functions;
}

}  // namespace structured::gen
