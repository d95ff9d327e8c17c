#pragma once
// Memory of the outputs of a kernel that the author wrote for an out= variant. Adaptors check those of structured
// operators.
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "structured/base/export.h"
#include "structured/core/tensor.h"
#include "structured/kernel/overlap.h"
#include "structured/kernel/visit_tensors.h"

namespace structured {

namespace detail {
[[noreturn]] STRUCTURED_API STRUCTURED_COLD void throw_outputs_overlap(std::size_t first, std::size_t second);
}  // namespace detail

/// Outputs of a call: tensors, and optionals and lists of tensors, which must outlive this object.
template <class... T>
class Outputs {
 public:
  /// Throws Error if an output overlaps itself or another output.
  explicit Outputs(const T&... outputs) : outputs_(outputs...) {
    std::size_t place = 0;
    for_each([&](const Tensor& output) {
      assert_no_internal_overlap(output);
      if constexpr (kCanBeSeveral) check_earlier(output, place++);
    });
  }

  /// Throws Error if an output shares memory with a tensor among `inputs`.
  template <class... Inputs>
  void check_inputs(const Inputs&... inputs) const {
    for_each_neighbour(assert_no_overlap, inputs...);
  }

  /// check_inputs, except that an input may consist of the same elements as an output.
  template <class... Inputs>
  void check_reusable(const Inputs&... inputs) const {
    for_each_neighbour(assert_no_partial_overlap, inputs...);
  }

 private:
  static constexpr bool kCanBeSeveral = sizeof...(T) != 1 || !(std::is_same_v<T, Tensor> && ...);

  template <class Visit>
  void for_each(const Visit& visit) const {
    std::apply([&](const T&... outputs) { (detail::visit_tensors(outputs, visit), ...); }, outputs_);
  }

  // Calls `check(output, input)` for each output and each input of one storage.
  template <class Check, class... Inputs>
  void for_each_neighbour(const Check& check, const Inputs&... inputs) const {
    for_each([&](const Tensor& output) {
      (detail::visit_tensors(inputs,
                             [&](const Tensor& input) {
                               if (input.storage().is_same(output.storage())) [[unlikely]]
                                 check(output, input);
                             }),
       ...);
    });
  }

  void check_earlier(const Tensor& output, std::size_t place) const {
    std::size_t earlier = 0;
    for_each([&](const Tensor& other) {
      if (earlier < place && other.storage().is_same(output.storage())) [[unlikely]] {
        const Overlap found = overlap(output, other);
        if (found == Overlap::full || found == Overlap::partial) detail::throw_outputs_overlap(earlier, place);
      }
      ++earlier;
    });
  }

  std::tuple<const T&...> outputs_;
};

}  // namespace structured
