#include <utility>

#include "structured/dispatch/signature.h"

namespace structured::detail {

OperatorSignature signature_from(const ParameterList& parameters) {
  OperatorSignature signature;
  const std::size_t count = std::size_t{parameters.arguments} + parameters.results;
  for (std::size_t i = 0; i < count; ++i) {
    const ParameterData& data = parameters.first[i];
    Parameter parameter{data.name,       data.kind,     data.is_optional,
                        data.is_mutable, data.is_alias, data.is_keyword_only,
                        data.length,     std::nullopt};
    if (data.default_value != nullptr) parameter.default_value = data.default_value();
    (i < parameters.arguments ? signature.arguments : signature.results).push_back(std::move(parameter));
  }
  return signature;
}

}  // namespace structured::detail
