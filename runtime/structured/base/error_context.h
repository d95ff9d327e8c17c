#pragma once
// Context of a message: the operators that are running, and the argument that the message is about. The context is
// found on the call stack when the message is made, so that calls do not maintain it. Defined in
// dispatch/error_context.cpp, since core/ is below dispatch/.
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "structured/base/argument_part.h"
#include "structured/base/export.h"

namespace structured {

struct OperatorHandle;

namespace detail {

/// Context of the message that the thread is making. ArgumentPart uses the newest object of the thread.
class ErrorContext {
 public:
  /// Finds the running operators of all libraries. Takes some 20 microseconds.
  ErrorContext() noexcept;
  ErrorContext(const ErrorContext&) = delete;
  ErrorContext& operator=(const ErrorContext&) = delete;
  ~ErrorContext();

  /// `message` with the running operators in front: "in matmul: in dot: ...". Omits the innermost one if the message
  /// begins with its name.
  std::string complete(const std::string& message) const;

  /// Full name of the innermost running operator, such as `aten::dot`; empty if none is running.
  std::string_view operator_name() const noexcept;
  /// Name of the argument, as ArgumentPart has written it.
  const std::string& argument() const noexcept { return argument_; }

 private:
  friend std::ostream& operator<<(std::ostream& out, ArgumentPart part);

  ErrorContext* const outer_;                     // context of a message that this one interrupts
  std::vector<const OperatorHandle*> operators_;  // the innermost first; operators with one base name count once
  std::string argument_;
};

}  // namespace detail
}  // namespace structured
