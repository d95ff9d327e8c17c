#pragma once
// Helpers of adaptor tests: the message of an error, and the warnings of a call.
#include <string>
#include <vector>

#include "structured/base/error.h"

namespace structured {

/// Message of the Error that `function` throws, or "no error".
template <class Function>
std::string message_of(Function&& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Collects warnings during its lifetime. One object at a time.
class CaughtWarnings {
 public:
  CaughtWarnings() : previous_(set_warning_handler(&add)) { texts().clear(); }
  CaughtWarnings(const CaughtWarnings&) = delete;
  CaughtWarnings& operator=(const CaughtWarnings&) = delete;
  ~CaughtWarnings() { set_warning_handler(previous_); }

  const std::vector<std::string>& get() const { return texts(); }

 private:
  static std::vector<std::string>& texts() {
    static std::vector<std::string> collected;
    return collected;
  }
  static void add(const char* text) { texts().push_back(text); }

  WarningHandler previous_;
};

}  // namespace structured
