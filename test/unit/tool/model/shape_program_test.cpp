#include "model/shape_program.h"

#include <gtest/gtest.h>

#include <utility>

#include "model/fragment_json.h"
#include "model/library_json.h"

namespace structured::gen {
namespace {

/// `def rows(op, self): n = shapes.size(self, 0); shapes.check(n > 0, ValueError, lambda: "none")`
ShapeProgram program() {
  ShapeFunction rows{"rows", {"op", "self"}, {}};
  rows.nodes = {
      {ShapeOp::variable, "self", {}},  {ShapeOp::integer, "0", {}},
      {ShapeOp::known, "size", {0, 1}}, {ShapeOp::variable, "n", {}},
      {ShapeOp::set, "", {3, 2}},       {ShapeOp::binary, ">", {3, 1}},
      {ShapeOp::text, "none \"\n", {}}, {ShapeOp::check, "ValueError", {5, 6}},
      {ShapeOp::block, "", {4, 7}},
  };
  ShapeProgram result;
  result.functions = {rows};
  return result;
}

std::string fault_after(void (*change)(ShapeFunction& function)) {
  ShapeProgram changed = program();
  change(changed.functions.front());
  return fault_in(changed);
}

TEST(ShapeProgram, IsStoredInFragmentsAndLibraries) {
  Fragment fragment{"a.cpp", "torch", {}, {}, {}};
  fragment.declarations.emplace_back();
  fragment.declarations.back().name = "my::rows";
  fragment.declarations.back().shape = program();
  ASSERT_EQ(fault_in(program()), "");
  llvm::Expected<Fragment> read = fragment_from_json(to_json(fragment));
  ASSERT_TRUE(static_cast<bool>(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(*read, fragment);
}

TEST(ShapeProgram, FaultsNameTheNode) {
  EXPECT_EQ(fault_after([](ShapeFunction& f) { f.nodes[2].text = "system"; }),
            "`known` in `rows` with the text `system`");
  EXPECT_EQ(fault_after([](ShapeFunction& f) { f.nodes[2].operands = {0, 2}; }),
            "`known` in `rows` with an operand that does not precede it");
  EXPECT_EQ(fault_after([](ShapeFunction& f) { f.nodes[4].operands = {3}; }), "`set` in `rows` with 1 operands");
  EXPECT_EQ(fault_after([](ShapeFunction& f) { f.nodes[5].operands = {3, 4}; }),
            "`binary` in `rows` with the operand `set`");
  EXPECT_EQ(fault_after([](ShapeFunction& f) { f.nodes[8].operands = {3}; }),
            "`block` in `rows` with the operand `variable`");
  EXPECT_EQ(fault_after([](ShapeFunction& f) { f.nodes[5].text = "; import os"; }),
            "`binary` in `rows` with the text `; import os`");
  EXPECT_EQ(fault_after([](ShapeFunction& f) { f.nodes[1].text = "1+1"; }), "`integer` in `rows` with the text `1+1`");
  EXPECT_EQ(fault_after([](ShapeFunction& f) { f.nodes.pop_back(); }), "`rows` without a body");
  EXPECT_EQ(fault_after([](ShapeFunction& f) { f.parameters[0] = "a b"; }),
            "a function with the name or a parameter `rows`, which is not an identifier");
  EXPECT_EQ(fault_after([](ShapeFunction& f) { f.nodes[2] = {ShapeOp::call, "later", {0}}; }),
            "`call` in `rows` of `later`, which does not precede it");
}

TEST(ShapeProgram, ADamagedOneIsRefused) {
  Fragment fragment{"a.cpp", "torch", {}, {}, {}};
  fragment.declarations.emplace_back();
  fragment.declarations.back().name = "my::rows";
  fragment.declarations.back().shape = program();
  fragment.declarations.back().shape->functions.front().nodes[5].text = "**";
  llvm::Expected<Fragment> read = fragment_from_json(to_json(fragment));
  ASSERT_FALSE(static_cast<bool>(read));
  const std::string message = llvm::toString(read.takeError());
  EXPECT_NE(
      message.find("`$.declarations[0].shape`: expected a meta function, found `binary` in `rows` with the text `**`"),
      std::string::npos)
      << message;
}

}  // namespace
}  // namespace structured::gen
