// Modules that PyTorch does not write: they are refused, or fail when they are called, with bounded memory and stack.
#include <structured/find_operator.h>
#include <structured/program/flatbuffer.h>
#include <structured/program/script_module.h>
#include <structured/program/script_primitive.h>
#include <structured/quantized/find_operator.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "../../expect_error.h"
#include "module_writer.h"

namespace structured::test::untrusted_module_test {
namespace {

using namespace pickled;  // NOLINT
using program::DynamicValue;

const std::string kTrue = "\x88";
const std::string kNoAttributes = object("M", dict({}));

ScriptModule load(const std::string& bytes) {
  return ScriptModule::load_bytes(bytes, {&find_operator, &quantized::find_operator}, "file");
}
void expect_refusal(const std::string& data, const std::string& message) {
  expect_error([&] { load(write_module({}, data)); }, message);
}

// A function that applies `body` to a value `count` times.
WrittenFunction repeated(const std::string& name, const std::vector<WrittenInstruction>& first,
                         const std::vector<WrittenInstruction>& body, int64_t count) {
  WrittenFunction function{name, {{"STORE", 1}}, {"aten::add", "aten::str"}, {integer(0), integer(count), kTrue}, {}};
  std::vector<WrittenInstruction>& steps = function.instructions;
  steps.insert(steps.end(), {{"LOADC", 0}, {"LOADC", 1}, {"LOADC", 2}});
  steps.insert(steps.end(), first.begin(), first.end());
  const auto size = static_cast<int64_t>(body.size());
  steps.insert(steps.end(), {{"LOOP", size + 6, 3}, {"STORE", 1}, {"DROP"}, {"LOADC", 2}, {"MOVE", 1}});
  steps.insert(steps.end(), body.begin(), body.end());
  steps.insert(steps.end(), {{"JMP", -size - 5}});
  return function;
}
WrittenFunction nesting(const std::string& name, int64_t count) {
  return repeated(name, {{"LIST_CONSTRUCT"}}, {{"LIST_CONSTRUCT", 0, 1}}, count);
}

TEST(UntrustedModule, MayNestValuesAtRun) {
  WrittenFunction text = nesting("text", 300);
  text.instructions.push_back({"OP", 1});
  text.instructions.push_back({"RET"});
  ScriptModule module = load(write_module({nesting("shallow", 3), nesting("deep", 1000000), text}, kNoAttributes));
  const DynamicValue shallow = module.call("shallow", {});
  EXPECT_EQ(shallow.to_list().elements.at(0).to_list().elements.at(0).to_list().elements.size(), 1U);
  EXPECT_TRUE(shallow.equals(module.call("shallow", {})));
  const DynamicValue deep = module.call("deep", {});
  const DynamicValue other = module.call("deep", {});
  expect_error([&] { static_cast<void>(deep.equals(other)); }, "expected at most 200 nested values");
  expect_error([&] { module.call("text", {}); }, "expected at most 200 nested values");
}

TEST(UntrustedModule, MustNotContainItself) {
  const std::string message = "file: m/data.pkl: expected values that do not contain themselves";
  expect_refusal(object("M", dict({{"list", "]q\1h\1a"}})), message);
  expect_refusal(object("M", dict({{"dict", "}q\1" + text("key") + "h\1s"}})), message);
  expect_refusal(global("__torch__", "M") + ")\x81q\1" + dict({{"self", "h\1"}}) + "b", message);
}

TEST(UntrustedModule, MustNotMultiplyBytesOfTheFile) {
  const std::string message = "expected fewer values that share the bytes of the file";
  // Objects that share the name of their class.
  std::string objects = global("__torch__", std::string(100000, 'c')) + "q\1)\x81}b";
  for (int i = 0; i < 2000; ++i) objects += "h\1)\x81}b";
  expect_refusal(object("M", dict({{"objects", "(" + objects + "t"}})), message);
  // Objects that share their attributes.
  std::string attributes = "}q\1(";
  for (int i = 0; i < 2000; ++i) attributes += text("a") + "N";
  objects = object("C", attributes + "u");
  for (int i = 0; i < 2000; ++i) objects += object("C", "h\1");
  expect_refusal(object("M", dict({{"objects", "(" + objects + "t"}})), message);
}

TEST(UntrustedModule, MustNotMultiplyVectorsOfAFlatbuffer) {
  std::string bytes;
  append(bytes, 1 << 16, 4);
  bytes += std::string(1 << 16, 'x');
  const program::FlatBytes file(bytes, "file");
  std::size_t read = 0;
  for (int i = 0; i < 1000; ++i) read += program::FlatVector(file, 0, 1).size();
  EXPECT_EQ(file.error(), "expected vectors that share few of the file's bytes");
  EXPECT_GT(read, bytes.size());
  EXPECT_LT(read, 100 * bytes.size());
}

TEST(UntrustedModule, NamesTheFileOfAnUnknownDevice) {
  expect_refusal(object("M", dict({{"device", call(global("torch", "device"), {text("nonsense")})}})),
                 "file: m/data.pkl: ");
}

TEST(UntrustedModule, CallsMethodsOfObjectsOnly) {
  ScriptModule module =
      load(write_module({{"forward", {{"DROP"}, {"INTERFACE_CALL", 0, 0}}, {}, {text("f")}, {}}}, kNoAttributes));
  expect_error([&] { module.call("forward", {}); }, "expected an object to call the method `f` of");
}

TEST(UntrustedModule, NestsOptionalTypes) {
  constexpr std::size_t kDepth = 200000;
  std::string type;
  for (std::size_t i = 0; i < kDepth; ++i) type += "Optional[";
  type += "int" + std::string(kDepth, ']');
  ScriptModule module = load(write_module(
      {{"forward", {{"DROP"}, {"LOADC"}, {"ISINSTANCE", 0, 1}, {"RET"}}, {}, {integer(3)}, {type}}}, kNoAttributes));
  EXPECT_TRUE(module.call("forward", {}).to_bool());
}

TEST(UntrustedModule, MustNotBuildLongListsWhileItIsLoaded) {
  const std::vector<WrittenInstruction> twice = {{"STORE", 2}, {"LOAD", 2}, {"LOAD", 2}, {"OP", 0}};
  WrittenFunction set_state = repeated("__setstate__", {{"LOADC", 2}, {"LIST_CONSTRUCT", 0, 1}}, twice, 40);
  set_state.instructions[0] = {"STOREN", 1, 2};
  const auto module = [&](int64_t count) {
    set_state.constants[1] = integer(count);
    return write_module({set_state}, object("M", integer(1)));
  };
  load(module(4));
  expect_error([&] { load(module(40)); }, "expected at most 100000 instructions and elements of lists and texts");
}

// A weight of a linear layer over 64 bytes.
std::string packed_layer(int64_t rows, int64_t columns, int64_t stride) {
  const std::string one = std::string("G\x3f\xf0") + std::string(6, '\0');  // 1.0
  const std::string quantizer = tuple({global("torch", "per_tensor_affine"), one, integer(0)});
  const std::string weight = call(global("torch._utils", "_rebuild_qtensor"),
                                  {storage("QInt8Storage"), integer(0), tuple({integer(rows), integer(columns)}),
                                   tuple({integer(stride), integer(stride != 0)}), quantizer, "\x89", "N"});
  return global("__torch__.torch.classes.quantized", "LinearPackedParamsBase") + ")\x81" + tuple({weight, "N"}) + "b";
}

TEST(UntrustedModule, MustNotPackMoreWeightsThanItHas) {
  const std::string message = "expected a weight whose elements lie in the file, found sizes ";
  load(write_module({}, object("M", dict({{"layer", packed_layer(8, 8, 8)}}))));
  expect_refusal(object("M", dict({{"layer", packed_layer(1 << 20, 1 << 20, 0)}})), message + "[1048576, 1048576]");
  expect_refusal(object("M", dict({{"layer", packed_layer(int64_t{1} << 40, 0, 1)}})), message);
  // Layers that share a state.
  std::string layers = packed_layer(8, 8, 8);
  layers.insert(layers.size() - 1, "q\1");
  for (int i = 0; i < 1000; ++i) layers += "h\2)\x81h\1b";
  layers.insert(layers.find(')'), "q\2");
  expect_refusal(object("M", dict({{"layers", "(" + layers + "t"}})), message + "[8, 8]");
}

TEST(ScriptPrimitives, RejectNumbersOutOfRange) {
  const auto run = [](const char* name, std::vector<DynamicValue> arguments) {
    return *program::find_script_primitive(name)->run(arguments);
  };
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(run("aten::Float", {DynamicValue(std::string_view("-1.5e3"))}).to_double(), -1500);
  for (const std::string_view text : {"", "1.5x", "text"}) {
    expect_error([&] { run("aten::Float", {DynamicValue(text)}); }, "expected a number, got `" + std::string(text));
  }
  EXPECT_EQ(run("aten::abs", {int64_t{-3}}).to_int(), 3);
  expect_error([&] { run("aten::abs", {least}); }, "expected a result that int64 holds");
  EXPECT_EQ(run("aten::__range_length", {int64_t{1}, int64_t{8}, int64_t{3}}).to_int(), 3);
  expect_error([&] { run("aten::__range_length", {least, most, int64_t{1}}); }, "expected a range of fewer than");
  EXPECT_EQ(run("aten::__derive_index", {int64_t{2}, int64_t{1}, int64_t{3}}).to_int(), 7);
  expect_error([&] { run("aten::__derive_index", {most, int64_t{0}, int64_t{3}}); },
               "expected a number of a range that int64 holds");
}

}  // namespace
}  // namespace structured::test::untrusted_module_test
