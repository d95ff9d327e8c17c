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

/// The full name by which callers know an operator: the kernels of `my::relu` may be those of `my::_opaque_relu`.
inline std::string known_name(std::string name) {
  constexpr std::string_view prefix = "::_opaque_";
  const std::size_t found = name.find(prefix);
  if (found != std::string::npos) name.replace(found, prefix.size(), "::");
  return name;
}
inline std::string known_name(const c10::OperatorName& name) {
  return known_name(name.overload_name.empty() ? name.name : name.name + "." + name.overload_name);
}

}  // namespace detail

}  // namespace structured::torch
