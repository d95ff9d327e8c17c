#include "structured/dispatch/typed.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "structured/core/error.h"

namespace structured {
namespace {

using Max = std::tuple<Tensor&, Tensor&>(const Tensor& self, IntArrayRef dims, const std::optional<Tensor>& mask,
                                         Tensor& values, Tensor& indices);
constinit Operator<Max> op_max{"test::max.out",
                               "max.out(Tensor self, SymInt[2] dims=[0, 1], Tensor? mask=None, *, Tensor(a!) values, "
                               "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)",
                               {}};
constexpr OperatorHandle max_handle{"test::max.out", &op_max, nullptr};

using Split = std::vector<Tensor>(const Tensor& self, std::int64_t size);
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
  EXPECT_NE((error_of<std::vector<Tensor>(Tensor&, std::int64_t)>(split_handle)), "no error");
  EXPECT_NE(
      (error_of<std::tuple<Tensor, Tensor>(const Tensor&, IntArrayRef, const std::optional<Tensor>&, Tensor&, Tensor&)>(
          max_handle)),
      "no error");
}

}  // namespace
}  // namespace structured
