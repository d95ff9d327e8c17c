#include "model/schema.h"

#include <optional>
#include <utility>

#include "structured/schema/parse.h"

namespace structured::gen {
namespace {

template <class T>
llvm::Expected<T> expected(std::optional<T> value, const schema::ParseError& error) {
  if (!value) return llvm::createStringError(llvm::inconvertibleErrorCode(), error.message());
  return *std::move(value);
}

}  // namespace

llvm::Expected<Type> parse_type(llvm::StringRef text) {
  schema::ParseError error;
  return expected(schema::parse_type(text, &error), error);
}

llvm::Expected<OperatorName> parse_operator_name(llvm::StringRef text) {
  schema::ParseError error;
  return expected(schema::parse_operator_name(text, &error), error);
}

llvm::Expected<Schema> parse_schema(llvm::StringRef text) {
  schema::ParseError error;
  return expected(schema::parse_schema(text, &error), error);
}

}  // namespace structured::gen
