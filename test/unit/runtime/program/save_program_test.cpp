#include <structured/find_operator.h>
#include <structured/ops/add.h>
#include <structured/ops/cat.h>
#include <structured/ops/linear.h>
#include <structured/ops/mul.h>
#include <structured/ops/relu.h>
#include <structured/ops/split.h>
#include <structured/ops/sum.h>
#include <structured/program/save_program.h>
#include <structured/program/saved_program.h>

#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "../../expect_error.h"
#include "archive.h"

namespace structured::test {
namespace {

/// Path of a file that is removed at the end of the scope.
class TemporaryFile {
 public:
  ~TemporaryFile() { std::remove(path.c_str()); }
  const std::string path = testing::TempDir() + "save_program_test." + std::to_string(getpid()) + ".pt2";
};

struct Recorded {
  Program program;
  Tensor x, y, sum;
};

// Records y = relu(linear(x, w, b)) * 2 and a sum, with buffers w and b.
Recorded record(TensorOptions options) {
  Recorded result;
  result.x = zeros({1, 2}, options);
  const Tensor w = tensor<float>({{1, 2}, {-3, 4}}), b = tensor<float>({10, 0.5});
  const Tensor weight = options.device().is_meta() ? empty({2, 2}, options) : w;
  const Tensor bias = options.device().is_meta() ? empty({2}, options) : b;
  const Tracer tracer(result.program);
  const Tensor activation = structured::relu(structured::linear(result.x, weight, bias));
  result.y = structured::mul(activation, 2);
  const std::vector<Tensor> parts = structured::split(result.y, 1, 1);
  result.sum = structured::sum(structured::cat({parts[1], parts[0]}, 0), {0}, true);
  return result;
}

TEST(SaveProgram, WritesAProgramThatRunsToTheSameValues) {
  const TemporaryFile file;
  const Recorded recorded = record(kFloat);
  save_program(file.path, recorded.program, {{"x", recorded.x}}, {recorded.y, recorded.sum});
  SavedProgram program = SavedProgram::load(file.path, {&find_operator});
  ASSERT_EQ(program.inputs().size(), 1U);
  EXPECT_EQ(program.inputs()[0].name, "x");
  EXPECT_EQ(program.states().size(), 2U);
  const std::vector<Value> outputs = program.run({tensor<float>({{1, -1}})});
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(to_vector<float>(outputs[0].to_tensor()), (std::vector<float>{18, 0}));
  EXPECT_EQ(to_vector<float>(outputs[1].to_tensor()), (std::vector<float>{18}));
}

TEST(SaveProgram, WritesEqualFilesForEqualPrograms) {
  const TemporaryFile file;
  std::string bytes[2];
  for (std::string& text : bytes) {
    const Recorded recorded = record(kFloat);
    save_program(file.path, recorded.program, {{"x", recorded.x}}, {recorded.y});
    std::FILE* const in = std::fopen(file.path.c_str(), "rb");
    ASSERT_NE(in, nullptr);
    char buffer[65536];
    text.assign(buffer, std::fread(buffer, 1, sizeof buffer, in));
    std::fclose(in);
  }
  EXPECT_FALSE(bytes[0].empty());
  EXPECT_EQ(bytes[0], bytes[1]);
}

TEST(SaveProgram, RecordsOnMeta) {
  const TemporaryFile file;
  Program recorded;
  const Tensor x = empty({3}, TensorOptions(kFloat, Device(kMeta)));
  Tensor y;
  {
    const Tracer tracer(recorded);
    y = structured::add(x, x, 2);
  }
  save_program(file.path, recorded, {{"x", x}}, {y});
  SavedProgram program = SavedProgram::load(file.path, {&find_operator});
  EXPECT_EQ(to_vector<float>(program.run({tensor<float>({1, 2, 3})})[0].to_tensor()), (std::vector<float>{3, 6, 9}));
}

TEST(SaveProgram, RejectsWrongArguments) {
  const TemporaryFile file;
  const Recorded recorded = record(kFloat);
  const auto rejects = [&](const NamedTensors& inputs, const std::vector<Tensor>& outputs, const char* part) {
    expect_error([&] { save_program(file.path, recorded.program, inputs, outputs); }, part);
  };
  rejects({{"x y", recorded.x}}, {recorded.y}, "expected names of letters, digits and `_`, got `x y`");
  rejects({{"x", recorded.x}, {"x", recorded.x}}, {recorded.y}, "expected different names of inputs, got `x` twice");
  rejects({{"x", recorded.x}}, {zeros({1})}, "expected outputs that the program computes, got another one");
  const Recorded shapes = record(TensorOptions(kFloat, Device(kMeta)));
  expect_error([&] { save_program(file.path, shapes.program, {{"x", shapes.x}}, {shapes.y}); },
               "expected buffers on cpu, got one on meta as argument of `aten::linear`");
}

}  // namespace
}  // namespace structured::test
