#include <structured/dispatch/boxed.h>
#include <structured/find_operator.h>
#include <structured/program/saved_program.h>

#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "../../expect_error.h"
#include "archive.h"

namespace structured::test {
namespace {

SavedProgram load(const ProgramWriter& writer) {
  return SavedProgram::load_bytes(writer.bytes(), {&find_operator}, "", "file");
}

std::vector<float> floats(const Value& value) { return to_vector<float>(value.to_tensor()); }

/// relu(linear(x, w, b)) for x [batch, 2].
ProgramWriter linear_program(const Json& batch) {
  ProgramWriter writer;
  writer.state("parameter", "p_w", "layer.weight", tensor<float>({{1, 2}, {-3, 4}}));
  writer.state("parameter", "p_b", "layer.bias", tensor<float>({10, 0.5}));
  writer.input("x", kFloat, {batch, 2});
  writer.node("torch.ops.aten.linear.default",
              {{"input", as_tensor("x")}, {"weight", as_tensor("p_w")}, {"bias", as_tensor("p_b")}},
              {as_tensor("linear")});
  writer.node("torch.ops.aten.relu.default", {{"self", as_tensor("linear")}}, {as_tensor("relu")});
  writer.output(as_tensor("relu"));
  return writer;
}

TEST(SavedProgram, RunsOperatorsWithWeights) {
  SavedProgram program = load(linear_program(1));
  const std::vector<Value> outputs = program.run({tensor<float>({{1, -1}})});
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(floats(outputs[0]), (std::vector<float>{9, 0}));  // 1 - 2 + 10, and -3 - 4 + 0.5
  EXPECT_EQ(program.node_count(), 2U);
  EXPECT_EQ(program.states()[1].name, "layer.bias");
}

TEST(SavedProgram, PrintsInputsAndOperators) {
  std::ostringstream out;
  out << load(linear_program("s0"));
  EXPECT_EQ(out.str(),
            "input x: Float[s0, 2]\n2 parameters, buffers and constants with 24 bytes\n"
            "2 nodes, 2 steps of a run, 1 outputs\n  1  aten::linear\n  1  aten::relu\n");
}

TEST(SavedProgram, AcceptsAnySizeOfADynamicDimension) {
  ProgramWriter writer = linear_program("s0");
  writer.range_constraints["s0"] = {{"min_val", 1}, {"max_val", 2}};
  SavedProgram program = load(writer);
  EXPECT_EQ(floats(program.run({tensor<float>({{1, -1}})})[0]), (std::vector<float>{9, 0}));
  EXPECT_EQ(floats(program.run({tensor<float>({{1, -1}, {0, 1}})})[0]), (std::vector<float>{9, 0, 12, 4.5}));
  expect_error([&] { program.run({zeros({3, 2})}); }, "input 0 `x`: expected a size from 1 to 2 of dimension 0, got 3");
}

TEST(SavedProgram, RejectsInputsThatDoNotFit) {
  SavedProgram program = load(linear_program(1));
  expect_error([&] { program.run({}); }, "expected 1 inputs, got 0");
  expect_error([&] { program.run({1}); }, "input 0 `x`: expected a value of type `Tensor`, got `int`");
  expect_error([&] { program.run({Tensor()}); }, "input 0 `x`: expected a tensor, got an undefined one");
  expect_error([&] { program.run({zeros({1, 2}, kDouble)}); },
               "input 0 `x`: expected a tensor Float[1, 2], got Double[1, 2]");
  expect_error([&] { program.run({zeros({2, 2})}); }, "expected a tensor Float[1, 2], got Float[2, 2]");
  expect_error([&] { program.run({zeros({2})}); }, "expected a tensor Float[1, 2], got Float[2]");
}

TEST(SavedProgram, RequiresEqualSizesOfDimensionsWithOneSymbol) {
  ProgramWriter writer;
  writer.input("x", kFloat, {"s0"});
  writer.input("y", kFloat, {"s0"});
  writer.node("torch.ops.aten.add.Tensor", {{"self", as_tensor("x")}, {"other", as_tensor("y")}}, {as_tensor("sum")});
  writer.output(as_tensor("sum"));
  SavedProgram program = load(writer);
  EXPECT_EQ(floats(program.run({tensor<float>({1, 2}), tensor<float>({3, 4})})[0]), (std::vector<float>{4, 6}));
  expect_error([&] { program.run({zeros({2}), zeros({1})}); },
               "input 1 `y`: expected size 2 of dimension 0, as other dimensions `s0` have, got 1");
}

TEST(SavedProgram, ComputesWithSizes) {
  ProgramWriter writer;
  writer.input("x", kFloat, {"s0", 2});
  writer.node("torch.ops.aten.sym_size.int", {{"self", as_tensor("x")}, {"dim", as_int(0)}}, {as_size("rows")});
  writer.node("_operator.mul", {{"a", as_size("rows")}, {"b", as_int(2)}}, {as_size("count")});
  writer.node("torch.ops.aten.view.default",
              {{"self", as_tensor("x")}, {"size", {{"as_sym_ints", {{{"as_name", "count"}}, {{"as_int", 1}}}}}}},
              {as_tensor("view")});
  // A number where the schema has a tensor.
  writer.node("torch.ops.aten.mul.Tensor", {{"self", as_tensor("view")}, {"other", as_size("rows")}},
              {as_tensor("product")});
  writer.output(as_tensor("product"));
  writer.output(as_size("count"));
  SavedProgram program = load(writer);
  const std::vector<Value> outputs = program.run({tensor<float>({{1, 2}, {3, 4}, {5, 6}})});
  EXPECT_EQ(outputs[0].to_tensor().sizes(), IntArrayRef({6, 1}));
  EXPECT_EQ(floats(outputs[0]), (std::vector<float>{3, 6, 9, 12, 15, 18}));
  EXPECT_EQ(outputs[1].to_int(), 6);
}

// The second run sees what the first one wrote, in both forms of a mutation.
TEST(SavedProgram, KeepsBuffersFromRunToRun) {
  ProgramWriter in_place;
  in_place.state("buffer", "b_n", "n", tensor<float>({5}));
  in_place.input("x", kFloat, {1});
  in_place.node("torch.ops.aten.add_.Tensor", {{"self", as_tensor("b_n")}, {"other", as_tensor("x")}},
                {as_tensor("sum")});
  in_place.node("torch.ops.aten.mul.Tensor", {{"self", as_tensor("sum")}, {"other", as_tensor("x")}},
                {as_tensor("product")});
  in_place.output(as_tensor("product"));

  ProgramWriter functional;
  functional.state("buffer", "b_n", "n", tensor<float>({5}));
  functional.input("x", kFloat, {1});
  functional.node("torch.ops.aten.add.Tensor", {{"self", as_tensor("b_n")}, {"other", as_tensor("x")}},
                  {as_tensor("sum")});
  functional.node("torch.ops.aten.mul.Tensor", {{"self", as_tensor("sum")}, {"other", as_tensor("x")}},
                  {as_tensor("product")});
  functional.mutation("buffer_mutation", "buffer_name", "n", "sum");
  functional.output(as_tensor("product"));

  for (const ProgramWriter& writer : {in_place, functional}) {
    SavedProgram program = load(writer), other = load(writer);
    EXPECT_EQ(floats(program.run({tensor<float>({2})})[0]), std::vector<float>{14});
    EXPECT_EQ(floats(program.run({tensor<float>({3})})[0]), std::vector<float>{30});
    EXPECT_EQ(to_vector<float>(program.states()[0].tensor), std::vector<float>{10});
    EXPECT_EQ(floats(other.run({tensor<float>({2})})[0]), std::vector<float>{14});
  }
}

TEST(SavedProgram, WritesToInputs) {
  ProgramWriter writer;
  writer.input("x", kFloat, {2});
  writer.node("torch.ops.aten.relu.default", {{"self", as_tensor("x")}}, {as_tensor("relu")});
  writer.mutation("user_input_mutation", "user_input_name", "x", "relu");
  SavedProgram program = load(writer);
  const Tensor x = tensor<float>({-1, 2});
  EXPECT_TRUE(program.run({x}).empty());
  EXPECT_EQ(to_vector<float>(x), (std::vector<float>{0, 2}));
}

// Each new value is a view of the other buffer's old one.
TEST(SavedProgram, SwapsBuffers) {
  ProgramWriter writer;
  writer.state("buffer", "b_a", "a", tensor<float>({1}));
  writer.state("buffer", "b_b", "b", tensor<float>({2}));
  writer.mutation("buffer_mutation", "buffer_name", "a", "b_b");
  writer.mutation("buffer_mutation", "buffer_name", "b", "b_a");
  SavedProgram program = load(writer);
  program.run({});
  EXPECT_EQ(to_vector<float>(program.states()[0].tensor), std::vector<float>{2});
  EXPECT_EQ(to_vector<float>(program.states()[1].tensor), std::vector<float>{1});
}

TEST(SavedProgram, ComputesConstantsAtLoad) {
  ProgramWriter writer = linear_program(1);
  writer.node("torch.ops.aten.exp.default", {{"self", as_tensor("p_b")}}, {as_tensor("exp")});
  writer.node("torch.ops.aten.neg.default", {{"self", as_tensor("exp")}}, {as_tensor("neg")});
  writer.node("torch.ops.aten.mul.Tensor", {{"self", as_tensor("relu")}, {"other", as_tensor("neg")}},
              {as_tensor("product")});
  writer.node("torch.ops.aten.cos.default", {{"self", as_tensor("relu")}}, {as_tensor("unused")});
  writer.output(as_tensor("product"));
  SavedProgram program = load(writer);
  EXPECT_EQ(program.node_count(), 6U);
  EXPECT_EQ(program.instruction_count(), 3U);  // linear, relu, mul
  EXPECT_FLOAT_EQ(floats(program.run({tensor<float>({{1, -1}})})[1])[0], -9 * 22026.465795F);
}

// A tensor of zeros that each run writes to is new in each run, and so is one that the caller receives.
TEST(SavedProgram, MakesNewTensorsWhereTheyAreWrittenOrReturned) {
  ProgramWriter writer;
  writer.input("x", kFloat, {1});
  for (const std::string name : {"written", "returned"}) {
    writer.node("torch.ops.aten.zeros.default", {{"size", {{"as_ints", {1}}}}}, {as_tensor(name)});
  }
  writer.node("torch.ops.aten.unsqueeze.default", {{"self", as_tensor("written")}, {"dim", as_int(0)}},
              {as_tensor("view")});
  writer.node("torch.ops.aten.add_.Tensor", {{"self", as_tensor("view")}, {"other", as_tensor("x")}},
              {as_tensor("sum")});
  writer.output(as_tensor("written"));
  writer.output(as_tensor("returned"));
  SavedProgram program = load(writer);
  for (int i = 0; i < 2; ++i) {
    const std::vector<Value> outputs = program.run({tensor<float>({3})});
    EXPECT_EQ(floats(outputs[0]), std::vector<float>{3});
    EXPECT_EQ(floats(outputs[1]), std::vector<float>{0});
    outputs[1].to_tensor().data_ptr<float>()[0] = 7;
  }
}

// A value computed from a buffer that the program writes to differs from run to run; a view of the buffer does not.
TEST(SavedProgram, ComputesNothingAtLoadFromBuffersThatChange) {
  ProgramWriter writer;
  writer.state("buffer", "b_n", "n", tensor<float>({1, 2}));
  writer.node("torch.ops.aten.neg.default", {{"self", as_tensor("b_n")}}, {as_tensor("neg")});
  writer.node("torch.ops.aten.select.int", {{"self", as_tensor("b_n")}, {"dim", as_int(0)}, {"index", as_int(1)}},
              {as_tensor("view")});
  writer.node("torch.ops.aten.mul_.Scalar", {{"self", as_tensor("view")}, {"other", as_int(10)}}, {as_tensor("mul")});
  writer.output(as_tensor("neg"));
  SavedProgram program = load(writer);
  EXPECT_EQ(floats(program.run({})[0]), (std::vector<float>{-1, -2}));
  EXPECT_EQ(floats(program.run({})[0]), (std::vector<float>{-1, -20}));
  EXPECT_EQ(program.instruction_count(), 2U);
}

// A graph as argument: the result of one operator on its input.
Json graph_argument(const std::string& target) {
  return {{"as_graph",
           {{"name", "branch"},
            {"graph",
             {{"inputs", {as_tensor("arg")}},
              {"outputs", {as_tensor("result")}},
              {"nodes", {ProgramWriter::make_node(target, {{"self", as_tensor("arg")}}, {as_tensor("result")})}},
              {"tensor_values", Json::object()}}}}}};
}

TEST(SavedProgram, ChoosesBetweenGraphs) {
  ProgramWriter writer;
  writer.input("x", kFloat, {2});
  writer.node("torch.ops.aten.sum.default", {{"self", as_tensor("x")}}, {as_tensor("sum")});
  writer.node("torch.ops.aten.gt.Scalar", {{"self", as_tensor("sum")}, {"other", as_int(0)}}, {as_tensor("gt")});
  writer.node("torch.ops.higher_order.cond",
              {{"", as_tensor("gt")},
               {"", graph_argument("torch.ops.aten.neg.default")},
               {"", graph_argument("torch.ops.aten.relu.default")},
               {"", {{"as_tensors", {{{"name", "x"}}}}}}},
              {{{"as_tensors", {{{"name", "chosen"}}}}}});
  writer.output(as_tensor("chosen"));
  SavedProgram program = load(writer);
  EXPECT_EQ(floats(program.run({tensor<float>({-1, 2})})[0]), (std::vector<float>{1, -2}));
  EXPECT_EQ(floats(program.run({tensor<float>({-3, 2})})[0]), (std::vector<float>{0, 2}));
}

TEST(SavedProgram, RunsRegionsWithoutGradientsOrAutocast) {
  ProgramWriter writer;
  writer.input("x", kFloat, {2});
  writer.node("torch.ops.higher_order.wrap_with_set_grad_enabled",
              {{"", {{"as_bool", false}}}, {"", graph_argument("torch.ops.aten.neg.default")}, {"", as_tensor("x")}},
              {as_tensor("neg")});
  const auto autocast = [&](bool is_enabled) {
    writer.node("torch.ops.higher_order.wrap_with_autocast",
                {{"", {{"as_string", "cpu"}}},
                 {"", {{"as_none", true}}},
                 {"", {{"as_bool", is_enabled}}},
                 {"", {{"as_bool", false}}},
                 {"", graph_argument("torch.ops.aten.relu.default")},
                 {"", as_tensor("neg")}},
                {as_tensor("relu")});
  };
  autocast(false);
  writer.output(as_tensor("relu"));
  SavedProgram program = load(writer);
  EXPECT_EQ(floats(program.run({tensor<float>({-1, 2})})[0]), (std::vector<float>{1, 0}));
  autocast(true);
  expect_error([&] { load(writer); }, "nodes[2]: expected a region with autocast disabled");
  writer.nodes[2]["target"] = "torch.ops.higher_order.while_loop";
  expect_error([&] { load(writer); }, "the higher-order operator `while_loop` is not supported");
}

TEST(SavedProgram, UnpacksListsOfTensors) {
  ProgramWriter writer;
  writer.input("x", kFloat, {3});
  writer.node("torch.ops.aten.split.Tensor", {{"self", as_tensor("x")}, {"split_size", as_int(2)}},
              {{{"as_tensors", {{{"name", "a"}}, {{"name", "b"}}}}}});
  writer.node("torch.ops.aten.cat.default", {{"tensors", {{"as_tensors", {{{"name", "b"}}, {{"name", "a"}}}}}}},
              {as_tensor("cat")});
  writer.output(as_tensor("cat"));
  EXPECT_EQ(floats(load(writer).run({tensor<float>({1, 2, 3})})[0]), (std::vector<float>{3, 1, 2}));
}

// An operator with optional lists and optional results: the tensors of `tensors` with the names in `names`, and `self`.
std::vector<std::optional<Tensor>> pick(const Tensor& self, std::optional<TensorList> tensors,
                                        ArrayRef<std::optional<Tensor>> more,
                                        std::optional<ArrayRef<std::string_view>> names) {
  std::vector<std::optional<Tensor>> result(more.begin(), more.end());
  if (tensors) result.insert(result.end(), tensors->begin(), tensors->end());
  if (names) {
    EXPECT_EQ((*names)[0], "a");
    EXPECT_EQ((*names)[1], "b");
  }
  result.emplace_back(self);
  return result;
}
using Pick = decltype(pick);
constinit Operator<Pick> op_pick{"test::pick",
                                 "pick(Tensor self, Tensor[]? tensors, Tensor?[] more, str[]? names=None) -> Tensor?[]",
                                 {{Backend::CPU, pick}}};

std::tuple<Tensor, std::optional<Tensor>> halves(const Tensor& self, const std::optional<Tensor>& other) {
  return {self, other};
}
constinit Operator<decltype(halves)> op_halves{
    "test::halves", "halves(Tensor self, Tensor? other) -> (Tensor, Tensor?)", {{Backend::CPU, halves}}};

const OperatorHandle* find_own(std::string_view name) {
  static const OperatorHandle own[] = {{"test::pick", &op_pick, call_boxed<op_pick>},
                                       {"test::halves", &op_halves, call_boxed<op_halves>}};
  for (const OperatorHandle& each : own) {
    if (each.name == name) return &each;
  }
  return find_operator(name);
}

TEST(SavedProgram, HasOptionalListsAndResults) {
  const Json absent = {{"as_none", true}};
  const auto load_own = [](const ProgramWriter& writer) {
    return SavedProgram::load_bytes(writer.bytes(), {&find_own}, "", "file");
  };
  ProgramWriter writer;
  writer.input("x", kFloat, {2});
  writer.node("torch.ops.test.pick.default",
              {{"self", as_tensor("x")},
               {"tensors", {{"as_tensors", {{{"name", "x"}}}}}},
               {"more", {{"as_optional_tensors", {absent, as_tensor("x")}}}},
               {"names", {{"as_strings", {"a", "b"}}}}},
              {{{"as_optional_tensors", {absent, as_tensor("p"), as_tensor("q"), as_tensor("r")}}}});
  writer.node("torch.ops.test.pick.default",
              {{"self", as_tensor("p")}, {"tensors", absent}, {"more", {{"as_ints", Json::array()}}}},
              {{{"as_optional_tensors", {as_tensor("s")}}}});
  writer.node("torch.ops.test.halves.default", {{"self", as_tensor("q")}, {"other", absent}},
              {as_tensor("t"), {{"as_optional_tensor", absent}}});
  writer.node("torch.ops.test.halves.default", {{"self", as_tensor("r")}, {"other", as_tensor("s")}},
              {as_tensor("u"), {{"as_optional_tensor", as_tensor("v")}}});
  writer.node("torch.ops.aten.stack.default", {{"tensors", {{"as_tensors", {{{"name", "t"}}, {{"name", "v"}}}}}}},
              {as_tensor("stack")});
  writer.output(as_tensor("stack"));
  SavedProgram program = load_own(writer);
  EXPECT_EQ(floats(program.run({tensor<float>({1, 2})})[0]), (std::vector<float>{1, 2, 1, 2}));
}

// Views come one by one from other operators, with the list's operator's own errors.
TEST(SavedProgram, UnpacksListsOfViews) {
  const Tensor x = tensor<float>({{1, 2, 3, 4, 5}});
  const auto run = [&](const std::string& target, const std::vector<std::pair<std::string, Json>>& arguments,
                       std::size_t count) {
    ProgramWriter writer;
    writer.input("x", kFloat, {1, "s0"});
    std::vector<std::pair<std::string, Json>> all{{"self", as_tensor("x")}};
    all.insert(all.end(), arguments.begin(), arguments.end());
    Json names = Json::array();
    for (std::size_t i = 0; i < count; ++i) names.push_back({{"name", "part" + std::to_string(i)}});
    writer.node("torch.ops.aten." + target, all, {{{"as_tensors", names}}});
    for (std::size_t i = 0; i < count; ++i) writer.output(as_tensor("part" + std::to_string(i)));
    std::vector<std::vector<float>> results;
    for (const Value& value : load(writer).run({x})) {
      EXPECT_TRUE(value.to_tensor().storage().is_same(x.storage()));
      EXPECT_EQ(value.to_tensor().dim(), target == "unbind.int" ? 1 : 2);
      results.push_back(floats(value));
    }
    return results;
  };
  using Parts = std::vector<std::vector<float>>;
  const std::pair<std::string, Json> last{"dim", as_int(-1)};
  EXPECT_EQ(run("unbind.int", {last}, 5), (Parts{{1}, {2}, {3}, {4}, {5}}));
  EXPECT_EQ(run("unbind.int", {}, 1), (Parts{{1, 2, 3, 4, 5}}));
  EXPECT_EQ(run("split.Tensor", {{"split_size", as_int(3)}, last}, 2), (Parts{{1, 2, 3}, {4, 5}}));
  EXPECT_EQ(run("split.Tensor", {{"split_size", as_int(INT64_MAX)}, last}, 1), (Parts{{1, 2, 3, 4, 5}}));
  EXPECT_EQ(run("chunk.default", {{"chunks", as_int(3)}, last}, 3), (Parts{{1, 2}, {3, 4}, {5}}));
  EXPECT_EQ(run("chunk.default", {{"chunks", as_int(4)}, last}, 3), (Parts{{1, 2}, {3, 4}, {5}}));
  const auto lengths = [](const std::vector<int64_t>& values) {
    return std::pair<std::string, Json>{"split_sizes", {{"as_ints", values}}};
  };
  EXPECT_EQ(run("split_with_sizes.default", {lengths({1, 0, 4}), last}, 3), (Parts{{1}, {}, {2, 3, 4, 5}}));
  expect_error([&] { run("split_with_sizes.default", {lengths({1, 3}), last}, 2); }, "split_with_sizes");
  expect_error([&] { run("split.Tensor", {{"split_size", as_int(-1)}, last}, 2); }, "split");
  expect_error([&] { run("unbind.int", {{"dim", as_int(2)}}, 2); }, "(aten::unbind.int): ");
  expect_error([&] { run("chunk.default", {{"chunks", as_int(4)}, last}, 4); },
               "expected a list of 4 tensors as result, got 3");
}

TEST(SavedProgram, NamesTheNodeOfAnErrorAndRunsAfterwards) {
  ProgramWriter writer;
  writer.input("x", kFloat, {"s0"});
  writer.node("torch.ops.aten.view.default", {{"self", as_tensor("x")}, {"size", {{"as_ints", {2, 2}}}}},
              {as_tensor("view")});
  writer.output(as_tensor("view"));
  SavedProgram program = load(writer);
  expect_error([&] { program.run({zeros({3})}); }, "node `node_of_torch.ops.aten.view.default` (aten::view): ");
  EXPECT_EQ(program.run({zeros({4})})[0].to_tensor().dim(), 2);
}

TEST(SavedProgram, ListsMissingOperators) {
  ProgramWriter writer = linear_program(1);
  writer.node("torch.ops.aten.no_such.Tensor", {{"self", as_tensor("relu")}}, {as_tensor("a")});
  writer.node("torch.ops.my.other.default", {{"self", as_tensor("a")}}, {as_tensor("b")});
  writer.node("torch.ops.my.other.default", {{"self", as_tensor("b")}}, {as_tensor("c")});
  expect_error([&] { load(writer); }, "missing are `aten::no_such.Tensor` (1 node), `my::other` (2 nodes)");
}

TEST(SavedProgram, RejectsWrongArguments) {
  const auto rejects = [](const std::vector<std::pair<std::string, Json>>& arguments, const char* part) {
    ProgramWriter writer = linear_program(1);
    writer.node("torch.ops.aten.add.Tensor", arguments, {as_tensor("sum")});
    expect_error([&] { load(writer); }, part);
  };
  rejects({{"self", as_tensor("relu")}}, "inputs: expected the argument `other` of `add.Tensor(");
  rejects({{"self", as_tensor("relu")}, {"what", as_int(1)}}, "inputs[1]: expected an argument of `add.Tensor(");
  rejects({{"self", as_tensor("later")}}, "name: expected the name of an earlier value, found `later`");
  rejects({{"self", {{"as_custom_obj", "x"}}}}, "arguments of the kind `as_custom_obj` are not supported");
}

TEST(SavedProgram, RejectsOtherVersions) {
  ProgramWriter writer = linear_program(1);
  writer.major_version = 9;
  expect_error([&] { load(writer); }, "schema_version: expected schema version 8, found 9");
  writer = linear_program(1);
  writer.archive_version = "1";
  expect_error([&] { load(writer); }, "file: expected archive version 0, found `1`");
  ZipWriter old;
  old.add("serialized_exported_program.json", "{}");
  expect_error([&] { SavedProgram::load_bytes(old.finish(), {&find_operator}); },
               "expected a file of PyTorch 2.9 or later, found one of PyTorch 2.7 or earlier");
  ZipWriter other;
  other.add("a", "b");
  expect_error([&] { SavedProgram::load_bytes(other.finish(), {&find_operator}); },
               "expected a program that torch.export.save has written, found another zip archive");
}

TEST(SavedProgram, RejectsWeightsOutsideTheirFiles) {
  const auto rejects = [](const std::string& member, const Json& value, const char* part) {
    ProgramWriter writer = linear_program(1);
    writer.weights["layer.weight"]["tensor_meta"][member] = value;
    expect_error([&] { load(writer); }, part);
  };
  rejects("sizes", {as_int(2), as_int(3)}, "file: tensor `layer.weight`: expected at least 20 bytes");
  rejects("sizes", {as_int(-2), as_int(2)}, "file: tensor `layer.weight`: ");
  rejects("sizes", {as_int(INT64_MAX), as_int(2)}, "file: tensor `layer.weight`: ");
  rejects("storage_offset", as_int(1), "expected at least 20 bytes");
  rejects("storage_offset", as_int(-1), "expected a storage offset of 0 or more");
  rejects("dtype", 99, "tensor_meta.dtype: expected the number of a dtype that tensors have, found 99");
  rejects("layout", 1, "expected the number 7 of the layout Strided, found 1");
}

TEST(SavedProgram, RejectsTruncationAtEveryByte) {
  const std::string bytes = linear_program(1).bytes();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    expect_error(
        [&] { SavedProgram::load_bytes(std::string_view(bytes).substr(0, length), {&find_operator}, "", "file"); },
        "file: expected ");
  }
}

// Each byte of the program in turn becomes another one: an error or a program, and nothing else.
TEST(SavedProgram, SurvivesDamagedBytes) {
  const std::string bytes = linear_program(1).bytes();
  std::size_t rejected = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x11);
    try {
      SavedProgram::load_bytes(damaged, {&find_operator});
    } catch (const InternalError& error) {
      ADD_FAILURE() << "byte " << at << ": " << error.what();
    } catch (const Error&) {
      ++rejected;
    }
  }
  EXPECT_GT(rejected, bytes.size() / 2);  // checksums cover members, and structure most of the rest
}

}  // namespace
}  // namespace structured::test
