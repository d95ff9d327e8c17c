#include <structured/core/factory.h>
#include <structured/find_operator.h>
#include <structured/program/script_module.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../../expect_error.h"
#include "read_file.h"

namespace structured::test::script_module_test {
namespace {

using program::DynamicDict;
using program::DynamicValue;

// Two encodings of the module in data/README.md.
const std::string kFiles[] = {std::string(SAMPLES) + "/custom.ptl", std::string(SAMPLES) + "/custom.fb.ptl"};

DynamicValue dict_of(std::string_view key, const Tensor& value) {
  auto dict = std::make_shared<DynamicDict>();
  dict->set(DynamicValue(key), value);
  return dict;
}

TEST(ScriptModule, RunsLoopsConditionsAndDictionaries) {
  for (const std::string& path : kFiles) {
    ScriptModule module = ScriptModule::load(path, {&find_operator});
    const std::vector<float> w = to_vector<float>(module.attribute("w").to_tensor());
    ASSERT_EQ(w.size(), 3U);
    const auto expect_result = [&](const DynamicValue& result, float added, int64_t count) {
      const auto& parts = result.to_tuple().elements;
      ASSERT_EQ(parts.size(), 2U);
      EXPECT_EQ(to_vector<float>(parts[0].to_tensor()),
                (std::vector<float>{w[0] * 2 + added, w[1] * 2 + added, w[2] * 2 + added}));
      EXPECT_EQ(parts[1].to_int(), count);
    };
    const Tensor ones = full({3}, 1.0);
    expect_result(module.call("forward", {dict_of("b", ones), 2.0}), 1, 1);
    expect_result(module.call("forward", {dict_of("c", ones), 2.0}), 0, 2);
    expect_result(module.call("forward", {dict_of("b", ones), 2.0, false}), 0, 3);
    EXPECT_EQ(module.attribute("count").to_int(), 3);
    EXPECT_TRUE(module.call("reset", {}).is_none());
    expect_result(module.call("forward", {dict_of("a", ones), 2.0}), 1, 1);
  }
}

TEST(ScriptModule, ListsMethodsAndOperators) {
  for (const std::string& path : kFiles) {
    const ScriptModule module = ScriptModule::load(path, {&find_operator});
    EXPECT_EQ(module.methods(), (std::vector<std::string>{"forward", "reset"}));
    EXPECT_EQ(module.operators(),
              (std::vector<std::string>{"aten::__contains__.str", "aten::__getitem__.t", "aten::add.Tensor",
                                        "aten::add.int", "aten::gt.int", "aten::len.t", "aten::mul.Scalar"}));
  }
}

TEST(ScriptModule, RaisesTheExceptionsOfTheProgram) {
  for (const std::string& path : kFiles) {
    ScriptModule module = ScriptModule::load(path, {&find_operator});
    const DynamicValue x = dict_of("a", full({3}, 1.0));
    for (int i = 0; i < 3; ++i) module.call("forward", {x, 1.0, false});
    expect_error([&] { module.call("forward", {x, 1.0, false}); },
                 "__torch__.Custom.forward raised builtins.RuntimeError: too often");
    module.call("reset", {});
    EXPECT_EQ(module.call("forward", {x, 1.0, false}).to_tuple().elements[1].to_int(), 1);
  }
}

TEST(ScriptModule, RejectsWrongCalls) {
  ScriptModule module = ScriptModule::load(kFiles[0], {&find_operator});
  const DynamicValue x = dict_of("a", full({3}, 1.0));
  expect_error([&] { module.call("backward", {}); }, "expected a method of the module, got `backward`");
  expect_error([&] { module.call("forward", {x}); }, "forward: expected the argument `s`, got 1 arguments");
  expect_error([&] { module.call("forward", {x, 1.0, true, true}); }, "forward: expected 3 arguments, got 4");
  expect_error([&] { module.call("forward", {x, DynamicValue(std::string_view("text"))}); }, "`aten::mul.Scalar`: ");
  expect_error([&] { module.attribute("other"); }, "expected an attribute of the module, got `other`");
}

TEST(ScriptModule, ListsMissingOperators) {
  for (const std::string& path : kFiles) {
    expect_error([&] { ScriptModule::load(path, {}); },
                 "expected operators that the libraries have; missing are `aten::add.Tensor`, `aten::mul.Scalar`");
  }
}

TEST(ScriptModule, RejectsTruncationAtEveryByte) {
  for (const std::string& path : kFiles) {
    const std::string bytes = read_file(path);
    // A flatbuffer may end with padding that nothing refers to.
    for (std::size_t length = 0; length + 16 < bytes.size(); ++length) {
      expect_error([&] { ScriptModule::load_bytes(bytes.substr(0, length), {&find_operator}, "file"); }, "file");
    }
  }
}

// Every fifth byte in turn becomes another one: an error or a module, and nothing else.
TEST(ScriptModule, SurvivesDamagedBytes) {
  for (const std::string& path : kFiles) {
    const std::string bytes = read_file(path);
    for (std::size_t at = 0; at < bytes.size(); at += 5) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
      try {
        ScriptModule::load_bytes(damaged, {&find_operator});
      } catch (const InternalError& error) {
        ADD_FAILURE() << path << ": byte " << at << ": " << error.what();
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace
}  // namespace structured::test::script_module_test
