#pragma once
// Modules of PyTorch's lite interpreter that tests write, as pickles.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive.h"

namespace structured::test {

/// Opcodes that leave a value on the stack of a pickle.
namespace pickled {

inline std::string integer(int64_t value) {
  std::string result = "\x8a\x08";
  append(result, static_cast<uint64_t>(value), 8);
  return result;
}
inline std::string text(std::string_view value) {
  std::string result = "X";
  append(result, value.size(), 4);
  return result += value;
}
inline std::string global(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n";
}
inline std::string tuple(const std::vector<std::string>& elements) {
  std::string result = "(";
  for (const std::string& element : elements) result += element;
  return result + "t";
}
inline std::string dict(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string result = "}(";
  for (const auto& [key, value] : items) result += text(key) + value;
  return result + "u";
}
inline std::string call(const std::string& function, const std::vector<std::string>& arguments) {
  return function + tuple(arguments) + "R";
}
/// An object of a class with attributes in a dictionary, or another state.
inline std::string object(const std::string& class_name, const std::string& state) {
  return global("__torch__", class_name) + ")\x81" + state + "b";
}
/// The member data/0.
inline std::string storage(const std::string& class_name) {
  return tuple({text("storage"), global("torch", class_name), text("0"), text("cpu"), integer(1)}) + "Q";
}

}  // namespace pickled

struct WrittenInstruction {
  std::string name;
  int64_t x = 0;
  int64_t n = 0;
};

/// A function of the class `M`.
struct WrittenFunction {
  std::string name;
  std::vector<WrittenInstruction> instructions;
  std::vector<std::string> operators;  // names without overload
  std::vector<std::string> constants;  // pickled
  std::vector<std::string> types;

  std::string pickle() const {
    using namespace pickled;  // NOLINT
    std::vector<std::string> steps, ops, type_names;
    for (const WrittenInstruction& i : instructions) steps.push_back(tuple({text(i.name), integer(i.x), integer(i.n)}));
    for (const std::string& op : operators) ops.push_back(tuple({text(op), text("")}));
    for (const std::string& type : types) type_names.push_back(text(type));
    return tuple({text("__torch__.M." + name),
                  tuple({tuple({text("instructions"), tuple(steps)}), tuple({text("operators"), tuple(ops)}),
                         tuple({text("constants"), tuple(constants)}), tuple({text("types"), tuple(type_names)}),
                         tuple({text("register_size"), integer(4)})})});
  }
};

/// A module with these functions. `data` is the pickled object, and `storage` the bytes of data/0.
inline std::string write_module(const std::vector<WrittenFunction>& functions, const std::string& data,
                                const std::string& storage = std::string(64, '\1')) {
  std::vector<std::string> code = {pickled::integer(8)};
  for (const WrittenFunction& function : functions) code.push_back(function.pickle());
  const auto pickle = [](const std::string& value) { return "\x80\x02" + value + "."; };
  ZipWriter zip;
  zip.add("m/bytecode.pkl", pickle(pickled::tuple(code)));
  zip.add("m/data.pkl", pickle(data));
  zip.add("m/data/0", storage);
  return zip.finish();
}

}  // namespace structured::test
