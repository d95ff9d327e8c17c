#include "emit/python/shape_text.h"

#include <algorithm>
#include <vector>

#include "emit/python/string_literal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "model/python_names.h"
#include "structured/schema/dtype.h"

namespace structured::gen {
namespace {

/// Returns a name that neither Python nor the emitted module uses.
std::string name_in_python(llvm::StringRef name) {
  const bool is_taken =
      llvm::StringSwitch<bool>(name).Cases("float", "range", "shapes", "torch", true).Default(is_python_keyword(name));
  return name.str() + (is_taken ? "_" : "");
}

std::string dtype_in_python(llvm::StringRef name) {
  for (const schema::Dtype& dtype : schema::kDtypes) {
    if (name == dtype.name) return std::string("torch.") + dtype.torch_name();
  }
  return "torch." + name.lower();  // dtypes of PyTorch alone: Float8_e4m3fn, UInt16
}

std::string format_in_python(llvm::StringRef name) {
  return llvm::StringSwitch<std::string>(name)
      .Case("ChannelsLast", "torch.channels_last")
      .Case("ChannelsLast3d", "torch.channels_last_3d")
      .Case("Preserve", "torch.preserve_format")
      .Default("torch.contiguous_format");
}

class FunctionText {
 public:
  FunctionText(const ShapeFunction& function, std::string& text) : function_(function), text_(text) {}

  void write(unsigned depth) {
    define(function_.name, function_.parameters, static_cast<int64_t>(function_.nodes.size()) - 1, depth);
  }

 private:
  const ShapeNode& node(int64_t index) const { return function_.nodes[static_cast<std::size_t>(index)]; }

  void line(unsigned depth, const std::string& line) {
    text_ += std::string(4 * std::size_t{depth}, ' ') + line + "\n";
  }

  void define(llvm::StringRef name, llvm::ArrayRef<std::string> parameters, int64_t body, unsigned depth) {
    std::vector<std::string> names;
    for (const std::string& parameter : parameters) names.push_back(name_in_python(parameter));
    line(depth, "def " + name_in_python(name) + "(" + llvm::join(names, ", ") + "):");
    write_block(body, depth + 1);
  }

  void write_block(int64_t index, unsigned depth) {
    const std::size_t before = text_.size();
    write_statements(index, depth);
    if (text_.size() == before) line(depth, "pass");
  }

  void write_statements(int64_t index, unsigned depth) {
    for (const int64_t statement : node(index).operands) write_statement(node(statement), depth);
  }

  void write_statement(const ShapeNode& statement, unsigned depth) {
    const std::vector<int64_t>& operands = statement.operands;
    switch (statement.op) {
      case ShapeOp::block:
        for (const int64_t inner : operands) write_statement(node(inner), depth);
        return;
      case ShapeOp::set:
        if (const ShapeNode& value = node(operands[1]); value.op == ShapeOp::function) {
          llvm::SmallVector<llvm::StringRef> parameters;
          llvm::StringRef(value.text).split(parameters, ',', -1, /*KeepEmpty=*/false);
          return define(node(operands[0]).text, std::vector<std::string>(parameters.begin(), parameters.end()),
                        value.operands[0], depth);
        }
        return line(depth, expression(operands[0]) + " = " + expression(operands[1]));
      case ShapeOp::update:
        return line(depth, expression(operands[0]) + " " + statement.text + "= " + expression(operands[1]));
      case ShapeOp::outer:
        return line(depth, "nonlocal " + name_in_python(statement.text));
      case ShapeOp::run:
        return line(depth, expression(operands[0]));
      case ShapeOp::check:
        return line(depth, "shapes.check(" + expression(operands[0]) + ", " + statement.text +
                               ", lambda: " + message(operands, 1) + ")");
      case ShapeOp::fail:
        return line(depth, "shapes.fail(" + statement.text + ", " + message(operands, 0) + ")");
      case ShapeOp::branch:
        line(depth, "if " + expression(operands[0]) + ":");
        write_block(operands[1], depth + 1);
        if (operands.size() < 3) return;
        line(depth, "else:");
        return write_block(operands[2], depth + 1);
      case ShapeOp::count: {
        const std::string first = expression(operands[0]);
        line(depth, "for " + name_in_python(statement.text) + " in range(" + (first == "0" ? "" : first + ", ") +
                        expression(operands[1]) + "):");
        return write_block(operands[2], depth + 1);
      }
      case ShapeOp::visit:
        line(depth, "for " + name_in_python(statement.text) + " in " + expression(operands[0]) + ":");
        return write_block(operands[1], depth + 1);
      case ShapeOp::loop:
        line(depth, "while " + expression(operands[0]) + ":");
        return write_block(operands[1], depth + 1);
      case ShapeOp::leave:
        return line(depth, "break");
      case ShapeOp::next:
        return line(depth, "continue");
      case ShapeOp::result:
        return line(depth, operands.empty() ? "return" : "return " + expression(operands[0]));
      default:
        llvm_unreachable("an expression in place of a statement");
    }
  }

  std::string message(const std::vector<int64_t>& parts, std::size_t first) const {
    return "shapes.message(" + joined(parts, first) + ")";
  }

  std::string joined(const std::vector<int64_t>& operands, std::size_t first = 0) const {
    std::vector<std::string> texts;
    for (std::size_t i = first; i < operands.size(); ++i) texts.push_back(expression(operands[i]));
    return llvm::join(texts, ", ");
  }

  /// The text of an operand, in parentheses if it is not a name, number or call.
  std::string operand(int64_t index) const {
    const ShapeOp op = node(index).op;
    const bool is_open = op == ShapeOp::binary || op == ShapeOp::unary || op == ShapeOp::choice;
    const bool is_call = op == ShapeOp::binary && (node(index).text == "/" || node(index).text == "%");
    return is_open && !is_call ? "(" + expression(index) + ")" : expression(index);
  }

  std::string expression(int64_t index) const {
    const ShapeNode& node = this->node(index);
    const std::vector<int64_t>& operands = node.operands;
    switch (node.op) {
      case ShapeOp::none:
        return "None";
      case ShapeOp::yes:
        return "True";
      case ShapeOp::no:
        return "False";
      case ShapeOp::integer:
        return node.text;
      case ShapeOp::real:
        return "float(\"" + node.text + "\")";
      case ShapeOp::text:
        return python_string(node.text);
      case ShapeOp::dtype:
        return dtype_in_python(node.text);
      case ShapeOp::memory_format:
        return format_in_python(node.text);
      case ShapeOp::variable:
        return name_in_python(node.text);
      case ShapeOp::member:
        return operand(operands[0]) + "." + name_in_python(node.text);
      case ShapeOp::element:
        return operand(operands[0]) + "[" + expression(operands[1]) + "]";
      case ShapeOp::unary:
        return (node.text == "!" ? "not " : node.text) + operand(operands[0]);
      case ShapeOp::binary:
        return binary(node);
      case ShapeOp::choice:
        return operand(operands[1]) + " if " + operand(operands[0]) + " else " + operand(operands[2]);
      case ShapeOp::call:
        return name_in_python(node.text) + "(" + joined(operands) + ")";
      case ShapeOp::known:
        return "shapes." + node.text + "(" + joined(operands) + ")";
      case ShapeOp::apply:
        return operand(operands[0]) + "(" + joined(operands, 1) + ")";
      case ShapeOp::list:
        return "[" + joined(operands) + "]";
      case ShapeOp::record:
        return "shapes.Record(" + joined(operands) + ")";
      case ShapeOp::field:
        return name_in_python(node.text) + "=" + expression(operands[0]);
      case ShapeOp::store:
        return "(" + name_in_python(node.text) + " := " + expression(operands[0]) + ")";
      default:
        llvm_unreachable("a statement in place of an expression");
    }
  }

  std::string binary(const ShapeNode& node) const {
    const std::vector<int64_t>& operands = node.operands;
    if (node.text == "/" || node.text == "%") {  // which round towards zero
      return (node.text == "/" ? "shapes.quotient(" : "shapes.remainder(") + joined(operands) + ")";
    }
    const std::string op = node.text == "&&" ? "and" : node.text == "||" ? "or" : node.text;
    return operand(operands[0]) + " " + op + " " + operand(operands[1]);
  }

  const ShapeFunction& function_;
  std::string& text_;
};

/// The names of dtypes in messages.
std::string names_for_messages() {
  std::string text = "shapes.dtype_names.update({\n";
  for (const schema::Dtype& dtype : schema::kDtypes) {
    if (!dtype.is_quantized()) text += "    " + dtype_in_python(dtype.name) + ": " + python_string(dtype.name) + ",\n";
  }
  return text + "})\n\n";
}

/// The meta function of an operator that one scalar function defines, as C++ has it.
std::string pointwise_text(const PointwiseFunctions& functions) {
  const PointwiseMeta& meta = functions.meta;
  const std::string name = python_string(functions.operator_name);
  std::vector<std::string> parameters{"op_"}, tensors;
  for (const std::string& parameter : meta.signature.names()) parameters.push_back(name_in_python(parameter));
  for (const std::string& tensor : meta.tensors) tensors.push_back(name_in_python(tensor));
  std::string text = "    def elementwise(" + llvm::join(parameters, ", ") + "):\n";
  for (const std::string& mask : meta.boolean_tensors) {
    text += "        shapes.check_boolean(" + name + ", " + python_string(mask) + ", " + name_in_python(mask) + ")\n";
  }
  text += "        dtype = shapes.set_elementwise_output(op_, [" + llvm::join(tensors, ", ") + "], " +
          python_bool(meta.is_boolean) + ", " + python_bool(meta.is_floating) + ")\n";
  if (const std::string dtypes = torch_dtypes(meta.dtypes); !dtypes.empty()) {
    text += "        shapes.check_dtype(" + name + ", dtype, " + dtypes + ")\n";
  }
  for (const std::string& scalar : meta.checked_scalars) {
    text += "        shapes.check_scalar(" + name + ", " + python_string(scalar) + ", dtype, " +
            name_in_python(scalar) + ")\n";
  }
  return text + "\n    return elementwise\n\n";
}

std::string program_text(const ShapeProgram& program) {
  std::string text;
  for (const ShapeFunction& each : program.functions) {
    FunctionText(each, text).write(1);
    text += "\n";
  }
  return text + "    return " + name_in_python(program.functions.back().name) + "\n\n";
}

}  // namespace

std::string torch_shapes(const LoweredLibrary& lowered) {
  std::string text =
      "# Emitted by structured-gen. Do not edit.\n"
      "\"\"\"Sizes, strides and dtypes of results, as the meta functions compute them, for sizes that may be "
      "symbols.\"\"\"\n"
      "import functools\n\n"
      "import torch\n\n"
      "from . import _shape_functions as shapes\n\n" +
      names_for_messages();
  std::string symbolic, table;
  for (std::size_t i = 0; i < lowered.symbolic_functions.size(); ++i) {
    const SymbolicFunction& function = lowered.symbolic_functions[i];
    const std::string scope = "_" + std::to_string(i);
    text += "\ndef " + scope + "():\n";
    text += function.pointwise != nullptr ? pointwise_text(*function.pointwise) : program_text(*function.program);
    if (!function.name.empty()) {
      symbolic +=
          "        " + python_string(function.name) + ": (" + python_string(function.schema) + ", " + scope + "),\n";
    }
    for (const auto& [name, kind] : function.fakes) {
      static constexpr llvm::StringLiteral kinds[] = {"functional", "inplace", "out"};
      table += function.is_kernel ? "    shapes.register_kernel(" + python_string(name) + ", " + scope + "())\n"
                                  : "    shapes.register_fake(" + python_string(name) + ", " + scope + "(), " +
                                        python_string(kinds[static_cast<std::size_t>(kind)]) + ")\n";
    }
  }
  if (!symbolic.empty()) table = "    shapes.register_symbolic({\n" + symbolic + "    })\n" + table;
  return text +
         "\n@functools.cache  # a package may be loaded again\ndef register():\n"
         "    \"\"\"Lets compilers and exporters call the operators with symbols.\"\"\"\n" +
         (table.empty() ? "    pass\n" : table);
}

}  // namespace structured::gen
