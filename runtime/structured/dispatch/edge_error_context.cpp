// Messages of errors in the edge runtime, whose operators are not found on the call stack.
#include <ostream>

#include "structured/base/error_context.h"

namespace structured::detail {

ErrorContext::ErrorContext() noexcept : outer_(nullptr) {}

ErrorContext::~ErrorContext() = default;

std::string ErrorContext::complete(const std::string& message) const { return message; }

std::string_view ErrorContext::operator_name() const noexcept { return {}; }

std::ostream& operator<<(std::ostream& out, ArgumentPart) { return out; }

}  // namespace structured::detail
