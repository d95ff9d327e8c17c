#include "structured/dispatch/boxed.h"

#include <iterator>

#include "structured/base/error.h"

namespace structured::detail {

Value* boxed_arguments(const OperatorBase& op, Stack& stack, std::size_t expected) {
  STRUCTURED_CHECK(stack.size() >= expected, "`", op.name(), "`: expected ", expected, " arguments on the stack, got ",
                   stack.size(), "; the schema is `", op.schema(), "`");
  return stack.data() + (stack.size() - expected);
}

void replace_arguments(Stack& stack, std::size_t arguments, Value* results, std::size_t count) {
  const std::size_t base = stack.size() - arguments;
  if (count > arguments) {
    stack.reserve(base + count);  // may throw: before the arguments are removed
  }
  stack.resize(base + count);
  for (std::size_t i = 0; i < count; ++i) {
    stack[base + i] = std::move(results[i]);
  }
}

Argument<double>::Argument(Value& value)
    : value_(value.is(Value::Kind::floating) ? value.to_double() : static_cast<double>(value.to_int())) {}

bool Argument<Scalar>::accepts(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::scalar:
    case Value::Kind::integer:
    case Value::Kind::floating:
    case Value::Kind::boolean:
      return true;
    default:
      return false;
  }
}

Argument<Scalar>::Argument(Value& value)
    : value_(value.is(Value::Kind::scalar)     ? value.to_scalar()
             : value.is(Value::Kind::integer)  ? Scalar(value.to_int())
             : value.is(Value::Kind::floating) ? Scalar(value.to_double())
                                               : Scalar(value.to_bool())) {}

Argument<std::optional<Tensor>>::Argument(Value& value) {
  if (value.is(Value::Kind::tensor)) {
    value_.emplace(value.to_tensor());
  }
}

Argument<IntArrayRef>::Argument(Value& value) : is_single_(value.is(Value::Kind::integer)) {
  if (is_single_) {
    single_ = value.to_int();
  } else {
    values_ = value.to_int_list();
  }
}

Argument<ArrayRef<double>>::Argument(Value& value) {
  if (value.is(Value::Kind::double_list)) {
    values_ = value.to_double_list();
  } else {
    convert(value.to_int_list());
  }
}

Argument<ArrayRef<Scalar>>::Argument(Value& value) {
  if (value.is(Value::Kind::scalar_list)) {
    values_ = value.to_scalar_list();
  } else if (value.is(Value::Kind::double_list)) {
    convert(value.to_double_list());
  } else {
    convert(value.to_int_list());
  }
}

Argument<ArrayRef<std::string_view>>::Argument(Value& value) { convert(value.to_string_list()); }

Argument<ArrayRef<std::optional<Tensor>>>::Argument(Value& value) {
  if (value.is(Value::Kind::optional_tensor_list)) {
    values_ = value.to_optional_tensor_list();
  } else {
    convert(value.to_tensor_list());
  }
}

}  // namespace structured::detail
