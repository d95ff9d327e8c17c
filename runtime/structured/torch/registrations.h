#pragma once
// Definitions of registrations, which library.h declares.
#include <ATen/core/dispatch/Dispatcher.h>
#include <dlfcn.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <cstddef>
#include <exception>
#include <initializer_list>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "structured/torch/library.h"

namespace structured::torch::detail {

/// Returns the tags of libtorch among the given words. Every operator has `pt2_compliant_tag`.
template <class Tag = at::Tag>
std::vector<Tag> known_tags(std::initializer_list<std::string_view> words) {
  std::vector<Tag> tags;
  if constexpr (requires { Tag::pt2_compliant_tag; }) {
    tags.push_back(Tag::pt2_compliant_tag);
  }
  for (const std::string_view word : words) {
#define STRUCTURED_TORCH_TAG(name)                \
  if constexpr (requires { Tag::name; }) {        \
    if (word == #name) tags.push_back(Tag::name); \
  }
    STRUCTURED_TORCH_TAG(core)
    STRUCTURED_TORCH_TAG(pointwise)
    STRUCTURED_TORCH_TAG(inplace_view)
    STRUCTURED_TORCH_TAG(nondeterministic_seeded)
    STRUCTURED_TORCH_TAG(nondeterministic_bitwise)
    STRUCTURED_TORCH_TAG(data_dependent_output)
    STRUCTURED_TORCH_TAG(dynamic_output_shape)
    STRUCTURED_TORCH_TAG(needs_fixed_stride_order)
    STRUCTURED_TORCH_TAG(flexible_layout)
#undef STRUCTURED_TORCH_TAG
  }
  return tags;
}

/// Returns the message of an exception, without the stack trace that libtorch adds.
inline std::string message_of(const std::exception& error) {
  const auto* own = dynamic_cast<const c10::Error*>(&error);
  return own != nullptr ? own->what_without_backtrace() : error.what();
}

/// Errors of this library's registrations so far, separated by semicolons.
inline std::string& load_errors() {
  static std::string errors;
  return errors;
}

/// Returns the path of the shared library, or of the program, that has this code.
inline std::string own_path() {
  Dl_info info{};
  const bool is_found = dladdr(reinterpret_cast<const void*>(&own_path), &info) != 0 && info.dli_fname != nullptr;
  return is_found ? info.dli_fname : "unknown";
}

/// Calls `register_one`. Prints errors, "structured: cannot register my::add: ...", and keeps them.
template <class Register>
bool attempt(const std::string& what, const Register& register_one) {
  try {
    register_one();
    return true;
  } catch (const std::exception& error) {
    const std::string text = what + ": " + message_of(error);
    std::cerr << "structured: cannot register " << text << std::endl;
    if (!load_errors().empty()) load_errors() += "; ";
    load_errors() += text;
  }
  return false;
}

/// `my::add.Tensor`
inline std::string text_of(const c10::OperatorName& name) {
  return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

Registrations::Registrations(const char* ns) : namespace_(ns), origin_("registered at " + own_path()) {}

Registrations::Definition Registrations::define(const char* schema, std::initializer_list<std::string_view> tags) {
  Definition definition;
  attempt(namespace_ + "::" + schema, [&] {
    c10::FunctionSchema parsed = ::torch::jit::parseSchema(schema);
    parsed.setAliasAnalysis(c10::AliasAnalysisKind::FROM_SCHEMA);
    parsed.setNamespaceIfNotSet(namespace_.c_str());
    const Definition found{parsed.operator_name(), parsed.is_mutable()};
    all_.push_back(c10::Dispatcher::singleton().registerDef(std::move(parsed), origin_, known_tags(tags)));
    definition = found;
  });
  return definition;
}

void Registrations::add(const c10::OperatorName& name, c10::DispatchKey key, Kernel&& kernel) {
  attempt("a kernel of " + text_of(name), [&] {
    all_.push_back(c10::Dispatcher::singleton().registerImpl(name, key, std::move(kernel.function), kernel.signature,
                                                             nullptr, origin_));
  });
}

void Registrations::add_to_other(const char* name, c10::DispatchKey key, Kernel&& kernel) {
  const std::string_view full = name;
  const std::size_t dot = full.find('.');
  const c10::OperatorName op(namespace_ + "::" + std::string(full.substr(0, dot)),
                             std::string(dot == std::string_view::npos ? "" : full.substr(dot + 1)));
  const bool exists = attempt("a kernel of " + text_of(op), [&] {
    TORCH_CHECK(c10::Dispatcher::singleton().findSchema(op),
                "this PyTorch has no such operator; build the library for the PyTorch that loads it");
  });
  if (exists) add(op, key, std::move(kernel));
}

}  // namespace structured::torch::detail

/// Returns the errors of the library's registrations, an empty text if there is none.
extern "C" [[gnu::visibility("default")]] const char* structured_load_errors() {
  return structured::torch::detail::load_errors().c_str();
}
