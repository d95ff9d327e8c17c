#include "emit/emit.h"

#include "emit/cpp/emitted_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "../sample_library.h"
#include "model/library_json.h"
#include "temporary_folder.h"

namespace structured::gen {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::UnorderedElementsAre;

const Dialect& native() { return *find_dialect("native"); }

EmitOptions options_for(const TemporaryFolder& folder) {
  EmitOptions options;
  options.output_dir = folder.path("out");
  options.sources = {"cpu.cpp", "meta.cpp", "plain.cpp", "empty.cpp"};
  return options;
}

TEST(EmittedSources, HaveNamesThatABuildCanTell) {
  EXPECT_EQ(emitted_sources("cpu/binary.cpp").wrappers, "src/cpu/binary.cpp");
  EXPECT_EQ(emitted_sources("cpu/binary.cpp").tables, "src/cpu/binary.tables.cpp");
  EXPECT_EQ(emitted_sources("cpu/binary.cpp").boxed, "src/cpu/binary.boxed.cpp");
  EXPECT_EQ(emitted_sources("cpu/binary.cpp").cuda, "");
  EXPECT_EQ(emitted_sources("pointwise/binary.h").cuda, "src/pointwise/binary.h.cu");
  EXPECT_EQ(emitted_sources("cuda/binary.cu").wrappers, "src/cuda/binary.cu.cpp");
  EXPECT_EQ(emitted_sources("pointwise/exp.h").boxed, "src/pointwise/exp.h.boxed.cpp");
}

TEST(Emit, WritesEveryFileOfALibrary) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of(emit(sample_library(), native(), options_for(folder))), "");
  const auto files = folder.files();
  for (const char* path :
       {"operators.json", "operators.cpp", "emitted.manifest", "include/acme/signatures.json",
        "include/acme/documentation.h", "include/acme/export.h", "include/acme/find_operator.h",
        "include/acme/operators.h", "include/acme/ops/add.h", "include/acme/ops/copy.h", "src/cpu.cpp",
        "src/cpu.tables.cpp", "src/cpu.boxed.cpp", "src/empty.cpp", "src/empty.tables.cpp", "src/empty.boxed.cpp"}) {
    EXPECT_THAT(files, Contains(Key(std::string("out/") + path)));
  }
}

TEST(Emit, SaysInFilesForASourceThatThereIsNothing) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of(emit(sample_library(), native(), options_for(folder))), "");
  EXPECT_EQ(folder.read("out/src/empty.cpp"),
            "// Emitted by structured-gen from empty.cpp. Do not edit.\n// The source has no kernels.\n");
  EXPECT_EQ(folder.read("out/src/cpu.tables.cpp"),
            "// Emitted by structured-gen from cpu.cpp. Do not edit.\n// The source has no operators.\n");
}

TEST(Emit, GivesTheSameBytesInAnyFolderAndAnyOrderOfSources) {
  const TemporaryFolder first;
  const TemporaryFolder second;
  EXPECT_EQ(message_of(emit(sample_library(), native(), options_for(first))), "");
  EmitOptions reversed = options_for(second);
  std::reverse(reversed.sources.begin(), reversed.sources.end());
  EXPECT_EQ(message_of(emit(sample_library(), native(), reversed)), "");
  const auto files = first.files();
  EXPECT_EQ(files, second.files());
  for (const auto& [path, contents] : files) {
    EXPECT_THAT(contents, Not(HasSubstr(first.path()))) << path;
  }
}

TEST(Emit, KeepsPlacesOutOfEverythingButOperatorsJson) {
  const TemporaryFolder folder;
  Library library = sample_library();
  EXPECT_EQ(message_of(emit(library, native(), options_for(folder))), "");
  auto before = folder.files();
  for (Operator& op : library.operators) {
    for (Variant& variant : op.variants) {
      for (Kernel& kernel : variant.kernels) {
        kernel.function.range = {kernel.function.source, {1234, 5}, {1234, 9}};
      }
    }
  }
  EXPECT_EQ(message_of(emit(library, native(), options_for(folder))), "");
  auto after = folder.files();
  EXPECT_NE(before["out/operators.json"], after["out/operators.json"]);
  before.erase("out/operators.json");
  after.erase("out/operators.json");
  EXPECT_EQ(before, after);
}

TEST(Emit, RemovesFilesOfOperatorsThatAreGone) {
  const TemporaryFolder folder;
  Library library = sample_library();
  EXPECT_EQ(message_of(emit(library, native(), options_for(folder))), "");
  EXPECT_TRUE(folder.has("out/include/acme/ops/view.h"));
  library.operators.pop_back();
  EmitOptions options = options_for(folder);
  options.sources.pop_back();
  EXPECT_EQ(message_of(emit(library, native(), options)), "");
  EXPECT_FALSE(folder.has("out/include/acme/ops/view.h"));
  EXPECT_FALSE(folder.has("out/src/empty.cpp"));
  EXPECT_TRUE(folder.has("out/include/acme/ops/add.h"));
}

TEST(Emit, StoresTheLibraryItself) {
  const TemporaryFolder folder;
  const Library library = sample_library();
  EXPECT_EQ(message_of(emit(library, native(), options_for(folder))), "");
  EXPECT_EQ(llvm::cantFail(library_from_json(folder.read("out/operators.json"))), library);
}

TEST(Emit, ListsOutputsAndDependencies) {
  const TemporaryFolder folder;
  EmitOptions options = options_for(folder);
  options.depfile = folder.path("deps.d");
  options.depfile_text = "operators.json: a.json\n";
  options.outputs_file = folder.path("outputs.txt");
  EXPECT_EQ(message_of(emit(sample_library(), native(), options)), "");
  EXPECT_EQ(folder.read("deps.d"), "operators.json: a.json\n");
  EXPECT_THAT(folder.read("outputs.txt"),
              AllOf(HasSubstr("include/acme/ops/add.h\n"), HasSubstr("src/cpu.boxed.cpp\n"), Not(HasSubstr("deps.d"))));
}

TEST(Emit, WritesOnlyJsonForADialectWithoutCpp) {
  const TemporaryFolder folder;
  Library library = sample_library();
  library.dialect = "aten";
  EXPECT_EQ(message_of(emit(library, *find_dialect("aten"), options_for(folder))), "");
  EXPECT_THAT(folder.files(), UnorderedElementsAre(Key("out/operators.json"), Key("out/include/acme/signatures.json"),
                                                   Key("out/emitted.manifest")));
}

TEST(Emit, LeavesBoxedCallsOut) {
  const TemporaryFolder folder;
  EmitOptions options = options_for(folder);
  options.boxed = false;
  EXPECT_EQ(message_of(emit(sample_library(), native(), options)), "");
  for (const auto& [path, contents] : folder.files()) {
    EXPECT_THAT(contents, AllOf(Not(HasSubstr("call_boxed")), Not(HasSubstr("slow_path")))) << path;
  }
  EXPECT_THAT(folder.read("out/operators.cpp"), HasSubstr("{\"acme::view\", &op_view, nullptr},"));
}

TEST(Emit, WritesALibraryWithoutOperators) {
  const TemporaryFolder folder;
  Library library = sample_library();
  library.operators.clear();
  EXPECT_EQ(message_of(emit(library, native(), options_for(folder))), "");
  EXPECT_THAT(folder.read("out/operators.cpp"), HasSubstr("return nullptr;"));
}

TEST(Emit, TouchesNothingIfSomethingIsWrong) {
  const TemporaryFolder folder;
  EmitOptions options = options_for(folder);
  options.sources = {"cpu.cpp"};
  EXPECT_EQ(message_of(emit(sample_library(), native(), options)),
            "operators have kernels in `meta.cpp`, which is not among the given sources");
  for (const char* source : {"/abs/cpu.cpp", "../cpu.cpp", ""}) {
    options.sources = {source};
    EXPECT_THAT(message_of(emit(sample_library(), native(), options)), HasSubstr("is not below the source root"));
  }
  options = options_for(folder);
  options.sources.push_back("cpu.tables.cpp");  // its wrappers would have the path of the tables of `cpu.cpp`
  EXPECT_EQ(message_of(emit(sample_library(), native(), options)),
            "two emitted files have the path `src/cpu.tables.cpp`");
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(Emit, PutsSignaturesBesideTheHeaders) {
  const TemporaryFolder folder;
  EmitOptions options = options_for(folder);
  options.signatures = "{}\n";
  Library library = sample_library();
  library.cpp_namespace = "acme::inner";
  EXPECT_EQ(message_of(emit(library, native(), options)), "");
  EXPECT_EQ(folder.read("out/include/acme/inner/signatures.json"), "{}\n");
}

// Returns another library that imports the operators of the sample and has its own kernels for them.
Library importing_library() {
  Library library;
  library.schema_namespace = library.cpp_namespace = "npu";
  library.dialect = "native";
  for (Operator op : sample_library().operators) {
    for (Variant& variant : op.variants) {
      variant.schema.name.ns = "acme";
      for (Kernel& kernel : variant.kernels) {
        kernel.backend = "PrivateUse1";
      }
      variant.kernels.resize(std::min<std::size_t>(variant.kernels.size(), 1));
    }
    if (op.structured) {
      op.structured->meta.source.clear();
      op.structured->impls.front().backend = "PrivateUse1";
    }
    library.imported.push_back({std::move(op), "acme", "acme::inner"});
  }
  return library;
}

TEST(Imports, AreOneConstantArray) {
  const TemporaryFolder folder;
  EmitOptions options = options_for(folder);
  options.has_imports = true;
  EXPECT_EQ(message_of(emit(importing_library(), native(), options)), "");
  const std::string imports = folder.read("out/imports.cpp");
  EXPECT_THAT(
      imports,
      AllOf(HasSubstr("#include <acme/inner/find_operator.h>\n"), HasSubstr("#include \"acme/mean_dims.h\"\n"),
            HasSubstr("operators_of_acme_inner{\"acme::inner\", &::acme::inner::find_operator};"),
            HasSubstr("\"acme::add.out\",\n        \"add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) "
                      "out) -> Tensor(a!)\",\n        ::structured::Backend::PrivateUse1,\n        \"cpu.cpp\","),
            HasSubstr("acme::MeanDims {std::vector<long> dim} (structured::MetaBase &, const"),
            HasSubstr("imports{\"npu\", metas, kernels};")));
  // Imported operators are neither emitted nor redeclared.
  EXPECT_THAT(folder.read("out/operators.cpp"), HasSubstr("return nullptr;"));
  EXPECT_THAT(folder.files(), Not(Contains(Key(HasSubstr("/ops/")))));
  const std::string wrappers = folder.read("out/src/cpu.cpp");
  EXPECT_THAT(wrappers, AllOf(HasSubstr("meta_acme_add_Tensor(op, self, other, alpha);"),
                              HasSubstr("wrapper_private_use1_acme_add__Tensor("), Not(HasSubstr("add_meta")),
                              Not(HasSubstr("wrapper_meta_")), Not(HasSubstr("namespace npu::private_use1"))));
}

TEST(Imports, HaveAFileAlsoWhereThereAreNone) {
  const TemporaryFolder folder;
  EmitOptions options = options_for(folder);
  EXPECT_EQ(message_of(emit(sample_library(), native(), options)), "");
  EXPECT_FALSE(folder.has("out/imports.cpp"));
  options.has_imports = true;
  EXPECT_EQ(message_of(emit(sample_library(), native(), options)), "");
  EXPECT_EQ(folder.read("out/imports.cpp"),
            "// Emitted by structured-gen. Do not edit.\n"
            "// The library has no kernels for operators that it imports.\n");
}

TEST(Imports, FindWhatTheOwnerGives) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of(emit(sample_library(), native(), options_for(folder))), "");
  EXPECT_THAT(folder.read("out/operators.cpp"),
              AllOf(HasSubstr("const ::structured::MetaFunction& meta_add_Tensor();\n"),
                    HasSubstr("{\"acme::add_.Tensor\", &op_add__Tensor, boxed_add__Tensor, meta_add_Tensor},"),
                    HasSubstr("{\"acme::view\", &op_view, boxed_view},")));
  EXPECT_THAT(folder.read("out/src/meta.cpp"), HasSubstr("&::acme::kernels::mean_meta,\n"));
}

TEST(EmittedWrapper, StandsInTheEmittedSources) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of(emit(sample_library(), native(), options_for(folder))), "");
  const std::string text = llvm::cantFail(emitted_wrapper(sample_library(), native(), "add.Tensor"));
  for (const char* name : {"wrapper_cpu_add_Tensor", "wrapper_meta_add_Tensor", "wrapper_sparse_cpu_add_Tensor"}) {
    EXPECT_THAT(text, HasSubstr(name));
  }
  const std::string cpu = text.substr(0, text.find("// add.Tensor", text.find("// add.Tensor") + 1));
  EXPECT_THAT(folder.read("out/src/cpu.cpp"), HasSubstr(cpu));
  EXPECT_EQ(llvm::cantFail(emitted_wrapper(sample_library(), native(), "acme::add.Tensor")), text);
}

TEST(EmittedWrapper, SaysWhatItDoesNotHave) {
  llvm::Expected<std::string> text = emitted_wrapper(sample_library(), native(), "add.Tensr");
  ASSERT_FALSE(text);
  EXPECT_EQ(message_of(text.takeError()), "the library has no operator `add.Tensr` with emitted wrappers");
  llvm::Expected<std::string> aten = emitted_wrapper(sample_library(), *find_dialect("aten"), "add.Tensor");
  ASSERT_FALSE(aten);
  EXPECT_EQ(message_of(aten.takeError()), "no C++ is emitted for the dialect `aten`");
}

}  // namespace
}  // namespace structured::gen
