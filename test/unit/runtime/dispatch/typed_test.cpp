#include "structured/dispatch/typed.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "structured/base/error.h"

namespace structured::typed_test {
namespace {

using Max = std::tuple<Tensor&, Tensor&>(const Tensor& self, IntArrayRef dims, const std::optional<Tensor>& mask,
                                         Tensor& values, Tensor& indices);
constinit Operator<Max> op_max{"test::max.out",
                               "max.out(Tensor self, SymInt[2] dims=[0, 1], Tensor? mask=None, *, Tensor(a!) values, "
                               "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)",
                               {}};
constexpr OperatorHandle max_handle{"test::max.out", &op_max, nullptr};

using Split = std::vector<Tensor>(const Tensor& self, int64_t size);
constinit Operator<Split> op_split{"test::split", "split(Tensor(a -> *) self, SymInt size) -> Tensor(a)[]", {}};
constexpr OperatorHandle split_handle{"test::split", &op_split, nullptr};

TEST(TypedOperator, IsTheOperatorIfTheTypeIsThatOfItsSchema) {
  EXPECT_EQ(&typed_operator<Max>(max_handle), &op_max);
  EXPECT_EQ(&typed_operator<Split>(split_handle), &op_split);
}

template <class Signature>
std::string error_of(const OperatorHandle& handle) {
  try {
    typed_operator<Signature>(handle);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(TypedOperator, OtherTypesAreErrorsThatQuoteTheSchema) {
  EXPECT_EQ(error_of<Tensor(const Tensor&)>(split_handle),
            "`test::split`: expected a C++ type for `split(Tensor(a -> *) self, SymInt size) -> Tensor(a)[]`, got one "
            "for `(Tensor) -> (Tensor)`");
  EXPECT_NE((error_of<std::vector<Tensor>(const Tensor&, double)>(split_handle)), "no error");
  EXPECT_NE((error_of<std::vector<Tensor>(Tensor&, int64_t)>(split_handle)), "no error");
  EXPECT_NE(
      (error_of<std::tuple<Tensor, Tensor>(const Tensor&, IntArrayRef, const std::optional<Tensor>&, Tensor&, Tensor&)>(
          max_handle)),
      "no error");
}

template <class... T>
constexpr bool are_parameters = (detail::is_kernel_parameter<T> && ...);
template <class... T>
constexpr bool is_any_parameter = (detail::is_kernel_parameter<T> || ...);

TEST(TypedOperator, TakesNoTypeThatIsPassedInAnotherWay) {
  EXPECT_TRUE((are_parameters<const Tensor&, Tensor&, const Scalar&, const std::optional<Tensor>&,
                              const std::optional<Scalar>&, TensorList, OptionalIntArrayRef, int64_t,
                              std::optional<int64_t>, std::array<bool, 2>, std::optional<ArrayRef<double>>>));
  EXPECT_FALSE((is_any_parameter<Tensor, Tensor&&, const Tensor, Scalar, Scalar&, std::optional<Tensor>,
                                 std::optional<Tensor>&, std::optional<Scalar>, const TensorList&, const int64_t&,
                                 std::optional<IntArrayRef>, const OptionalIntArrayRef&>));
  EXPECT_TRUE((detail::is_kernel_result<std::tuple<Tensor, Tensor&, std::vector<Tensor>, int64_t>>));
  EXPECT_TRUE(detail::is_kernel_result<void>);
  EXPECT_FALSE(detail::is_kernel_result<const Tensor&>);
  EXPECT_FALSE(detail::is_kernel_result<Scalar&>);
  EXPECT_FALSE(detail::is_kernel_result<TensorList>);
  EXPECT_FALSE((detail::is_kernel_result<std::tuple<Tensor, IntArrayRef>>));
}

}  // namespace
}  // namespace structured::typed_test
