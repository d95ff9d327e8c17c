#include "structured/check/aliases.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "structured/base/error.h"
#include "structured/check/elements.h"

namespace structured::detail {
namespace {

// Whether the schema allows a result to share memory with an argument.
bool may_alias(const SchemaArgument& argument, const SchemaArgument& result) {
  const std::string_view sets = argument.alias;
  if (sets.find("-> *") != std::string_view::npos) return true;
  return std::any_of(sets.begin(), sets.end(),
                     [&](char c) { return c >= 'a' && c <= 'z' && result.alias.find(c) != std::string_view::npos; });
}

std::string described(const SchemaText& schema, std::size_t result) {
  std::string text = "result";
  if (schema.returns.size() > 1) text += " " + std::to_string(result);
  const std::string_view name = schema.returns[result].name;
  return name.empty() ? text : text + " `" + std::string(name) + "`";
}

void check_mutable_result(const OperatorBase& op, const SchemaText& schema, const Stack& arguments,
                          std::size_t position, const Tensor& result) {
  const std::string_view wanted = schema.returns[position].alias;
  std::string_view name;
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    if (schema.arguments[i].alias != wanted) continue;
    name = schema.arguments[i].name;
    for (const Tensor& argument : tensors_in(arguments[i])) {
      if (argument.is_same(result)) return;
    }
  }
  fail("`", op.name(), "`: ", described(schema, position), " is another tensor than argument `", name,
       "`, as which the schema declares it");
}

}  // namespace

void check_aliases(const OperatorBase& op, const SchemaText& schema, const Stack& arguments, const Stack& results) {
  if (schema.arguments.size() != arguments.size() || schema.returns.size() != results.size()) return;
  for (std::size_t r = 0; r < results.size(); ++r) {
    for (const Tensor& result : tensors_in(results[r])) {
      if (!result.defined()) continue;
      if (schema.returns[r].is_mutable() && results[r].is(Value::Kind::tensor)) {
        check_mutable_result(op, schema, arguments, r, result);
      }
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (may_alias(schema.arguments[i], schema.returns[r])) continue;
        for (const Tensor& argument : tensors_in(arguments[i])) {
          const bool is_shared = argument.defined() && argument.storage().is_same(result.storage());
          // Several arguments may share memory, and the schema may declare an alias of only one of them.
          const bool is_declared = std::any_of(arguments.begin(), arguments.end(), [&](const Value& other) {
            const auto k = static_cast<std::size_t>(&other - arguments.data());
            const std::vector<Tensor> tensors = tensors_in(other);
            return may_alias(schema.arguments[k], schema.returns[r]) &&
                   std::any_of(tensors.begin(), tensors.end(), [&](const Tensor& tensor) {
                     return tensor.defined() && tensor.storage().is_same(result.storage());
                   });
          });
          STRUCTURED_CHECK(!is_shared || is_declared, "`", op.name(), "`: ", described(schema, r),
                           " shares memory with argument `", schema.arguments[i].name,
                           "`, but the schema declares no alias: `", op.schema(),
                           "`; return a copy, or annotate the parameter with [[structured::alias(\"a\")]]");
        }
      }
    }
  }
}

}  // namespace structured::detail
