#include "dialect/native_defaults.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace structured::gen {
namespace {

using Value = schema::DefaultValue;

// An integer that may not be exact as a double, or fit an integer type, is spelled as a double.
CppDefault real(double number, llvm::StringRef text) {
  constexpr std::size_t exact_digits = std::numeric_limits<double>::digits10;
  if (std::isnan(number)) return {"std::numeric_limits<double>::quiet_NaN()", "<limits>"};
  if (std::isinf(number)) {
    return {std::string(number < 0 ? "-" : "") + "std::numeric_limits<double>::infinity()", "<limits>"};
  }
  const llvm::StringRef digits = text.starts_with("-") ? text.drop_front() : text;
  const bool is_long = digits.size() > exact_digits && llvm::all_of(digits, llvm::isDigit);
  return {text.str() + (is_long ? ".0" : ""), ""};
}

CppDefault integer(int64_t number, llvm::StringRef text) {
  // The literal without its sign overflows.
  if (number == std::numeric_limits<int64_t>::min()) return {"std::numeric_limits<int64_t>::min()", "<limits>"};
  return {text.str(), ""};
}

CppDefault list(const Value::List& elements) {
  CppDefault result;
  result.form = CppDefault::Form::braces;
  for (const Value& value : elements) {
    const CppDefault element = native_default(value);
    result.expression.append(result.expression.empty() ? "" : ", ").append(element.expression);
    if (!element.header.empty()) result.header = element.header;
  }
  result.expression = "{" + result.expression + "}";
  return result;
}

}  // namespace

CppDefault native_default(const Value& value) {
  if (value.as<Value::None>()) return {"std::nullopt", "<optional>", CppDefault::Form::none};
  if (const auto* truth = value.as<bool>()) return {*truth ? "true" : "false", ""};
  if (const auto* number = value.as<int64_t>()) return integer(*number, value.text);
  if (const auto* number = value.as<double>()) return real(*number, value.text);
  if (const auto* elements = value.as<Value::List>()) return list(*elements);
  if (const auto* named = value.as<Value::Enumerator>()) {
    const llvm::StringRef header = named->enumeration == "Reduction" ? "<structured/core/reduction.h>" : "";
    return {"::structured::" + std::string(named->enumeration) + "::" + std::string(named->name), header.str()};
  }
  return {cpp_string(value), ""};
}

Value with_all_elements(const Type& type, Value value) {
  const Type list = type.is_optional() ? unwrapped(type) : type;
  if (!list.is_list() || value.as<Value::None>() || value.as<Value::List>()) return value;
  const auto count = static_cast<std::size_t>(list.wrappers.back().size.value_or(1));
  const std::string_view text = value.text;
  return Value{Value::List(count, std::move(value)), text};
}

bool converts_from_element(const Type& type) {
  return !type.is_optional() && type.base != Type::Base::Bool && type.base != Type::Base::Str;
}

std::string cpp_string(const Value& value) {
  return value.text.starts_with('"') ? std::string(value.text) : schema::to_string(value);
}

}  // namespace structured::gen
