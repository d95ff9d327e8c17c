#include "structured/program/ptl.h"

#include <optional>
#include <string_view>
#include <utility>

#include "structured/base/error.h"
#include "structured/program/bytecode_builder.h"
#include "structured/program/object_state.h"
#include "structured/program/pickle.h"
#include "structured/program/unpickle.h"

namespace structured::program {
namespace {

using Index = PickleValue::Index;
using Kind = PickleValue::Kind;

constexpr std::string_view kBytecode = "bytecode.pkl";

/// Reads the functions in bytecode.pkl.
class BytecodeReader {
 public:
  BytecodeReader(const Pickle& pickle, ArchiveStorages& storages, const std::string& root,
                 const OperatorLookups& libraries)
      : pickle_(pickle), constants_(pickle, storages, root + "constants/"), builder_(libraries, pickle.name()) {}

  void read(BytecodeProgram& program) {
    // (version, function...)
    const PickleValue& all = tuple(pickle_.root(), "a tuple of functions");
    expect(!all.children.empty(), "a version");
    builder_.check_version(integer(all.children[0], "a version"));
    for (std::size_t i = 1; i < all.children.size(); ++i) {
      BytecodeFunction function = read_function(all.children[i]);
      const std::string name = function.name;
      const bool is_new = program.functions.emplace(name, std::move(function)).second;
      STRUCTURED_CHECK(is_new, pickle_.name(), ": expected one function `", name, "`, found two");
    }
    builder_.check_operators();
  }

 private:
  void expect(bool condition, const char* what) const {
    STRUCTURED_CHECK(condition, pickle_.name(), ": expected ", what);
  }
  const PickleValue& tuple(const PickleValue& value, const char* what) const {
    expect(value.kind == Kind::tuple || value.kind == Kind::list, what);
    return value;
  }
  const PickleValue& tuple(Index index, const char* what) const { return tuple(pickle_[index], what); }
  int64_t integer(Index index, const char* what) const {
    expect(pickle_[index].kind == Kind::integer, what);
    return pickle_[index].integer;
  }
  std::string_view string(Index index, const char* what) const {
    expect(pickle_[index].kind == Kind::string, what);
    return pickle_[index].text;
  }
  /// The value of the entry (key, value) of a tuple of such pairs; none if there is no such key.
  std::optional<Index> entry(const PickleValue& table, std::string_view key) const {
    for (const Index child : table.children) {
      const PickleValue& pair = tuple(child, "a pair of a name and a value");
      expect(pair.children.size() == 2, "a pair of a name and a value");
      if (string(pair.children[0], "a name") == key) return pair.children[1];
    }
    return std::nullopt;
  }
  const PickleValue& required(const PickleValue& table, const char* key) const {
    const std::optional<Index> found = entry(table, key);
    STRUCTURED_CHECK(found.has_value(), pickle_.name(), ": expected the entry `", key, "` of a function");
    return tuple(*found, key);
  }

  BytecodeFunction read_function(Index index) {
    const PickleValue& parts = tuple(index, "a function");
    expect(parts.children.size() >= 2, "a name and the code of a function");
    BytecodeFunction function;
    function.name = string(parts.children[0], "the name of a function");
    const PickleValue& code = tuple(parts.children[1], "the code of a function");
    for (const Index op : required(code, "operators").children) function.operators.push_back(read_operator(op));
    for (const Index constant : required(code, "constants").children) {
      function.constants.push_back(constants_.read(constant));
    }
    for (const Index type : required(code, "types").children) function.types.emplace_back(string(type, "a type"));
    const std::optional<Index> registers = entry(code, "register_size");
    const int64_t register_count = registers ? integer(*registers, "a number of registers") : 0;
    expect(register_count >= 0 && register_count <= BytecodeBuilder::max_registers, "at most 1048576 registers");
    function.register_count = static_cast<std::size_t>(register_count);
    const PickleValue& instructions = required(code, "instructions");
    for (const Index instruction : instructions.children) {
      read_instruction(instruction, function, instructions.children.size());
    }
    if (parts.children.size() > 2) read_parameters(tuple(parts.children[2], "a schema"), function);
    return function;
  }

  void read_instruction(Index index, BytecodeFunction& function, std::size_t total) {
    const PickleValue& parts = tuple(index, "an instruction");
    expect(parts.children.size() == 3, "an instruction with two numbers");
    const std::string_view name = string(parts.children[0], "the name of an instruction");
    const OpcodeInfo* const opcode = find_opcode(name);
    STRUCTURED_CHECK(opcode != nullptr, pickle_.name(), ": ", function.name, ": instruction ",
                     function.instructions.size(), ": `", name, "` is not supported");
    builder_.add_instruction(function, *opcode, integer(parts.children[1], "an integer"),
                             integer(parts.children[2], "an integer"), total);
  }

  BytecodeOperator read_operator(Index index) {
    // (name, overload, number of given arguments)
    const PickleValue& parts = tuple(index, "an operator");
    expect(parts.children.size() >= 2, "the name and the overload of an operator");
    const bool has_count = parts.children.size() > 2 && pickle_[parts.children[2]].kind == Kind::integer;
    return builder_.make_operator(string(parts.children[0], "the name of an operator"),
                                  string(parts.children[1], "the overload of an operator"),
                                  has_count ? pickle_[parts.children[2]].integer : -1);
  }

  void read_parameters(const PickleValue& schema, BytecodeFunction& function) {
    const std::optional<Index> arguments = entry(schema, "arguments");
    if (!arguments) return;
    for (const Index argument : tuple(*arguments, "arguments").children) {
      const PickleValue& parts = tuple(argument, "an argument");
      BytecodeFunction::Parameter parameter;
      if (const std::optional<Index> name = entry(parts, "name")) parameter.name = string(*name, "a name");
      if (const std::optional<Index> type = entry(parts, "type")) parameter.type = string(*type, "a type");
      if (const std::optional<Index> value = entry(parts, "default_value")) {
        parameter.default_value = constants_.read(*value);
        parameter.has_default = !parameter.default_value.is_none() || parameter.type.starts_with("Optional[");
      }
      function.parameters.push_back(std::move(parameter));
    }
  }

  const Pickle& pickle_;
  Unpickler constants_;
  BytecodeBuilder builder_;
};

}  // namespace

std::string ptl_root(const detail::ZipArchive& archive) {
  for (const detail::ZipArchive::Member& member : archive.members()) {
    const std::size_t slash = member.name.find('/');
    if (slash != std::string_view::npos && member.name.substr(slash + 1) == kBytecode) {
      return std::string(member.name.substr(0, slash + 1));
    }
  }
  return {};
}

BytecodeProgram read_ptl(const detail::ZipArchive& archive, const std::shared_ptr<detail::FileBytes>& file,
                         const OperatorLookups& libraries) {
  const std::string root = ptl_root(archive);
  ArchiveStorages storages(archive, file);
  BytecodeProgram program;
  const auto name = [&](std::string_view member) { return archive.name() + ": " + root + std::string(member); };
  const Pickle code(archive.read(root + std::string(kBytecode)), name(kBytecode));
  BytecodeReader(code, storages, root, libraries).read(program);
  const Pickle data(archive.read(root + "data.pkl"), name("data.pkl"));
  program.module =
      Unpickler(data, storages, root + "data/", object_restorer(program, libraries, data.name(), storages.budget()))
          .read(data.root_index());
  STRUCTURED_CHECK(program.module.is<DynamicValue::Object>(), name("data.pkl"), ": expected an object, found ",
                   program.module.type_name());
  return program;
}

}  // namespace structured::program
