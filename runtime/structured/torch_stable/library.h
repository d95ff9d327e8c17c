#pragma once
// Registration of emitted operators with libtorch's dispatcher, through the stable ABI. Emitted sources use it; authors
// need not.
//
// An error in a registration, such as an operator that another library has defined, is reported to standard error, and
// the operator is left out: an exception while a shared library is loaded would end the process. The library's Python
// package reads the errors by structured_load_errors() and raises an ImportError.
#include <dlfcn.h>
#include <torch/csrc/stable/c/shim.h>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/util/Exception.h>

#include <cstdint>
#include <initializer_list>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/torch_stable/calls.h"
#include "structured/torch_stable/later_functions.h"
#include "structured/torch_stable/meta_base.h"

namespace structured::torch_stable {

namespace detail {

/// Returns a meta tensor with the sizes and strides that the tensor has now; guards fix symbolic ones.
inline Tensor with_numbers(const Tensor& tensor) {
  if (!tensor.defined()) return tensor;
  std::vector<int64_t> sizes, strides;
  for (int64_t dim = 0; dim < tensor.dim(); ++dim) {
    sizes.push_back(call_operator<int64_t>("aten::sym_size", "int", tensor, dim));
    strides.push_back(call_operator<int64_t>("aten::sym_stride", "int", tensor, dim));
  }
  return allocate(sizes, strides, options_of(tensor));
}
/// Returns other arguments, and tensors that the function may change, as they are.
template <class T>
decltype(auto) with_numbers(T& value) {
  using Value = std::remove_const_t<T>;
  if constexpr (!holds_tensors<Value> || std::is_same_v<T, Tensor>) {
    return (value);
  } else if constexpr (requires { value.has_value(); }) {
    return value.has_value() ? Value(with_numbers(std::as_const(*value))) : Value();
  } else {
    Value result;
    for (const auto& element : value) result.push_back(with_numbers(element));
    return result;
  }
}

/// A Meta kernel that accepts symbolic sizes, in terms of `function`, which does not.
template <auto* function>
struct SymbolicMeta;
template <class R, class... A, R (*function)(A...)>
struct SymbolicMeta<function> {
  static R call(A... arguments) { return function(with_numbers(arguments)...); }
};

/// Registrations of the Meta kernels that the library's Python package replaces by functions on symbolic sizes, by
/// namespace.
[[gnu::visibility("hidden")]] inline std::map<std::string, TorchLibraryHandle>& replaced_kernels() {
  static std::map<std::string, TorchLibraryHandle> handles;
  return handles;
}

/// Errors of this library's registrations so far, separated by semicolons.
[[gnu::visibility("hidden")]] inline std::string& load_errors() {
  static std::string errors;
  return errors;
}

/// Returns the path of the shared library, or of the program, that has this code.
[[gnu::visibility("hidden")]] inline const char* own_path() {
  static const std::string path = [] {
    Dl_info info{};
    const bool is_found = dladdr(reinterpret_cast<const void*>(&load_errors), &info) != 0 && info.dli_fname != nullptr;
    return std::string(is_found ? info.dli_fname : "unknown");
  }();
  return path.c_str();
}

using Tag = int32_t;

/// Returns the tags of libtorch, which PyTorch 2.12 and later tell, among the given words. Every operator has
/// `pt2_compliant_tag`.
inline std::vector<Tag> known_tags(std::initializer_list<std::string_view> words) {
  std::vector<Tag> tags;
  const auto add = [&](std::string_view word) {
    if (auto* tag = later_function<Tag()>("torch_tag_" + std::string(word))) tags.push_back(tag());
  };
  add("pt2_compliant_tag");
  for (const std::string_view word : words) add(word);
  return tags;
}

/// Defines an operator, with the tags that this PyTorch knows.
inline AOTITorchError define(TorchLibraryHandle library, const char* schema,
                             std::initializer_list<std::string_view> words) {
  const std::vector<Tag> tags = known_tags(words);
  using Define = AOTITorchError(TorchLibraryHandle, const char*, const Tag*, int32_t);
  auto* define_with_tags = later_function<Define>("torch_library_def_with_tags");
  if (define_with_tags == nullptr) return aoti_torch_library_def(library, schema);
  return define_with_tags(library, schema, tags.data(), static_cast<int32_t>(tags.size()));
}

}  // namespace detail

/// Operators of one namespace. Their registrations last as long as the object.
class Library {
 public:
  /// Calls `register_all`, which registers the operators.
  Library(const char* ns, void (*register_all)(Library&)) : name_(ns) {
    if (attempt(ns, aoti_torch_library_init_fragment(ns, detail::own_path(), 0, &definitions_))) register_all(*this);
  }
  ~Library() {
    for (const auto& [key, kernels] : kernels_) {
      if (kernels != nullptr) aoti_torch_delete_library_object(kernels);
    }
    if (definitions_ != nullptr) aoti_torch_delete_library_object(definitions_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// Defines an operator. Tags that libtorch does not have are ignored.
  void define(const char* schema, std::initializer_list<std::string_view> tags) {
    const auto status = detail::define(definitions_, schema, tags);
    // The impls of an operator that is not defined would be added to the one with this name.
    is_defined_ = attempt(schema, status);
  }

  /// Registers a kernel for the operator that was defined last.
  template <auto* function>
  void impl(const char* name, const char* key) {
    add<function>(name, key, kernels_[key]);
  }

  /// Registers a Meta kernel that does not accept symbolic sizes. The library's Python package replaces it if
  /// `is_replaced`.
  template <auto* function>
  void impl_meta(const char* name, bool is_replaced = false) {
    constexpr auto* kernel = &detail::SymbolicMeta<function>::call;
    add<kernel>(name, "Meta", is_replaced ? detail::replaced_kernels()[name_] : kernels_["Meta"]);
  }

 private:
  template <auto* function>
  void add(const char* name, const char* key, TorchLibraryHandle& kernels) {
    if (!is_defined_) return;
    if (kernels == nullptr &&
        !attempt(key, aoti_torch_library_init_impl(name_, key, detail::own_path(), 0, &kernels))) {
      return;
    }
    attempt(name, torch_library_impl(kernels, name, TORCH_BOX(function), TORCH_ABI_VERSION));
  }

  // The shim prints the error.
  bool attempt(const char* what, AOTITorchError status) const {
    if (status == TORCH_SUCCESS) return true;
    std::string text = name_ + ("::" + std::string(what));
    if (const std::string error = detail::last_error(); !error.empty()) text += ": " + error;
    std::cerr << "structured: cannot register " << text << std::endl;
    if (!detail::load_errors().empty()) detail::load_errors() += "; ";
    detail::load_errors() += text;
    return false;
  }

  const char* name_;
  TorchLibraryHandle definitions_ = nullptr;
  std::map<std::string, TorchLibraryHandle> kernels_;  // by dispatch key; null if the registration failed
  bool is_defined_ = false;
};

}  // namespace structured::torch_stable

/// Removes the Meta kernels for which the library's Python package has functions on symbolic sizes.
extern "C" [[gnu::visibility("default"), gnu::used]] inline void structured_release_meta_kernels() {
  for (const auto& [ns, kernels] : structured::torch_stable::detail::replaced_kernels()) {
    if (kernels != nullptr) aoti_torch_delete_library_object(kernels);
  }
  structured::torch_stable::detail::replaced_kernels().clear();
}

/// Returns the errors of the library's registrations, an empty text if there is none.
extern "C" [[gnu::visibility("default"), gnu::used]] inline const char* structured_load_errors() {
  return structured::torch_stable::detail::load_errors().c_str();
}
