#pragma once
// Variants of an operator that are computed by calls of another variant: out= variants of functional operators, and
// functional variants of in-place ones. Emitted dispatch tables hold these functions.
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "structured/base/export.h"
#include "structured/core/tensor.h"
#include "structured/dispatch/operator.h"

namespace structured {
namespace detail {

/// Copies `results` to the tensors of `out`, which are resized, and bumps their versions. Throws Error, which names the
/// operator, if the lists differ in length or dtype; no tensor is modified then. Throws Error if outputs overlap.
STRUCTURED_API void store_results(std::string_view name, ArrayRef<Tensor> results, TensorList out);

/// Returns a copy of `self` whose dimensions have the same order in memory.
STRUCTURED_API Tensor copy_of(const Tensor& self);

/// `R(A...)` for an Operator of that signature, or for a function.
template <class T>
struct SignatureOf {
  using Type = T;
};
template <class Signature>
struct SignatureOf<Operator<Signature>> {
  using Type = Signature;
};

template <class Signature>
std::string_view name_of(const Operator<Signature>& op) {
  return op.name();
}
template <class R, class... A>
std::string_view name_of(R (&)(A...)) {
  return "out= variant";
}

template <class Signature>
struct Parameters;
template <class R, class... A>
struct Parameters<R(A...)> {
  using Types = std::tuple<std::remove_cvref_t<A>...>;
};

/// Index of the first of the four options of a factory (dtype, layout, device, pinned memory).
template <class Types, std::size_t index = 0>
constexpr std::size_t options_index() {
  if constexpr (std::is_same_v<std::tuple_element_t<index, Types>, std::optional<ScalarType>> &&
                std::is_same_v<std::tuple_element_t<index + 1, Types>, std::optional<Layout>>) {
    return index;
  } else {
    return options_index<Types, index + 1>();
  }
}

template <class R>
inline constexpr std::size_t output_count = 1;
template <class... T>
inline constexpr std::size_t output_count<std::tuple<T...>> = sizeof...(T);

inline ArrayRef<Tensor> as_list(const Tensor& result) { return {&result, 1}; }
inline ArrayRef<Tensor> as_list(const std::vector<Tensor>& results) { return results; }

}  // namespace detail

/// The out= variant `op` of the functional operator `base`: the result of `base` is copied to the outputs, the last
/// arguments. Factories take dtype and device of the output.
template <auto& op, auto& base, class Signature = typename detail::SignatureOf<std::remove_cvref_t<decltype(op)>>::Type>
struct OutVariant;
template <auto& op, auto& base, class R, class... A>
struct OutVariant<op, base, R(A...)> {
  static R call(A... arguments) {
    constexpr std::size_t outputs = detail::output_count<R>;
    constexpr std::size_t inputs = sizeof...(A) - outputs;
    const std::tuple<A&...> all(arguments...);
    return [&]<std::size_t... i, std::size_t... o>(std::index_sequence<i...>, std::index_sequence<o...>) -> R {
      using Base = typename detail::SignatureOf<std::remove_cvref_t<decltype(base)>>::Type;
      using Types = typename detail::Parameters<Base>::Types;
      const auto results = [&] {
        if constexpr (std::tuple_size_v<Types> == inputs) {
          return base(std::get<i>(all)...);
        } else {
          constexpr std::size_t first = detail::options_index<Types>();
          const Tensor& out = std::get<inputs>(all);
          const std::tuple<std::optional<ScalarType>, std::optional<Layout>, std::optional<Device>, std::optional<bool>>
              options(out.scalar_type(), std::nullopt, out.device(), std::nullopt);
          const auto argument = [&]<std::size_t k>(std::integral_constant<std::size_t, k>) -> decltype(auto) {
            if constexpr (k >= first && k < first + 4) {
              return (std::get<k - first>(options));
            } else {
              return (std::get < k<first ? k : k - 4>(all));
            }
          };
          return [&]<std::size_t... k>(std::index_sequence<k...>) {
            return base(argument(std::integral_constant<std::size_t, k>())...);
          }(std::make_index_sequence<inputs + 4>());
        }
      }();
      if constexpr (std::is_void_v<R>) {
        detail::store_results(detail::name_of(op), detail::as_list(results), std::get<inputs>(all));
      } else if constexpr (outputs == 1) {
        Tensor& out = std::get<inputs>(all);
        detail::store_results(detail::name_of(op), detail::as_list(results), {&out, 1});
        return out;
      } else {
        const Tensor found[] = {std::get<o>(results)...};
        const Tensor out[] = {std::get<inputs + o>(all)...};
        detail::store_results(detail::name_of(op), found, out);
        return R(std::get<inputs + o>(all)...);
      }
    }(std::make_index_sequence<inputs>(), std::make_index_sequence<outputs>());
  }
};

/// The functional variant `op` of the in-place operator `base`, which is applied to a copy of the first argument.
template <auto& op, auto& base, class Signature = typename detail::SignatureOf<std::remove_cvref_t<decltype(op)>>::Type>
struct FunctionalVariant;
template <auto& op, auto& base, class Self, class... A>
struct FunctionalVariant<op, base, Tensor(Self, A...)> {
  static Tensor call(Self self, A... arguments) {
    Tensor result = detail::copy_of(self);
    base(result, arguments...);
    return result;
  }
};

}  // namespace structured
