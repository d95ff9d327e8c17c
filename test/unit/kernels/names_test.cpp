// Dimension names: how operators propagate them, and which combinations are errors.
#include <structured/core/names.h>
#include <structured/format/print.h>
#include <structured/ops/_softmax.h>
#include <structured/ops/add.h>
#include <structured/ops/addmm.h>
#include <structured/ops/bmm.h>
#include <structured/ops/cat.h>
#include <structured/ops/clone.h>
#include <structured/ops/copy.h>
#include <structured/ops/detach.h>
#include <structured/ops/diagonal.h>
#include <structured/ops/exp.h>
#include <structured/ops/expand.h>
#include <structured/ops/max.h>
#include <structured/ops/mm.h>
#include <structured/ops/mul.h>
#include <structured/ops/mv.h>
#include <structured/ops/permute.h>
#include <structured/ops/refine_names.h>
#include <structured/ops/relu.h>
#include <structured/ops/rename.h>
#include <structured/ops/select.h>
#include <structured/ops/slice.h>
#include <structured/ops/split.h>
#include <structured/ops/squeeze.h>
#include <structured/ops/sum.h>
#include <structured/ops/t.h>
#include <structured/ops/transpose.h>
#include <structured/ops/unbind.h>
#include <structured/ops/unsqueeze.h>

#include "kernels/expect.h"

namespace structured {
namespace {

using namespace test;

Tensor named(IntArrayRef sizes, const std::vector<const char*>& names, TensorOptions options = kFloat) {
  std::vector<Dimname> list;
  for (const char* name : names) list.emplace_back(name);
  Tensor tensor = empty(sizes, options);
  for (int64_t i = 0; !tensor.is_meta() && i < tensor.numel(); ++i) tensor.data_ptr<float>()[i] = static_cast<float>(i);
  return rename_(tensor, DimnameList(list));
}

std::string names_of(const Tensor& tensor) { return to_string(tensor.names()); }

TEST(Names, AreGivenAndTakenAway) {
  Tensor a = named({2, 3}, {"N", "C"});
  EXPECT_EQ(names_of(a), "[N, C]");
  EXPECT_EQ(a.sizes(), IntArrayRef({2, 3}));
  EXPECT_EQ(a.strides(), IntArrayRef({3, 1}));
  EXPECT_EQ(at<float>(a, {1, 2}), 5);
  const Tensor other = rename(a, DimnameList({Dimname("H"), Dimname()}));
  EXPECT_EQ(names_of(other), "[H, *]");
  EXPECT_EQ(names_of(a), "[N, C]") << "rename is out of place";
  EXPECT_TRUE(other.storage().is_same(a.storage()));
  rename_(a, std::nullopt);
  EXPECT_FALSE(a.has_names());
  EXPECT_FALSE(rename(other, DimnameList({Dimname(), Dimname()})).has_names()) << "wildcards are no names";
  const Tensor deep = named({1, 1, 1, 1, 1, 1, 2, 3}, {"a", "b", "c", "d", "e", "f", "g", "h"});
  EXPECT_EQ(deep.size(7), 3);
  EXPECT_EQ(names_of(deep), "[a, b, c, d, e, f, g, h]");
}

TEST(Names, BroadcastFromTheRight) {
  const Tensor a = named({2, 3}, {"N", "C"});
  EXPECT_EQ(names_of(add(a, named({3}, {"C"}))), "[N, C]");
  EXPECT_EQ(names_of(add(named({3}, {"C"}), a)), "[N, C]");
  EXPECT_EQ(names_of(add(a, empty({5, 2, 3}))), "[*, N, C]");
  EXPECT_EQ(names_of(mul(a, named({1, 3}, {"*", "C"}))), "[N, C]");
  EXPECT_EQ(names_of(add(a, 2.0)), "[N, C]");
  EXPECT_EQ(at<float>(add(a, named({3}, {"C"})), {1, 2}), 7);
  EXPECT_FALSE(add(empty({3}), empty({3})).has_names());
}

TEST(Names, PassUnaryOperatorsReductionsAndProducts) {
  const Tensor a = named({2, 3}, {"N", "C"});
  EXPECT_EQ(names_of(relu(a)), "[N, C]");
  EXPECT_EQ(names_of(exp(a)), "[N, C]");
  EXPECT_EQ(names_of(sum(a, 0)), "[C]");
  EXPECT_EQ(names_of(sum(a, 0, /*keepdim=*/true)), "[N, C]");
  EXPECT_FALSE(sum(a, {0, 1}).has_names());
  EXPECT_EQ(names_of(std::get<1>(max(a, 1))), "[N]");
  EXPECT_EQ(names_of(mm(a, named({3, 4}, {"in", "out"}))), "[N, out]");
  EXPECT_EQ(names_of(mm(a, empty({3, 4}))), "[N, *]");
  EXPECT_EQ(names_of(add(named({2, 3}, {"N", "C"}, TensorOptions(kFloat).device(kMeta)),
                         empty({3}, TensorOptions(kFloat).device(kMeta)))),
            "[N, C]");
}

TEST(Names, PassJoins) {
  const Tensor a = named({2, 3}, {"N", "*"});
  EXPECT_EQ(names_of(cat({a, named({2, 3}, {"*", "C"})}, 1)), "[N, C]");
  EXPECT_EQ(names_of(cat({empty({0}), a}, 1)), "[N, *]");
  EXPECT_EQ(names_of(cat({named({2}, {"N"}), named({3}, {"N"})})), "[N]");
  expect_error([&] { cat({a, named({2, 3}, {"H", "C"})}, 1); }, "`N` and `H`");
}

TEST(Names, PassViews) {
  const Tensor a = named({2, 3, 4}, {"N", "C", "H"});
  EXPECT_EQ(names_of(transpose(a, 0, -1)), "[H, C, N]");
  EXPECT_EQ(names_of(select(a, 1, 0)), "[N, H]");
  EXPECT_EQ(names_of(select(a, -1, 0)), "[N, C]");
  EXPECT_EQ(names_of(slice(a, 1, 1, 2)), "[N, C, H]");
  EXPECT_EQ(names_of(expand(named({1, 3}, {"N", "C"}), {5, 2, 3})), "[*, N, C]");
  EXPECT_FALSE(select(named({2, 3}, {"N", "*"}), 0, 0).has_names()) << "only the wildcard is left";
  const Tensor column = select(a, 2, 1);
  EXPECT_EQ(at<float>(column, {1, 2}), 21);
  EXPECT_EQ(column.strides(), IntArrayRef({12, 4}));
  EXPECT_TRUE(column.is_view());
}

TEST(Names, PassViewsWithOtherDimensions) {
  Tensor a = named({2, 1, 4}, {"N", "C", "H"});
  EXPECT_EQ(names_of(squeeze(a)), "[N, H]");
  EXPECT_EQ(names_of(squeeze(a, 1)), "[N, H]");
  EXPECT_EQ(names_of(squeeze(a, 0)), "[N, C, H]");
  EXPECT_EQ(names_of(unsqueeze(a, 1)), "[N, *, C, H]");
  EXPECT_EQ(names_of(permute(a, {2, 0, -2})), "[H, N, C]");
  EXPECT_EQ(names_of(t(named({2, 3}, {"N", "C"}))), "[C, N]");
  EXPECT_EQ(names_of(diagonal(a, 0, 0, 2)), "[C, *]");
  EXPECT_EQ(names_of(detach(a)), "[N, C, H]");
  EXPECT_EQ(names_of(unbind(a, 2)[1]), "[N, C]");
  EXPECT_EQ(names_of(split(a, 2, 2)[1]), "[N, C, H]");
  EXPECT_EQ(names_of(transpose_(a, 0, 2)), "[H, C, N]");
  EXPECT_EQ(names_of(squeeze_(a)), "[H, N]");
  EXPECT_EQ(names_of(unsqueeze_(a, 0)), "[*, H, N]");
}

TEST(Names, PassProductsOfBatchesAndVectors) {
  const Tensor batches = named({5, 2, 3}, {"B", "N", "C"});
  EXPECT_EQ(names_of(bmm(batches, named({5, 3, 4}, {"*", "in", "out"}))), "[B, N, out]");
  expect_error([&] { bmm(batches, named({5, 3, 4}, {"X", "in", "out"})); }, "`B` and `X`");
  const Tensor a = named({2, 3}, {"N", "C"});
  EXPECT_EQ(names_of(mv(a, empty({3}))), "[N]");
  EXPECT_EQ(names_of(addmm(named({4}, {"out"}), a, empty({3, 4}))), "[N, out]");
  EXPECT_EQ(names_of(_softmax(a, 1, false)), "[N, C]");
}

TEST(Names, PassCopies) {
  const Tensor a = named({2, 3}, {"N", "C"});
  EXPECT_EQ(names_of(clone(a)), "[N, C]");
  EXPECT_EQ(names_of(clone(slice(a, 1, 0, 2))), "[N, C]");
  Tensor to = empty({2, 3});
  EXPECT_EQ(names_of(copy_(to, named({3}, {"C"}))), "[*, C]");
  Tensor other = named({2, 3}, {"N", "H"});
  expect_error([&] { copy_(other, a); }, "do not match");
  EXPECT_EQ(names_of(other), "[N, H]");
  EXPECT_EQ(at<float>(other, {1, 2}), 5);
}

TEST(Names, ChooseWhatIsReduced) {
  const Tensor a = named({2, 3}, {"N", "C"});
  const Tensor total = sum(a, dimension_named(a, Dimname("C")));
  EXPECT_EQ(names_of(total), "[N]");
  EXPECT_EQ(at<float>(total, {1}), 12);
  expect_error([&] { dimension_named(a, Dimname("H")); },
               "expected a tensor with a dimension `H`, got one with [N, C]");
}

TEST(Names, OfOutputsThatAreGiven) {
  const Tensor a = named({2, 3}, {"N", "C"});
  Tensor out = empty({2, 3});
  add_out(out, a, empty({2, 3}));
  EXPECT_EQ(names_of(out), "[N, C]");
  add_out(out, a, a);
  EXPECT_EQ(names_of(out), "[N, C]");
  Tensor self = empty({2, 3});
  add_(self, a);
  EXPECT_EQ(names_of(self), "[N, C]");
  Tensor resized = empty({0});
  add_out(resized, a, a);
  EXPECT_EQ(names_of(resized), "[N, C]");
}

TEST(Names, OfOutputsSayWhatIsExpected) {
  const Tensor a = named({2, 3}, {"N", "C"});
  Tensor out = named({2, 3}, {"N", "H"});
  expect_error([&] { add_out(out, a, a); },
               "expected a result with the names [N, H] of the output that was given, got [N, C]");
  expect_error([&] { add_out(out, empty({2, 3}), empty({2, 3})); }, "got [*, *]");
  expect_error([&] { copy_(out, a); }, "do not match");
  Tensor half_named = named({2, 3}, {"*", "C"});
  expect_error([&] { copy_(half_named, a); }, "expected a result with the names [*, C]");
  Tensor column = named({3}, {"H"});
  expect_error([&] { sum_out(column, a, 0); }, "expected a result with the names [H]");
  Tensor small = named({1}, {"C"});
  expect_error([&] { sum_out(small, a, 0); },
               "an output with names cannot be resized: expected one of sizes [3], got one of sizes [1] with the names "
               "[C]");
}

TEST(Names, ThatDoNotMatchAreRefused) {
  const Tensor a = named({2, 3}, {"N", "C"});
  expect_error([&] { add(a, named({2, 3}, {"N", "H"})); },
               "cannot broadcast dimensions [N, C] and [N, H]: `C` and `H` are at the same place from the right and do "
               "not match");
  expect_error([&] { add(named({3, 3}, {"N", "*"}), named({3}, {"N"})); },
               "`N` is at different positions from the right");
  Tensor self = named({2, 3}, {"N", "H"});
  expect_error([&] { add_(self, a); }, "do not match");
  expect_error([&] { mm(a, named({3, 4}, {"C", "N"})); }, "mm: the result would have two dimensions `N`");
  expect_error([&] { named({2, 2}, {"N", "N"}); }, "expected names of dimensions that differ, got [N, N]");
  expect_error([&] { named({2, 2}, {"N"}); }, "expected a name for each of 2 dimensions, got [N]");
}

TEST(RefineNames, FillsInWhatIsMissing) {
  const Tensor a = named({2, 3}, {"N", "*"});
  EXPECT_EQ(names_of(refine_names(a, {Dimname("N"), Dimname("C")})), "[N, C]");
  expect_error([&] { refine_names(a, {Dimname("C"), Dimname("H")}); },
               "refine_names: expected `N` for dimension 0, its existing name, got `C`");
  expect_error([&] { refine_names(a, {Dimname("C")}); }, "refine_names: expected a name for each of 2 dimensions");
}

}  // namespace
}  // namespace structured
