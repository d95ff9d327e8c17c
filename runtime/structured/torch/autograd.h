#pragma once
// Derivatives: the base class of emitted nodes, the values that they save, and the Autograd kernels that record calls.
#include <torch/csrc/autograd/VariableTypeUtils.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/torch/arguments.h"
#include "structured/torch/call_operator.h"
#include "structured/torch/layers.h"
#include "structured/torch/node.h"
#include "structured/torch/saved_integers.h"

namespace structured::torch {

using Gradients = ::torch::autograd::variable_list;

/// The edges of the differentiable inputs of a call.
struct InputEdges {
  ::torch::autograd::edge_list edges;
  /// For each input, the position of its first edge; empty if each input has one edge.
  std::vector<std::size_t> begins;
};

/// A recorded call. `results` of the call are the inputs of the node, and the call's differentiable inputs are the
/// node's outputs: a list has one for each of its tensors.
class BackwardNode : public ::torch::autograd::Node {
 public:
  /// Whether the gradient of an input, or of a tensor in a list, is needed.
  bool needs(std::size_t input) const {
    return any_edge(input, [this](std::size_t edge) { return task_should_compute_output(edge); });
  }
  /// Whether a later backward pass may need the gradient of an input, or of a tensor in a list.
  bool may_need(std::size_t input) const {
    return any_edge(input, [this](std::size_t edge) { return next_edge(edge).is_valid(); });
  }

  void set_inputs(InputEdges inputs) {
    begins_ = std::move(inputs.begins);
    set_next_edges(std::move(inputs.edges));
  }

  /// The results that never require gradients, and the mutable arguments that the derivative need not cover. Emitted
  /// classes hide these where the author named some.
  using ConstantResults = std::index_sequence<>;
  using ConstantArguments = std::index_sequence<>;

  /// Adds an undefined result.
  void add_undefined_result() { undefined_results_.push_back(add_input_metadata(undefined_input())); }

  Gradients apply(Gradients&& results) final {
    const std::lock_guard<std::mutex> lock(mutex_);
    Gradients inputs(num_outputs());
    const auto is_defined = [](const at::Tensor& gradient) { return gradient.defined(); };
    if (std::any_of(results.begin(), results.end(), is_defined)) compute(results, inputs);
    return inputs;
  }

 protected:
  /// Sets the gradients of the inputs that are needed.
  virtual void compute(const Gradients& results, Gradients& inputs) = 0;

  /// Stores the result of an author's `backward` function, which has one gradient for each of the inputs.
  template <std::size_t... inputs, class Result>
  void set_gradients(Gradients& gradients, Result&& result) const {
    if constexpr (sizeof...(inputs) == 1) {
      (set_gradient(gradients, inputs, std::forward<Result>(result)), ...);
    } else {
      std::apply([&](auto&&... each) { (set_gradient(gradients, inputs, std::move(each)), ...); },
                 std::forward<Result>(result));
    }
  }

  /// The gradient of a result: zeros if none arrived, undefined if the result was.
  at::Tensor gradient(const Gradients& results, std::size_t index) const {
    const bool was_undefined =
        std::find(undefined_results_.begin(), undefined_results_.end(), index) != undefined_results_.end();
    return results[index].defined() || was_undefined ? results[index] : input_metadata(index).zeros_like();
  }
  Gradients gradients(const Gradients& results) const {
    Gradients all;
    for (std::size_t i = 0; i < results.size(); ++i) all.push_back(gradient(results, i));
    return all;
  }

 private:
  std::size_t begin_of(std::size_t input) const { return begins_.empty() ? input : begins_[input]; }
  std::size_t end_of(std::size_t input) const {
    if (begins_.empty()) return input + 1;
    return input + 1 < begins_.size() ? begins_[input + 1] : num_outputs();
  }
  template <class Test>
  bool any_edge(std::size_t input, const Test& test) const {
    for (std::size_t edge = begin_of(input); edge < end_of(input); ++edge) {
      if (test(edge)) return true;
    }
    return false;
  }

  void set_gradient(Gradients& gradients, std::size_t input, at::Tensor gradient) const {
    gradients[begin_of(input)] = std::move(gradient);
  }
  template <class T>
  void set_gradient(Gradients& gradients, std::size_t input, const c10::optional<T>& gradient) const {
    if (gradient.has_value()) set_gradient(gradients, input, *gradient);
  }
  template <class T>
  void set_gradient(Gradients& gradients, std::size_t input, const std::vector<T>& list) const {
    const std::size_t first = begin_of(input);
    const std::size_t count = end_of(input) - first;
    TORCH_CHECK(list.size() == count, "expected a gradient for each tensor of the list: ", count, ", got ",
                list.size());
    for (std::size_t i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<T, at::Tensor>) {
        gradients[first + i] = list[i];
      } else if (list[i].has_value()) {
        gradients[first + i] = *list[i];
      }
    }
  }

  std::vector<std::size_t> begins_;  // see InputEdges
  std::vector<std::size_t> undefined_results_;
};

/// The gradient of a result, if one arrived.
inline c10::optional<at::Tensor> optional_gradient(const at::Tensor& gradient) {
  return gradient.defined() ? c10::optional<at::Tensor>(gradient) : c10::nullopt;
}

/// The gradients that arrived of the elements of a list, in the type of list that the author's function takes.
class OptionalGradients {
 public:
  explicit OptionalGradients(const Gradients& results) {
    for (const at::Tensor& gradient : results) gradients_.push_back(optional_gradient(gradient));
  }
  operator std::vector<c10::optional<at::Tensor>>() const { return gradients_; }
  operator c10::ArrayRef<c10::optional<at::Tensor>>() const { return gradients_; }
  operator c10::List<c10::optional<at::Tensor>>() const {
    c10::List<c10::optional<at::Tensor>> list;
    for (const c10::optional<at::Tensor>& gradient : gradients_) list.push_back(gradient);
    return list;
  }

 private:
  std::vector<c10::optional<at::Tensor>> gradients_;
};

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

namespace detail {

// Functions that all operators share are not inline.

[[gnu::noinline]] inline void add_edge(::torch::autograd::edge_list& edges, const at::Tensor& tensor) {
  edges.push_back(tensor.defined() ? ::torch::autograd::impl::gradient_edge(tensor) : ::torch::autograd::Edge());
}

using NodePointer = decltype(::torch::autograd::Edge::function);

/// Makes a result of a recorded call belong to its node. `is_constant` says that the result requires no gradients.
[[gnu::noinline]] inline void record_result(at::Tensor& result, const NodePointer& node, bool is_constant) {
  if (!result.defined()) {
    static_cast<BackwardNode&>(*node).add_undefined_result();
  } else if (is_constant || !::torch::autograd::isDifferentiableType(result.scalar_type())) {
    node->add_input_metadata(result);
  } else {
    ::torch::autograd::set_history(result, node);
  }
}

template <std::size_t... indices>
bool contains(std::index_sequence<indices...>, std::size_t index) {
  return ((indices == index) || ...);
}

[[gnu::noinline]] inline at::Tensor clone_of(const at::Tensor& tensor) { return tensor.clone(); }
[[gnu::noinline]] inline void copy_result(at::Tensor& self, const at::Tensor& result) { self.copy_(result); }

/// Whether an argument of this type has any number of tensors.
template <class Argument>
inline constexpr bool is_list_of_tensors =
    is_collection_of_tensors<Argument> && !std::is_same_v<Argument, c10::optional<at::Tensor>>;

/// Adds an edge for a tensor, or for each tensor of a list; an empty one for none.
template <class Argument>
void add_edges(::torch::autograd::edge_list& edges, const Argument& argument) {
  if constexpr (std::is_same_v<Argument, c10::optional<at::Tensor>>) {
    add_edge(edges, argument.has_value() ? *argument : at::Tensor());
  } else if constexpr (std::is_same_v<Argument, c10::List<c10::optional<at::Tensor>>>) {
    for (std::size_t i = 0; i < argument.size(); ++i) add_edges<c10::optional<at::Tensor>>(edges, argument.get(i));
  } else if constexpr (is_list_of_tensors<Argument> && requires { argument.has_value(); }) {
    if (argument.has_value()) add_edges(edges, *argument);
  } else {
    visit_tensors(argument, [&](const at::Tensor& tensor) { add_edge(edges, tensor); });
  }
}

/// Returns the edges of the differentiable arguments, whose positions are given. An undefined tensor has an empty edge.
template <class Arguments, std::size_t... positions>
InputEdges edges_of(const Arguments& arguments, std::index_sequence<positions...>) {
  InputEdges inputs;
  const auto add = [&](const auto& argument) {
    inputs.begins.push_back(inputs.edges.size());
    add_edges(inputs.edges, argument);
  };
  (add(std::get<positions>(arguments)), ...);
  constexpr bool has_list =
      (is_list_of_tensors<std::remove_cvref_t<std::tuple_element_t<positions, Arguments>>> || ...);
  if (!has_list) inputs.begins.clear();
  return inputs;
}

/// Whether a call with these arguments is recorded.
template <class Arguments, std::size_t... positions>
bool records(const Arguments& arguments, std::index_sequence<positions...>) {
  return ::torch::autograd::GradMode::is_enabled() && requires_grad(std::get<positions>(arguments)...);
}

}  // namespace detail

/// The Autograd kernel of a functional operator with derivatives. `Node` is the emitted class of recorded calls, with
/// `Differentiable`, the positions of the arguments with gradients, and the functions `save` and `save_results`.
template <class F, Text name, class Node>
class Recorded;

template <class R, class... A, Text name, class Node>
class Recorded<R(A...), name, Node> : Layers<R(A...), name> {
  using Below = detail::Redispatch<R(A...)>;

 public:
  static R record(c10::DispatchKeySet keys, A... arguments) {
    detail::check_tangents(name.view(), arguments...);
    const auto& op = Recorded::handle();
    if constexpr (Below::may_be_mutating) {
      // The derivative does not cover the previous values of mutable arguments.
      if (c10::GradMode::is_enabled() && Below::writes_to_gradients(op, arguments...)) [[unlikely]] {
        return Below::fail_in_backward(op, keys, /*records_results=*/true, std::forward<A>(arguments)...);
      }
    }
    if (!detail::records(std::forward_as_tuple(arguments...), typename Node::Differentiable())) [[likely]] {
      return Recorded::below_autograd(keys, std::forward<A>(arguments)...);
    }
    std::vector<at::Tensor> written;
    std::vector<at::Tensor> inputs;  // with gradients, from which `written` is computed
    if constexpr (Below::may_be_mutating) {
      written = writable(op, typename Node::ConstantArguments(), arguments...);
      if (!written.empty()) inputs = Below::requiring_gradients(arguments...);
    }
    auto owner = detail::make_node<Node>();
    auto& node = static_cast<Node&>(*owner);
    node.set_inputs(detail::edges_of(std::forward_as_tuple(arguments...), typename Node::Differentiable()));
    node.save(arguments...);
    R result = Recorded::below_autograd(keys, arguments...);
    Below::check_results(op, result, /*accepts_written=*/false, arguments...);
    detail::visit_results(result, [&](at::Tensor& tensor, std::size_t index) {
      detail::record_result(tensor, owner, detail::contains(typename Node::ConstantResults(), index));
    });
    node.save_results(result);
    if (!written.empty()) detail::fail_in_backward(Below::full_name(op), inputs, written, {});
    return result;
  }

 private:
  template <std::size_t... excepted>
  static std::vector<at::Tensor> writable(const typename Below::Handle& op, std::index_sequence<excepted...>,
                                          const std::remove_reference_t<A>&... arguments) {
    return Below::writable(op, {excepted...}, arguments...);
  }
};

/// The Autograd kernel of an in-place operator with derivatives. It calls the functional variant, which is recorded,
/// and copies the result: PyTorch's compiler would treat the result of a node of its own as a view.
template <class F, Text name, class Node, Text functional>
class RecordedInplace;

template <class R, class... A, Text name, class Node, Text functional>
class RecordedInplace<R(at::Tensor&, A...), name, Node, functional> : Layers<R(at::Tensor&, A...), name> {
 public:
  static R record(c10::DispatchKeySet keys, at::Tensor& self, A... arguments) {
    detail::check_tangents(name.view(), self, arguments...);
    if (!detail::records(std::forward_as_tuple(self, arguments...), typename Node::Differentiable())) [[likely]] {
      return RecordedInplace::below_autograd(keys, self, std::forward<A>(arguments)...);
    }
    static const auto target =
        detail::find_operator_handle(functional.view()).template typed<at::Tensor(const at::Tensor&, A...)>();
    detail::check_writable(self);
    detail::copy_result(self, target.call(detail::clone_of(self), std::forward<A>(arguments)...));
    return static_cast<R>(self);
  }
};

}  // namespace structured::torch
