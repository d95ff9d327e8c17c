#include "emit/onnx/formula.h"

#include <cctype>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "model/scalar_evaluation.h"

namespace structured::gen {
namespace {

using Node = OnnxGraphBuilder::Node;
using TypeName = OnnxGraphBuilder::TypeName;

/// Sets of types, by the letters of the table.
namespace type_set {
constexpr unsigned F = 1, I = 2, U = 4, B = 8;
}

enum class Computed { same, wide };

struct OperatorRow {
  ScalarOp op;
  unsigned types;
  Computed computed;
  llvm::StringLiteral formula;
};

llvm::ArrayRef<OperatorRow> operator_rows() {
  using namespace type_set;
  static constexpr OperatorRow rows[] = {
#define STRUCTURED_ONNX_OPERATOR(operation, types, computed, formula) \
  {ScalarOp::operation, types, Computed::computed, formula},
#include "emit/onnx/onnx_operators.def"
  };
  return rows;
}

unsigned set_with(ScalarType type) {
  if (type == ScalarType::boolean) return type_set::B;
  if (is_floating(type)) return type_set::F;
  return OnnxGraphBuilder::stored(type) == type ? type_set::I : type_set::U;
}

const OperatorRow* find_row(ScalarOp op, ScalarType type) {
  const auto* found = llvm::find_if(
      operator_rows(), [&](const OperatorRow& row) { return row.op == op && (row.types & set_with(type)) != 0; });
  return found == operator_rows().end() ? nullptr : found;
}

/// Reads a formula and adds its nodes. The table is part of the program, so that errors in it end the program.
class Formula {
 public:
  Formula(OnnxGraphBuilder& builder, ScalarType type, TypeName type_name, llvm::StringRef text,
          llvm::ArrayRef<Node> operands)
      : builder_(builder), type_(type), type_name_(type_name), rest_(text) {
    for (std::size_t i = 0; i < operands.size(); ++i) names_[std::string(1, static_cast<char>('a' + i))] = operands[i];
  }

  Node read() {
    while (true) {
      const llvm::StringRef start = rest_;
      const llvm::StringRef name = word();
      if (!accept('=')) {
        rest_ = start;
        return expression();
      }
      names_[name.str()] = expression();
      expect(';');
    }
  }

 private:
  Node expression() {
    if (rest_.starts_with("-") || std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) return number();
    const llvm::StringRef name = word();
    OnnxNode node{.name = name.str()};
    if (accept('<')) read_attribute(node);
    if (!accept('(')) return name == "least" ? least() : names_.at(name.str());
    do node.operands.push_back(expression());
    while (accept(','));
    expect(')');
    return call(std::move(node));
  }

  Node call(OnnxNode node) {
    if (node.name == "Unsigned") return builder_.to_unsigned(node.operands.front(), type_);
    if (node.name == "Stored") return builder_.to_stored(node.operands.front(), type_);
    if (node.name == "Polynomial") return polynomial(node.operands);
    if (llvm::isUpper(node.name.front())) return builder_.unique(std::move(node));
    const OperatorRow& row = *find_row(*find_scalar_op(node.name), type_);
    return Formula(builder_, type_, type_name_, row.formula, node.operands).read();
  }

  /// Horner's scheme.
  Node polynomial(llvm::ArrayRef<Node> operands) {
    Node sum = operands.back();
    for (const Node coefficient : llvm::reverse(operands.drop_front().drop_back())) {
      sum = builder_.operation("Add", {builder_.operation("Mul", {sum, operands.front()}), coefficient});
    }
    return sum;
  }

  Node least() {
    const auto shift = 8 * size_of(type_) - 1;
    return builder_.constant(OnnxGraphBuilder::stored(type_),
                             scalar_value(static_cast<int64_t>(~uint64_t{0} << shift)));
  }

  void read_attribute(OnnxNode& node) {
    node.attribute = word().str();
    expect('=');
    const llvm::StringRef value = word();
    int64_t integer = 0;
    if (value.getAsInteger(10, integer)) {
      node.text = value.str();
    } else {
      node.integer = integer;
    }
    expect('>');
  }

  Node number() {
    const llvm::StringRef text = take_while("-+.0123456789e");
    double value = 0;
    if (text.getAsDouble(value)) llvm_unreachable("formulas have numbers in decimal");
    return builder_.constant(type_, scalar_value(value), type_name_);
  }

  llvm::StringRef word() {
    const std::size_t size = rest_.find_if_not([](char c) { return llvm::isAlnum(c) || c == '_'; });
    const llvm::StringRef result = rest_.take_front(size);
    rest_ = rest_.drop_front(result.size()).ltrim();
    return result;
  }
  llvm::StringRef take_while(llvm::StringRef characters) {
    const llvm::StringRef result = rest_.take_front(rest_.find_first_not_of(characters));
    rest_ = rest_.drop_front(result.size()).ltrim();
    return result;
  }
  bool accept(char c) {
    if (!rest_.starts_with(llvm::StringRef(&c, 1))) return false;
    rest_ = rest_.drop_front().ltrim();
    return true;
  }
  void expect(char c) {
    if (!accept(c)) llvm_unreachable("formulas are well-formed");
  }

  OnnxGraphBuilder& builder_;
  ScalarType type_;
  TypeName type_name_;
  llvm::StringRef rest_;
  std::map<std::string, Node> names_;
};

}  // namespace

std::optional<Node> add_operation(OnnxGraphBuilder& builder, ScalarOp op, ScalarType type,
                                  llvm::ArrayRef<Node> operands) {
  const OperatorRow* row = find_row(op, type);
  if (row == nullptr) return std::nullopt;
  if (row->computed == Computed::same) {
    return Formula(builder, type, TypeName::relative, row->formula, operands).read();
  }
  std::vector<Node> wide;
  for (const Node operand : operands) wide.push_back(builder.cast(operand, ScalarType::float64, TypeName::absolute));
  const Node result = Formula(builder, ScalarType::float64, TypeName::absolute, row->formula, wide).read();
  return builder.cast(result, type);
}

}  // namespace structured::gen
