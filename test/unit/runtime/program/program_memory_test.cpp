// Allocations of runs.
#include <gtest/gtest.h>
#include <structured/find_operator.h>
#include <structured/program/saved_program.h>

#include <string>
#include <utility>
#include <vector>

#include "../../counting_new.h"
#include "archive.h"

// Freed blocks are not kept under AddressSanitizer.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps_blocks = false;
#else
constexpr bool keeps_blocks = true;
#endif

namespace structured::test {
namespace {

Tensor ones(IntArrayRef sizes) { return full(sizes, 1.0); }

/// A layer of attention for x [batch, 8, 32].
ProgramWriter attention_program(const Json& batch) {
  ProgramWriter writer;
  writer.state("parameter", "p_w", "w", ones({96, 32}));
  writer.state("parameter", "p_n", "n", ones({32}));
  writer.state("buffer", "b_c", "c", zeros({1}));
  writer.input("x", kFloat, {batch, 8, 32});
  const auto node = [&](const std::string& target, const std::vector<std::pair<std::string, Json>>& arguments,
                        const std::string& result) {
    writer.node("torch.ops.aten." + target, arguments, {as_tensor(result)});
  };
  node("layer_norm.default",
       {{"input", as_tensor("x")}, {"normalized_shape", {{"as_ints", {32}}}}, {"weight", as_tensor("p_n")}}, "norm");
  node("linear.default", {{"input", as_tensor("norm")}, {"weight", as_tensor("p_w")}}, "qkv");
  node("view.default", {{"self", as_tensor("qkv")}, {"size", {{"as_ints", {-1, 8, 3, 4, 8}}}}}, "parts");
  node("permute.default", {{"self", as_tensor("parts")}, {"dims", {{"as_ints", {2, 0, 3, 1, 4}}}}}, "heads");
  for (int i = 0; i < 3; ++i) {
    node("select.int", {{"self", as_tensor("heads")}, {"dim", as_int(0)}, {"index", as_int(i)}},
         std::string(1, "qkv"[i]));
  }
  node("scaled_dot_product_attention.default",
       {{"query", as_tensor("q")}, {"key", as_tensor("k")}, {"value", as_tensor("v")}}, "attention");
  node("transpose.int", {{"self", as_tensor("attention")}, {"dim0", as_int(1)}, {"dim1", as_int(2)}}, "swapped");
  node("reshape.default", {{"self", as_tensor("swapped")}, {"shape", {{"as_ints", {-1, 8, 32}}}}}, "joined");
  node("gelu.default", {{"self", as_tensor("joined")}}, "gelu");
  node("add.Tensor", {{"self", as_tensor("gelu")}, {"other", as_tensor("x")}}, "sum");
  node("add_.Scalar", {{"self", as_tensor("b_c")}, {"other", as_int(1)}}, "count");
  node("mul.Tensor", {{"self", as_tensor("sum")}, {"other", as_tensor("count")}}, "product");
  writer.output(as_tensor("product"));
  return writer;
}

std::size_t allocations_of_run(SavedProgram& program, const std::vector<Value>& inputs, std::vector<Value>& outputs) {
  const std::size_t before = new_calls;
  program.run(inputs, outputs);
  return new_calls - before;
}

TEST(ProgramMemory, AllocatesNothingInTheSecondRun) {
  SavedProgram program = SavedProgram::load_bytes(attention_program(2).bytes(), {&find_operator});
  const std::vector<Value> inputs{ones({2, 8, 32})};
  std::vector<Value> outputs;
  const std::size_t allocated_first = allocations_of_run(program, inputs, outputs);
  EXPECT_TRUE(allocated_first > 0 || !counts_new);
  const std::vector<float> first = to_vector<float>(outputs[0].to_tensor());
  for (int i = 2; i < 5; ++i) {
    const std::size_t allocated = allocations_of_run(program, inputs, outputs);
    std::vector<float> expected = first;
    for (float& value : expected) value *= static_cast<float>(i);
    EXPECT_EQ(to_vector<float>(outputs[0].to_tensor()), expected);
    if (!keeps_blocks) continue;
    EXPECT_EQ(allocated, 0U);
    EXPECT_GT(program.memory().served_blocks, 10U);
    EXPECT_EQ(program.memory().other_blocks, 1U);  // the output
  }
}

// A list of views as result, a list of tensors as argument, and sizes in blocks of their own.
TEST(ProgramMemory, AllocatesNothingForLists) {
  ProgramWriter writer;
  writer.input("x", kFloat, {3, 2});
  writer.node("torch.ops.aten.split.Tensor", {{"self", as_tensor("x")}, {"split_size", as_int(2)}},
              {{{"as_tensors", {{{"name", "a"}}, {{"name", "b"}}}}}});
  writer.node("torch.ops.aten.cat.default", {{"tensors", {{"as_tensors", {{{"name", "b"}}, {{"name", "a"}}}}}}},
              {as_tensor("cat")});
  writer.node("torch.ops.aten.view.default",
              {{"self", as_tensor("cat")}, {"size", {{"as_ints", {1, 1, 3, 1, 1, 2, 1}}}}}, {as_tensor("view")});
  writer.node("torch.ops.aten.neg.default", {{"self", as_tensor("view")}}, {as_tensor("neg")});
  writer.output(as_tensor("neg"));
  SavedProgram program = SavedProgram::load_bytes(writer.bytes(), {&find_operator});
  const std::vector<Value> inputs{tensor<float>({{1, 2}, {3, 4}, {5, 6}})};
  std::vector<Value> outputs;
  program.run(inputs, outputs);
  for (int i = 0; i < 3; ++i) {
    const std::size_t allocated = allocations_of_run(program, inputs, outputs);
    EXPECT_EQ(to_vector<float>(outputs[0].to_tensor()), (std::vector<float>{-5, -6, -1, -2, -3, -4}));
    EXPECT_TRUE(allocated == 0 || !keeps_blocks) << allocated;
  }
}

// An index that the iterator owns, sums of many columns, and the steps of a recurrent layer.
TEST(ProgramMemory, AllocatesNothingInsideOfOperators) {
  ProgramWriter writer;
  writer.state("parameter", "p_i", "i", ones({16, 300}));
  writer.state("parameter", "p_h", "h", ones({16, 4}));
  writer.state("buffer", "b_s", "s", zeros({1, 2, 4}));
  writer.input("x", kFloat, {400, 2, 300});
  writer.input("places", kLong, {3, 1});
  const auto node = [&](const std::string& target, const std::vector<std::pair<std::string, Json>>& arguments,
                        const std::vector<std::string>& results) {
    std::vector<Json> outputs;
    for (const std::string& result : results) outputs.push_back(as_tensor(result));
    writer.node("torch.ops.aten." + target, arguments, outputs);
  };
  node("index.Tensor", {{"self", as_tensor("x")}, {"indices", {{"as_tensors", {{{"name", "places"}}}}}}}, {"found"});
  node("mean.dim", {{"self", as_tensor("found")}, {"dim", {{"as_ints", {1}}}}}, {"sequence"});
  node("mean.dim", {{"self", as_tensor("x")}, {"dim", {{"as_ints", {0}}}}}, {"mean"});
  const auto flag = [](bool value) { return Json{{"as_bool", value}}; };
  node("lstm.input",
       {{"input", as_tensor("x")},
        {"hx", {{"as_tensors", {{{"name", "b_s"}}, {{"name", "b_s"}}}}}},
        {"params", {{"as_tensors", {{{"name", "p_i"}}, {{"name", "p_h"}}}}}},
        {"has_biases", flag(false)},
        {"num_layers", as_int(1)},
        {"dropout", {{"as_float", 0.0}}},
        {"train", flag(false)},
        {"bidirectional", flag(false)},
        {"batch_first", flag(false)}},
       {"steps", "hidden", "cell"});
  for (const char* const output : {"sequence", "mean", "hidden", "cell"}) writer.output(as_tensor(output));
  SavedProgram program = SavedProgram::load_bytes(writer.bytes(), {&find_operator});
  const std::vector<Value> inputs{ones({400, 2, 300}), tensor<int64_t>({{2}, {399}, {0}})};
  std::vector<Value> outputs;
  program.run(inputs, outputs);
  const std::size_t allocated = allocations_of_run(program, inputs, outputs);
  EXPECT_EQ(outputs[0].to_tensor().sizes(), IntArrayRef({3, 2, 300}));
  EXPECT_EQ(to_vector<float>(outputs[1].to_tensor()), std::vector<float>(600, 1.0F));
  EXPECT_TRUE(allocated == 0 || !keeps_blocks) << allocated;
}

TEST(ProgramMemory, AllocatesNothingWhenSizesRepeat) {
  SavedProgram program = SavedProgram::load_bytes(attention_program("s0").bytes(), {&find_operator});
  std::vector<Value> outputs;
  for (const int64_t batch : {1, 5, 3}) {
    const std::vector<Value> inputs{ones({batch, 8, 32})};
    // The first run with other sizes than the last one does not expect that they repeat.
    for (int i = 0; i < (batch == 1 ? 1 : 2); ++i) program.run(inputs, outputs);
    const std::size_t allocated = allocations_of_run(program, inputs, outputs);
    EXPECT_EQ(outputs[0].to_tensor().size(0), batch);
    EXPECT_TRUE(allocated == 0 || !keeps_blocks) << allocated;
  }
  program.run({ones({2, 8, 32})}, outputs);
  EXPECT_EQ(outputs[0].to_tensor().size(0), 2);
}

// Outputs keep their values while later runs use the arena.
TEST(ProgramMemory, LeavesOutputsToTheCaller) {
  SavedProgram program = SavedProgram::load_bytes(attention_program(1).bytes(), {&find_operator});
  std::vector<std::vector<Value>> all;
  std::vector<std::vector<float>> expected;
  for (int i = 0; i < 4; ++i) {
    all.push_back(program.run({ones({1, 8, 32})}));
    expected.push_back(to_vector<float>(all.back()[0].to_tensor()));
  }
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(to_vector<float>(all[i][0].to_tensor()), expected[i]);
}

}  // namespace
}  // namespace structured::test
