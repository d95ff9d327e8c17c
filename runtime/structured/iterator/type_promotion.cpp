#include "structured/iterator/type_promotion.h"

#include <algorithm>

#include "structured/base/error.h"

namespace structured {
namespace {

void promote_into(ScalarType& type, ScalarType other) {
  type = type == ScalarType::Undefined ? other : promote_types(type, other);
}

// Numbers have a category but no size.
ScalarType number_type(ScalarType type) {
  if (is_complex(type)) return to_complex(default_dtype());
  return is_floating(type) ? default_dtype() : type;
}

ScalarType combine(ScalarType higher, ScalarType lower) {
  if (lower == ScalarType::Undefined || is_complex(higher)) return higher;
  if (higher == ScalarType::Undefined) return lower;
  if (is_floating(higher)) return is_complex(lower) ? to_complex(higher) : higher;
  // A lower priority counts only with a higher category: every dtype is above bool, and non-integral ones are above
  // integers.
  if (higher == ScalarType::Bool || is_floating(lower) || is_complex(lower)) return promote_types(higher, lower);
  return higher;
}

}  // namespace

void TypePromotion::add(const Tensor& tensor) {
  if (!tensor.defined()) return;
  const ScalarType type = tensor.is_wrapped_number() ? number_type(tensor.scalar_type()) : tensor.scalar_type();
  if (tensor.dim() > 0) {
    promote_into(dimensioned_, type);
  } else {
    promote_into(tensor.is_wrapped_number() ? number_ : zero_dim_, type);
  }
}

void TypePromotion::add(const Scalar& number) { promote_into(number_, number_type(number.type())); }

ScalarType TypePromotion::result() const { return combine(dimensioned_, combine(zero_dim_, number_)); }

ScalarType result_type(TensorList tensors) {
  const auto is_plain = [type = tensors.empty() || !tensors[0].defined() ? ScalarType::Undefined
                                                                         : tensors[0].dtype()](const Tensor& tensor) {
    return tensor.defined() && tensor.dtype() == type && !tensor.is_wrapped_number();
  };
  if (!tensors.empty() && std::all_of(tensors.begin(), tensors.end(), is_plain)) return tensors[0].dtype();
  TypePromotion promotion;
  for (const Tensor& tensor : tensors) promotion.add(tensor);
  const ScalarType result = promotion.result();
  STRUCTURED_CHECK(result != ScalarType::Undefined, "expected at least one defined tensor for the result dtype, got ",
                   tensors.size(), " undefined tensors");
  return result;
}

ScalarType result_type(const Tensor& a, const Tensor& b) {
  TypePromotion promotion;
  promotion.add(a);
  promotion.add(b);
  return promotion.result();
}

ScalarType result_type(const Tensor& tensor, const Scalar& number) {
  TypePromotion promotion;
  promotion.add(tensor);
  promotion.add(number);
  return promotion.result();
}

}  // namespace structured
