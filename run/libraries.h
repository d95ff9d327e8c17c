#pragma once
// The operator libraries of structured-run.
#include <structured/find_operator.h>
#include <structured/program/operator_lookup.h>

#ifdef STRUCTURED_HAS_QUANTIZED
#include <structured/quantized/find_operator.h>
#include <structured/quantized_decomposed/find_operator.h>
#endif

namespace structured::run {

inline const OperatorHandle* find_in_libraries(std::string_view name) {
  if (const OperatorHandle* const found = structured::find_operator(name)) return found;
#ifdef STRUCTURED_HAS_QUANTIZED
  if (const OperatorHandle* const found = quantized::find_operator(name)) return found;
  return quantized_decomposed::find_operator(name);
#else
  return nullptr;
#endif
}

}  // namespace structured::run
