#include "selection/module_operators.h"

#include <iterator>
#include <optional>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "selection/uses.h"
#include "structured/format/zip_directory.h"
#include "structured/program/flatbuffer.h"
#include "structured/program/mobile_bytecode.h"
#include "structured/program/pickle_reader.h"
#include "structured/schema/dtype.h"

namespace structured::gen {
namespace {

using program::PickleReader;
using program::PickleValue;

enum class Overloads { all, named, other };
struct Primitive {
  llvm::StringLiteral name;
  Overloads overloads;
};
constexpr Primitive primitives[] = {
#define STRUCTURED_SCRIPT_PRIMITIVE(name, overloads) {name, Overloads::overloads},
#include "structured/schema/program_operators.def"
};

struct PackedClass {
  llvm::StringLiteral name;
  llvm::StringLiteral op;
};
constexpr PackedClass packed_classes[] = {
#define STRUCTURED_PACKED_CLASS(name, op) {name, op},
#include "structured/schema/program_operators.def"
};

// Whether the loader itself computes the operator.
bool is_primitive(llvm::StringRef name, llvm::StringRef overload) {
  if (name.starts_with("prim::")) return true;
  const Primitive* found = llvm::find_if(primitives, [&](const Primitive& entry) { return entry.name == name; });
  if (found == std::end(primitives)) return false;
  const bool is_of_tensors =
      overload.starts_with("Tensor") || overload.starts_with("Scalar") || overload.starts_with("out");
  return found->overloads == Overloads::all ||
         (!is_of_tensors && (found->overloads == Overloads::other || !overload.empty()));
}

// Operators by the functions that call them, and dtypes by the members of an archive, or the values, that have them.
struct Found {
  void note_operator(llvm::StringRef name, llvm::StringRef overload, llvm::StringRef function) {
    if (is_primitive(name, overload)) return;
    operators[(name + (overload.empty() ? "" : ".") + overload).str()].note(function);
  }
  // An object of this class, which the loader may restore by an operator.
  void note_object(llvm::StringRef class_name, llvm::StringRef user) {
    for (const PackedClass& packed : packed_classes) {
      if (packed.name == class_name) operators[packed.op.str()].note(user);
    }
  }
  void note_dtype(llvm::StringRef dtype, llvm::StringRef user) {
    if (schema::find_dtype([&](const schema::Dtype& row) { return row.name == dtype; }) != nullptr) {
      used_dtypes[dtype.str()].note(user);
    }
  }

  Uses operators;
  Uses used_dtypes;
};

// ------------------------------------------------------------------------------------------------------ zip archives

constexpr llvm::StringLiteral bytecode_member = "bytecode.pkl";

std::optional<llvm::StringRef> member_name(const detail::ZipMember& member) {
  const auto [folder, name] = llvm::StringRef(member.name).split('/');
  if (name.empty()) return std::nullopt;
  return name;
}

// Functions of a pickle: (version, (name, ((key, value)...), schema)...).
class Bytecode {
 public:
  explicit Bytecode(PickleReader& pickle) : pickle_(pickle) {}

  // Whether the pickle has this form.
  bool read(Found& found) {
    const PickleValue& all = value(pickle_.root());
    if (!is_list(all) || all.children.empty()) return false;
    for (const PickleValue::Index index : llvm::drop_begin(all.children)) {
      const PickleValue& function = value(index);
      if (!is_list(function) || function.children.size() < 2) return false;
      const PickleValue* operators = entry(value(function.children[1]), "operators");
      if (!operators) return false;
      for (const PickleValue::Index op : operators->children) {
        const PickleValue& parts = value(op);
        if (!is_list(parts) || parts.children.size() < 2) return false;
        found.note_operator(value(parts.children[0]).text, value(parts.children[1]).text,
                            value(function.children[0]).text);
      }
    }
    return true;
  }

 private:
  const PickleValue& value(PickleValue::Index index) const { return pickle_.values()[index]; }
  static bool is_list(const PickleValue& value) {
    return value.kind == PickleValue::Kind::tuple || value.kind == PickleValue::Kind::list;
  }
  const PickleValue* entry(const PickleValue& table, llvm::StringRef key) const {
    for (const PickleValue::Index index : table.children) {
      const PickleValue& pair = value(index);
      if (pair.children.size() == 2 && key == llvm::StringRef(value(pair.children[0]).text)) {
        return &value(pair.children[1]);
      }
    }
    return nullptr;
  }

  PickleReader& pickle_;
};

llvm::Error read_archive(llvm::StringRef bytes, Found& found) {
  detail::ZipDirectory archive(bytes);
  for (const detail::ZipMember& member : archive.members()) {
    const std::optional<llvm::StringRef> name = member_name(member);
    if (!name || !member.is_stored || !name->ends_with(".pkl")) continue;
    PickleReader pickle(archive.data(member));
    if (!pickle.error().empty()) return llvm::createStringError(*name + ": " + pickle.error());
    // Storages name their dtypes: torch.FloatStorage.
    for (const PickleValue& value : pickle.values()) {
      llvm::StringRef dtype = value.text;
      if (value.kind == PickleValue::Kind::global && value.module == "torch" && dtype.consume_back("Storage")) {
        found.note_dtype(dtype, *name);
      }
      if (value.kind == PickleValue::Kind::global) {
        found.note_object((llvm::StringRef(value.module) + "." + llvm::StringRef(value.text)).str(), *name);
      }
    }
    if (*name == bytecode_member && !Bytecode(pickle).read(found)) {
      return llvm::createStringError(*name + ": expected functions with their operators");
    }
  }
  return llvm::Error::success();
}

// ------------------------------------------------------------------------------------------------------- flatbuffers

llvm::Error read_flatbuffer(llvm::StringRef bytes, Found& found) {
  using namespace program;
  const FlatBytes file(bytes, "");
  const FlatTable module(file, file.follow(0));
  const FlatVector values = module.vector(module_field::values, 4);
  for (std::size_t i = 0; i < values.size() && file.error().empty(); ++i) {
    const FlatTable entry = FlatTable::element(file, values, i);
    const auto type = static_cast<ValueType>(entry.read<uint8_t>(value_field::type, 0));
    if (type == ValueType::function) {
      const FlatTable function = entry.table(value_field::value);
      const FlatVector operators = function.vector(function_field::operators, 4);
      for (std::size_t j = 0; j < operators.size() && file.error().empty(); ++j) {
        const FlatTable op = FlatTable::element(file, operators, j);
        found.note_operator(op.string(operator_field::name), op.string(operator_field::overload),
                            function.string(function_field::name));
      }
    } else if (type == ValueType::tensor) {
      const auto dtype = entry.table(value_field::value).read<uint8_t>(tensor_field::dtype, 0);
      if (const schema::Dtype* row = schema::dtype_numbered(dtype)) {
        found.note_dtype(row->name, "value " + std::to_string(i));
      }
    }
  }
  const FlatVector classes = module.vector(module_field::object_types, 4);
  for (std::size_t i = 0; i < classes.size() && file.error().empty(); ++i) {
    found.note_object(FlatTable::element(file, classes, i).string(object_type_field::name),
                      "class " + std::to_string(i));
  }
  if (!file.error().empty()) return llvm::createStringError(file.error());
  return llvm::Error::success();
}

}  // namespace

bool is_module(llvm::StringRef bytes) {
  if (program::is_ptl_flatbuffer(bytes)) return true;
  detail::ZipDirectory archive(bytes);
  return llvm::any_of(archive.members(), [](const auto& member) { return member_name(member) == bytecode_member; });
}

llvm::Expected<Selection> selection_from_module(llvm::StringRef bytes, llvm::StringRef name) {
  Found found;
  llvm::Error error = program::is_ptl_flatbuffer(bytes) ? read_flatbuffer(bytes, found) : read_archive(bytes, found);
  if (error) return llvm::createStringError(name + ": " + llvm::toString(std::move(error)));
  Selection selection;
  add_reasons(selection.operators, found.operators, name, "function");
  selection.dtypes.emplace();
  add_reasons(*selection.dtypes, found.used_dtypes, name, "tensor in");
  (*selection.dtypes)["Float"].insert("values whose dtypes modules do not name");
  add_inner_dtypes(selection);
  return selection;
}

}  // namespace structured::gen
