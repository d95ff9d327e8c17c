#pragma once
// Names of operators as template arguments, and the operators that have them.
#include <ATen/core/dispatch/Dispatcher.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace structured::torch {

/// A string literal as a template argument: `my::add_.Tensor`.
template <std::size_t size>
struct Text {
  consteval Text(const char (&text)[size]) {
    for (std::size_t i = 0; i < size; ++i) characters[i] = text[i];
  }
  constexpr std::string_view view() const { return {characters, size - 1}; }
  /// `add_.Tensor`
  constexpr const char* without_namespace() const { return characters + view().find("::") + 2; }
  char characters[size];
};

namespace detail {

inline c10::OperatorHandle find_operator_handle(std::string_view name) {
  const std::size_t dot = name.find('.');
  const std::string base(name.substr(0, dot));
  const std::string overload(dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1));
  return c10::Dispatcher::singleton().findSchemaOrThrow(base.c_str(), overload.c_str());
}

}  // namespace detail

}  // namespace structured::torch
