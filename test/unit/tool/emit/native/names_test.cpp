// Generated names are distinct from each other, from arguments and from keywords.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "../../sample_library.h"
#include "../temporary_folder.h"
#include "lower/lowered_library.h"

namespace structured::gen::names_test {
namespace {

using testing::HasSubstr;

Operator composite(llvm::StringRef schema) {
  Operator op;
  op.variants.emplace_back();
  op.variants.front().schema = llvm::cantFail(parse_schema(schema));
  op.variants.front().kernels = {
      {"CompositeImplicitAutograd", {"k::f", false, "structured::Tensor", {}, "a.cpp", {}}, false, {}}};
  return op;
}

Library library_of(std::vector<Operator> operators) {
  Library library;
  library.schema_namespace = library.cpp_namespace = "acme";
  library.dialect = "native";
  library.operators = std::move(operators);
  return library;
}

llvm::Expected<LoweredLibrary> lowered_of(const Library& library) {
  return lower(library, *find_dialect("native")->cpp_types(), LowerOptions());
}

std::multiset<std::string> invented_names(const LoweredLibrary& lowered) {
  std::multiset<std::string> names;
  for (const LoweredVariant& variant : lowered.variants) {
    names.insert({variant.table, variant.boxed, variant.signature});
  }
  std::map<const Operator*, std::string> metas;  // one name for all variants
  for (const LoweredVariant& variant : lowered.variants) {
    if (variant.op->structured) {
      metas[variant.op] = variant.meta;
    }
  }
  for (const auto& [op, meta] : metas) {
    names.insert(meta);
  }
  for (const LoweredWrapper& wrapper : lowered.wrappers) {
    if (wrapper.entry == LoweredWrapper::Entry::wrapper) {
      names.insert(wrapper.name);
    }
  }
  return names;
}

void expect_distinct(const LoweredLibrary& lowered) {
  const std::multiset<std::string> names = invented_names(lowered);
  for (const std::string& name : names) {
    EXPECT_EQ(names.count(name), 1u) << name;
  }
}

TEST(Names, OfDifferentOperatorsThatReadAlikeAreDistinct) {
  const Library library =
      library_of({composite("add.Tensor(Tensor self) -> Tensor"), composite("add_Tensor(Tensor self) -> Tensor"),
                  composite("add._Tensor(Tensor self) -> Tensor"), composite("add_.Tensor(Tensor self) -> Tensor")});
  const LoweredLibrary lowered = llvm::cantFail(lowered_of(library));
  ASSERT_EQ(lowered.variants.size(), 4u);
  expect_distinct(lowered);
}

TEST(Names, OfAnOperatorWithABackendInItsNameAreDistinct) {
  Library library = sample_library();
  library.operators.push_back(library.operators[1]);
  ASSERT_TRUE(library.operators.back().structured);
  library.operators.back().variants.resize(1);
  library.operators.back().variants.front().schema.name = {"", "add", "Tensor_cpu"};
  const LoweredLibrary lowered = llvm::cantFail(lowered_of(library));
  expect_distinct(lowered);
}

TEST(Names, AvoidTheArgumentsThatWouldHideThem) {
  const Library library = library_of({composite("f(Tensor op_f, Tensor wrapper_composite_f) -> Tensor")});
  const LoweredLibrary lowered = llvm::cantFail(lowered_of(library));
  EXPECT_EQ(lowered.variants.front().table, "op_f_");
  EXPECT_EQ(lowered.wrappers.front().name, "wrapper_composite_f_");
}

TEST(Names, DoNotDependOnTheOrderOfOperators) {
  const Operator a = composite("add.Tensor(Tensor self) -> Tensor");
  const Operator b = composite("add_Tensor(Tensor self) -> Tensor");
  const Library ab = library_of({a, b});
  const Library ba = library_of({b, a});
  const LoweredLibrary first = llvm::cantFail(lowered_of(ab));
  const LoweredLibrary second = llvm::cantFail(lowered_of(ba));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(first.variants[i].full_name, second.variants[i].full_name);
    EXPECT_EQ(first.variants[i].table, second.variants[i].table);
  }
}

TEST(Names, OfOtherSchemaNamespacesHaveAPlaceOfTheirOwn) {
  const Library library = library_of({composite("quantized::add(Tensor self) -> Tensor")});
  const LoweredLibrary lowered = llvm::cantFail(lowered_of(library));
  EXPECT_EQ(lowered.variants.front().full_name, "quantized::add");
  EXPECT_EQ(lowered.variants.front().cpp_namespace, "acme::quantized");
  EXPECT_EQ(lowered.variants.front().header, "acme/ops/quantized/add.h");
}

TEST(Names, OfHeadersAreBaseNames) {
  const Library library =
      library_of({composite("relu_(Tensor(a!) self) -> Tensor(a!)"), composite("relu(Tensor self) -> Tensor"),
                  composite("__and__(Tensor self) -> Tensor"), composite("__iand__(Tensor(a!) self) -> Tensor(a!)")});
  const LoweredLibrary lowered = llvm::cantFail(lowered_of(library));
  std::map<std::string, std::string> headers;
  for (const LoweredVariant& variant : lowered.variants) {
    headers[variant.full_name] = variant.header;
  }
  EXPECT_EQ(headers["acme::relu_"], "acme/ops/relu.h");
  EXPECT_EQ(headers["acme::relu"], "acme/ops/relu.h");
  EXPECT_EQ(headers["acme::__and__"], "acme/ops/__and__.h");
  EXPECT_EQ(headers["acme::__iand__"], "acme/ops/__iand__.h");
}

TEST(LoweredLibrary, RefusesWhatCannotBeAFunction) {
  const auto message = [](const Library& library) {
    llvm::Expected<LoweredLibrary> lowered = lowered_of(library);
    return lowered ? std::string() : message_of(lowered.takeError());
  };
  EXPECT_EQ(message(library_of({composite("f(Tensor self) -> Tensor"), composite("f(Tensor self) -> Tensor")})),
            "operator `acme::f` is defined twice");
  Library unknown = library_of({composite("f(Tensor self) -> Tensor")});
  unknown.operators.front().variants.front().kernels.front().backend = "Abacus";
  EXPECT_EQ(message(unknown), "operator `acme::f` has a kernel for unknown backend `Abacus`");
  unknown.operators.front().variants.front().kernels.clear();
  EXPECT_EQ(message(unknown), "operator `acme::f` has neither a meta function nor a kernel");
  Library outputs = sample_library();
  outputs.operators[1].structured->output_names = {"a", "b"};
  EXPECT_EQ(message(outputs),
            "operator `acme::add.Tensor` returns 1 tensors, expected 2, as many as its kernels have outputs");
  outputs.operators[1].variants.erase(outputs.operators[1].variants.begin());
  outputs.operators[1].variants.pop_back();
  EXPECT_EQ(message(outputs), "operator `acme::add_.Tensor` is in-place, expected one output and a mutable argument");
  outputs = sample_library();
  outputs.operators[1].variants.back().schema.out.clear();
  EXPECT_EQ(message(outputs),
            "operator `acme::add.out` has 0 out arguments, expected 1, as many as its kernels have outputs");
}

}  // namespace
}  // namespace structured::gen::names_test
