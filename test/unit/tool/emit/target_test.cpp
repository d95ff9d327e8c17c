// A second target consists only of a type table and a printer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../sample_library.h"
#include "dialect/dialect.h"
#include "emit/emit.h"
#include "temporary_folder.h"

namespace structured::gen {
namespace {

using testing::HasSubstr;
using testing::Key;
using testing::Not;

constexpr TypeTable::Row parameters[] = {{"const toy::Block &", "Tensor", "const Block&"}, {"long", "int", "long"}};
constexpr TypeTable::Row results[] = {{"toy::Block", "Tensor", "Block"}};
constexpr TypeTable::Template optionals[] = {{"toy::Maybe", "Maybe"}};
constexpr llvm::StringRef backends[] = {"CPU", "Abacus"};

const TypeTable& toy_types() {
  static const TypeTable table({.tensor = "toy::Block",
                                .written_tensor = "Block",
                                .meta_base = "toy::Shape",
                                .parameters = parameters,
                                .results = results,
                                .optionals = optionals,
                                .list = {"toy::Row", "Row"},
                                .backends = backends,
                                .pointwise_backends = backends});
  return table;
}

// Spells types as schemas do.
class ToyCppTypes final : public CppTypes {
 public:
  std::string argument(const Type& type, bool is_mutable) const override {
    return "toy<" + to_string(type) + (is_mutable ? "!>" : ">");
  }
  std::string result(const Type& type, bool is_mutable) const override { return argument(type, is_mutable); }
  std::string canonical(std::string type) const override { return type; }
  std::optional<CppDefault> default_value(const Type&, llvm::StringRef) const override { return std::nullopt; }
  void add_headers(const Type&, std::set<std::string>& headers) const override { headers.insert("<toy.h>"); }
  std::optional<CppBackend> backend(llvm::StringRef name) const override {
    return CppBackend{name.str(), name.lower(), /*has_devices=*/false};
  }
};

// Prints one file with the name and the number of steps of each function.
class ToyPrinter : public Printer {
 public:
  StepSet steps() const override { return StepSet::all(); }
  EmittedFiles files(const LoweredLibrary& lowered, const PrintOptions&) const override {
    std::string text;
    for (const LoweredVariant& variant : lowered.own_variants()) {
      text += wrappers(lowered, variant);
    }
    return {{"toy.txt", text}};
  }
  std::string wrappers(const LoweredLibrary& lowered, const LoweredVariant& variant) const override {
    std::string text;
    for (const std::size_t index : variant.wrappers) {
      for (const LoweredFunction& function : lowered.wrappers[index].functions) {
        text +=
            function.body.type.result + " " + function.name + ": " + std::to_string(function.body.steps.size()) + "\n";
      }
    }
    return text;
  }
};

TEST(Target, NeedsATypeTableAndAPrinterOnly) {
  const ToyCppTypes cpp_types;
  const Dialect toy("toy", toy_types(), &cpp_types);
  const ToyPrinter printer;
  const Target target{"toy", "toy", printer};
  const TemporaryFolder folder;
  EmitOptions options;
  options.output_dir = folder.path("out");
  options.sources = {"cpu.cpp", "meta.cpp", "plain.cpp"};
  EXPECT_EQ(message_of(emit(sample_library(), toy, &target, options)), "");
  const std::string text = folder.read("out/toy.txt");
  EXPECT_THAT(text, HasSubstr("toy<Tensor> wrapper_cpu_add_Tensor: 5\n"));
  EXPECT_THAT(text, HasSubstr("toy<Tensor!> wrapper_cpu_add_out: 7\n"));
  EXPECT_THAT(text, HasSubstr("toy<Tensor> wrapper_sparsecpu_add_Tensor: "));
  const auto files = folder.files();
  EXPECT_THAT(files, testing::Contains(Key("out/operators.json")));
  EXPECT_THAT(files, Not(testing::Contains(Key("out/operators.cpp")))) << "nothing of the native target";
}

// A target without versions of tensors.
class ToyPrinterWithoutVersions final : public ToyPrinter {
 public:
  StepSet steps() const override {
    return StepSet::of<CheckDevices, MakeAdaptor, CheckOverlap, CheckOutputs, CallMeta, CallImpl, CallKernel, Finish,
                       CallOutVariant, GuardDevice, ReturnOutputs, ReturnParameters, ReturnKept>();
  }
};

TEST(Target, RejectsOperatorsWithStepsThatItDoesNotHave) {
  const ToyCppTypes cpp_types;
  const Dialect toy("toy", toy_types(), &cpp_types);
  const ToyPrinterWithoutVersions printer;
  const Target target{"toy", "toy", printer};
  const TemporaryFolder folder;
  EmitOptions options;
  options.output_dir = folder.path("out");
  options.sources = {"cpu.cpp", "meta.cpp", "plain.cpp"};
  EXPECT_EQ(
      message_of(emit(sample_library(), toy, &target, options)),
      "operator `acme::_foreach_add_.Scalar` needs the step `bump_versions`, which the target `toy` does not have");
  EXPECT_THAT(folder.files(), testing::IsEmpty());
}

TEST(Target, LoopsOfScalarFunctionsAreForTheBackendsOfTheTypeTable) {
  EXPECT_THAT(toy_types().pointwise_backends({}), testing::ElementsAre("CPU", "Abacus"));
  EXPECT_THAT(toy_types().pointwise_backends({"Abacus", "CUDA"}), testing::ElementsAre("Abacus"));
  EXPECT_THAT(find_dialect("native")->types().pointwise_backends({}), testing::ElementsAre("CPU"));
  EXPECT_THAT(find_dialect("native")->types().pointwise_backends({"CUDA", "CPU"}), testing::ElementsAre("CPU", "CUDA"));
  EXPECT_THAT(find_dialect("aten")->types().pointwise_backends({}), testing::IsEmpty());
}

TEST(Target, IsForADialect) {
  EXPECT_EQ(default_target(*find_dialect("native")), find_target("native"));
  EXPECT_EQ(default_target(*find_dialect("aten")), nullptr);
  EXPECT_EQ(find_target("toy"), nullptr);
  EXPECT_EQ(unknown_target("toy"), "unknown target `toy`; expected native, torch, torch_stable or onnx");
}

}  // namespace
}  // namespace structured::gen
