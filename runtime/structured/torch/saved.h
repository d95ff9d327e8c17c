#pragma once
// Arguments and results of recorded calls that nodes keep for derivatives.
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/csrc/autograd/variable.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/torch/arguments.h"
#include "structured/torch/saved_integers.h"

namespace structured::torch {

class BackwardNode;

/// A value that a node keeps. `T` is the type of the argument.
template <class T>
class SavedInput {
 public:
  void save(const std::remove_cvref_t<T>& value) { value_.emplace(value); }
  const std::remove_cvref_t<T>& get(BackwardNode&) const { return *value_; }
  void release() {}

 private:
  std::optional<std::remove_cvref_t<T>> value_;
};

template <>
class SavedInput<const at::Tensor&> {
 public:
  void save(const at::Tensor& value) { value_ = ::torch::autograd::SavedVariable(value, /*is_output=*/false); }
  at::Tensor get(BackwardNode&) const { return value_.unpack(); }
  void release() { value_.reset_data(); }

 private:
  ::torch::autograd::SavedVariable value_;
};

/// A tensor argument that a derivative can do without if it was modified in place since the call. The counter of its
/// versions is kept, since hooks may replace the tensor.
class SavedUnlessModified : public SavedInput<const at::Tensor&> {
 public:
  void save(const at::Tensor& value) {
    SavedInput::save(value);
    if (!value.defined()) return;
    counter_ = ::torch::autograd::impl::version_counter(value);
    version_ = counter_.current_version();
  }
  c10::optional<at::Tensor> get_unless_modified(BackwardNode& node) const {
    const bool is_modified = counter_.enabled() && counter_.current_version() != version_;
    return is_modified ? c10::nullopt : c10::optional<at::Tensor>(get(node));
  }
  void release() {
    SavedInput::release();
    counter_ = c10::VariableVersion();  // so that get_unless_modified() fails
  }

 private:
  c10::VariableVersion counter_;
  uint32_t version_ = 0;
};

template <>
class SavedInput<const c10::optional<at::Tensor>&> {
 public:
  void save(const c10::optional<at::Tensor>& value) {
    has_value_ = value.has_value();
    if (has_value_) value_.save(*value);
  }
  c10::optional<at::Tensor> get(BackwardNode& node) const {
    return has_value_ ? c10::optional<at::Tensor>(value_.get(node)) : c10::nullopt;
  }
  void release() { value_.release(); }

 private:
  SavedInput<const at::Tensor&> value_;
  bool has_value_ = false;
};

template <>
class SavedInput<const c10::List<c10::optional<at::Tensor>>&> {
 public:
  void save(const c10::List<c10::optional<at::Tensor>>& values) {
    values_.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) values_[i].save(values.get(i));
  }
  c10::List<c10::optional<at::Tensor>> get(BackwardNode& node) const {
    c10::List<c10::optional<at::Tensor>> values;
    for (const auto& value : values_) values.push_back(value.get(node));
    return values;
  }
  void release() { values_.clear(); }

 private:
  std::vector<SavedInput<const c10::optional<at::Tensor>&>> values_;
};

template <>
class SavedInput<at::TensorList> {
 public:
  void save(at::TensorList values) {
    values_.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) values_[i].save(values[i]);
  }
  std::vector<at::Tensor> get(BackwardNode& node) const {
    std::vector<at::Tensor> values;
    for (const auto& value : values_) values.push_back(value.get(node));
    return values;
  }
  void release() { values_.clear(); }

 private:
  std::vector<SavedInput<const at::Tensor&>> values_;
};

template <class T>
class SavedInput<c10::ArrayRef<T>> {
 public:
  void save(c10::ArrayRef<T> values) { values_ = values.vec(); }
  c10::ArrayRef<T> get(BackwardNode&) const { return values_; }
  void release() {}

 private:
  std::vector<T> values_;
};

template <>
class SavedInput<c10::string_view> {
 public:
  void save(c10::string_view value) { value_.assign(value.begin(), value.end()); }
  c10::string_view get(BackwardNode&) const { return value_; }
  void release() {}

 private:
  std::string value_;
};

template <>
class SavedInput<c10::optional<c10::string_view>> {
 public:
  void save(const c10::optional<c10::string_view>& value) {
    if (value.has_value()) value_.emplace(value->begin(), value->end());
  }
  c10::optional<c10::string_view> get(BackwardNode&) const {
    return value_ ? c10::optional<c10::string_view>(*value_) : c10::nullopt;
  }
  void release() {}

 private:
  std::optional<std::string> value_;
};

/// A list that a node kept, if the call had one. `List` owns it or refers to it.
template <class T, class List>
class OptionalList {
 public:
  OptionalList() = default;
  explicit OptionalList(List list) : list_(std::move(list)) {}
  operator c10::optional<c10::ArrayRef<T>>() const {
    return list_ ? c10::optional<c10::ArrayRef<T>>(*list_) : c10::nullopt;
  }
  operator c10::OptionalArrayRef<T>() const {
    return list_ ? c10::OptionalArrayRef<T>(*list_) : c10::OptionalArrayRef<T>();
  }
  operator c10::optional<std::vector<T>>() const {
    return list_ ? c10::optional<std::vector<T>>(std::vector<T>(list_->begin(), list_->end())) : c10::nullopt;
  }

 private:
  std::optional<List> list_;
};

template <class T>
class SavedInput<c10::optional<c10::ArrayRef<T>>> {
  using Saved = SavedInput<c10::ArrayRef<T>>;
  using List = OptionalList<T, decltype(std::declval<const Saved&>().get(std::declval<BackwardNode&>()))>;

 public:
  void save(const c10::optional<c10::ArrayRef<T>>& values) {
    if (values.has_value()) values_.emplace().save(*values);
  }
  List get(BackwardNode& node) const { return values_ ? List(values_->get(node)) : List(); }
  void release() {
    if (values_) values_->release();
  }

 private:
  std::optional<Saved> values_;
};

template <class T>
class SavedInput<c10::OptionalArrayRef<T>> : public SavedInput<c10::optional<c10::ArrayRef<T>>> {
 public:
  void save(c10::OptionalArrayRef<T> values) {
    SavedInput<c10::optional<c10::ArrayRef<T>>>::save(reference_to(values));
  }
};

/// Integers, which a node keeps as `Saved`.
template <class Saved>
class SavedSymbols {
 public:
  template <class Argument>
  void save(const Argument& value) {
    value_ = Saved(value);
  }
  const Saved& get(BackwardNode&) const { return value_; }
  void release() {}

 private:
  Saved value_;
};
template <>
class SavedInput<c10::SymInt> : public SavedSymbols<SavedInteger> {};
template <>
class SavedInput<c10::SymIntArrayRef> : public SavedSymbols<SavedIntegers> {};
template <>
class SavedInput<c10::optional<c10::SymInt>> : public SavedSymbols<OptionalSaved<SavedInteger>> {};
template <>
class SavedInput<c10::OptionalArrayRef<c10::SymInt>> : public SavedSymbols<OptionalSaved<SavedIntegers>> {};
template <>
class SavedInput<c10::optional<c10::SymIntArrayRef>> : public SavedSymbols<OptionalSaved<SavedIntegers>> {};

/// Properties of tensors. `symbolic` is for one tensor, `of` for a tensor in a list.
struct Sizes {
  using Symbolic = SavedIntegers;
  static SavedIntegers symbolic(const at::Tensor& tensor) { return SavedIntegers(tensor.sym_sizes()); }
  static std::vector<int64_t> of(const at::Tensor& tensor) { return tensor.sizes().vec(); }
};
struct Strides {
  using Symbolic = SavedIntegers;
  static SavedIntegers symbolic(const at::Tensor& tensor) { return SavedIntegers(tensor.sym_strides()); }
  static std::vector<int64_t> of(const at::Tensor& tensor) { return tensor.strides().vec(); }
};
struct StorageOffset {
  using Symbolic = SavedInteger;
  static SavedInteger symbolic(const at::Tensor& tensor) { return SavedInteger(tensor.sym_storage_offset()); }
  static int64_t of(const at::Tensor& tensor) { return tensor.storage_offset(); }
};

/// A property of a tensor or of the tensors of a list.
template <class Property, class T>
class SavedProperty {
 public:
  void save(const at::Tensor& tensor) {
    if (tensor.defined()) value_ = Property::symbolic(tensor);
  }
  void save(const c10::optional<at::Tensor>& tensor) {
    if (tensor.has_value()) save(*tensor);
  }
  const typename Property::Symbolic& get(BackwardNode&) const { return value_; }
  void release() {}

 private:
  typename Property::Symbolic value_;
};

template <class Property>
class SavedProperty<Property, at::TensorList> {
 public:
  void save(at::TensorList tensors) {
    for (const at::Tensor& tensor : tensors) values_.push_back(Property::of(tensor));
  }
  const auto& get(BackwardNode&) const { return values_; }
  void release() {}

 private:
  std::vector<decltype(Property::of(std::declval<at::Tensor>()))> values_;
};

/// For a list that a call need not have: no properties if it has none.
template <class Property>
class SavedProperty<Property, c10::optional<at::TensorList>> : public SavedProperty<Property, at::TensorList> {
 public:
  void save(const c10::optional<at::TensorList>& tensors) {
    if (tensors.has_value()) SavedProperty<Property, at::TensorList>::save(*tensors);
  }
};

template <class T>
using SavedSizes = SavedProperty<Sizes, T>;
template <class T>
using SavedStrides = SavedProperty<Strides, T>;
template <class T>
using SavedStorageOffset = SavedProperty<StorageOffset, T>;

/// A result of the call.
class SavedResult {
 public:
  void save(const at::Tensor& result) { value_ = ::torch::autograd::SavedVariable(result, /*is_output=*/true); }
  template <class Node>
  at::Tensor get(Node& node) const {
    if constexpr (requires { node.getptr(); }) {
      return value_.unpack(node.getptr());
    } else {  // earlier versions of libtorch count nodes by shared pointers
      return value_.unpack(node.shared_from_this());
    }
  }
  void release() { value_.reset_data(); }

 private:
  ::torch::autograd::SavedVariable value_;
};

template <class... Saved>
void release(Saved&... saved) {
  (saved.release(), ...);
}

}  // namespace structured::torch
