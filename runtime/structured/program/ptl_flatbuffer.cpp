#include "structured/program/ptl_flatbuffer.h"

#include <bit>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "structured/base/error.h"
#include "structured/core/quantizer.h"
#include "structured/program/bytecode_builder.h"
#include "structured/program/flatbuffer.h"
#include "structured/program/mobile_bytecode.h"
#include "structured/program/object_state.h"
#include "structured/program/read_budget.h"
#include "structured/program/stored_tensor.h"

namespace structured::program {
namespace {

[[noreturn]] void refuse_file(const std::string& name, const std::string& problem) { fail(name, ": ", problem); }

/// Reads one file. Reading outside of its bytes throws Error.
class Reader {
 public:
  Reader(const std::shared_ptr<detail::FileBytes>& file, const std::string& name, const OperatorLookups& libraries)
      : file_(file),
        bytes_(file->view(), name, refuse_file),
        module_(bytes_, bytes_.follow(0)),
        builder_(libraries, name),
        weights_(file->size()),
        restore_(object_restorer(program_, libraries, bytes_.name(), weights_)),
        values_(module_.vector(module_field::values, 4)),
        types_(module_.vector(module_field::object_types, 4)),
        storages_(module_.vector(module_field::storages, 4)) {}

  BytecodeProgram read() {
    builder_.check_version(module_.read<uint32_t>(module_field::version, 0));
    const FlatVector methods = module_.vector(module_field::methods, 4);
    for (std::size_t i = 0; i < methods.size(); ++i) {
      BytecodeFunction function = read_function(methods.read<uint32_t>(i));
      const std::string name = function.name;
      expect(program_.functions.emplace(name, std::move(function)).second, "functions of different names");
    }
    builder_.check_operators();
    program_.module = value(module_.read<uint32_t>(module_field::state, 0));
    expect(program_.module.is<DynamicValue::Object>(), "an object as module");
    return std::move(program_);
  }

 private:
  void expect(bool condition, const char* what) const {
    STRUCTURED_CHECK(condition, bytes_.name(), ": expected ", what);
  }

  /// Table of the value with this index, which has the type `type`.
  FlatTable entry(uint32_t index, ValueType& type) const {
    expect(index < values_.size(), "the index of a value");
    const FlatTable table = FlatTable::element(bytes_, values_, index);
    type = static_cast<ValueType>(table.read<uint8_t>(value_field::type, 0));
    return table;
  }

  DynamicValue value(uint32_t index) {
    const auto [entry, is_new] = made_.try_emplace(index);
    std::optional<DynamicValue>& made = entry->second;
    if (!is_new) {
      expect(made.has_value(), "values that do not contain themselves");
      return *made;
    }
    STRUCTURED_CHECK(++depth_ <= kMaxNestedValues, bytes_.name(), ": expected at most ", kMaxNestedValues,
                     " nested values");
    made = make(index);
    --depth_;
    return *made;
  }

  std::vector<DynamicValue> values(const FlatVector& indices) {
    std::vector<DynamicValue> result;
    for (std::size_t i = 0; i < indices.size(); ++i) result.push_back(value(indices.read<uint32_t>(i)));
    return result;
  }

  DynamicValue make(uint32_t index) {
    ValueType type;
    const FlatTable entry = this->entry(index, type);
    if (type == ValueType::none) return {};
    const FlatTable* const owner = &entry;
    const std::size_t position = owner->field(value_field::value);
    expect(position != 0, "a value");
    const std::size_t at = bytes_.follow(position);  // structs and tables both lie behind an offset
    switch (type) {
      case ValueType::integer:
        return bytes_.read<int64_t>(at);
      case ValueType::boolean:
        return bytes_.read<uint8_t>(at) != 0;
      case ValueType::real:
        return std::bit_cast<double>(bytes_.read<uint64_t>(at));
      case ValueType::tensor:
        return tensor(FlatTable(bytes_, at));
      case ValueType::string:
        return FlatTable(bytes_, at).string(0);
      case ValueType::tuple:
        return make_tuple(values(FlatTable(bytes_, at).vector(0, 4)));
      case ValueType::list:
        return make_list(values(FlatTable(bytes_, at).vector(0, 4)));
      case ValueType::dict:
        return dict(FlatTable(bytes_, at));
      case ValueType::object:
        return object(FlatTable(bytes_, at));
      case ValueType::int_list:
      case ValueType::double_list:
      case ValueType::bool_list:
        return number_list(type, FlatTable(bytes_, at));
      case ValueType::device:
        return stored_device(FlatTable(bytes_, at).string(0), bytes_.name());
      default:
        fail(bytes_.name(), ": values of type ", static_cast<int>(type), " are not supported");
    }
  }

  DynamicValue number_list(ValueType type, const FlatTable& table) const {
    std::vector<DynamicValue> elements;
    const FlatVector list = table.vector(0, type == ValueType::bool_list ? 1 : 8);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (type == ValueType::int_list) {
        elements.emplace_back(list.read<int64_t>(i));
      } else if (type == ValueType::double_list) {
        elements.emplace_back(std::bit_cast<double>(list.read<uint64_t>(i)));
      } else {
        elements.emplace_back(list.read<uint8_t>(i) != 0);
      }
    }
    return make_list(std::move(elements));
  }

  DynamicValue dict(const FlatTable& table) {
    const auto result = std::make_shared<DynamicDict>();
    const FlatVector keys = table.vector(0, 4), items = table.vector(1, 4);
    expect(keys.size() == items.size(), "a value for each key");
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const DynamicValue key = value(keys.read<uint32_t>(i));
      result->items.emplace_back(key, value(items.read<uint32_t>(i)));
    }
    return result;
  }

  DynamicValue object(const FlatTable& table) {
    const uint32_t type_index = table.read<uint32_t>(object_field::type, 0);
    expect(type_index < types_.size(), "the index of a type");
    const FlatTable type = FlatTable::element(bytes_, types_, type_index);
    const auto result = std::make_shared<DynamicObject>();
    result->class_name = type.string(object_type_field::name);
    const auto kind = static_cast<ObjectKind>(type.read<uint8_t>(object_type_field::kind, 0));
    if (kind == ObjectKind::custom_class || kind == ObjectKind::with_set_state) {
      return restore_(result, value(table.read<uint32_t>(object_field::state, 0)));
    }
    STRUCTURED_CHECK(kind == ObjectKind::with_fields, bytes_.name(), ": objects of class `", result->class_name,
                     "` are not supported: expected attributes or a state");
    const FlatVector names = type.vector(object_type_field::attributes, 4);
    const FlatVector attributes = table.vector(object_field::attributes, 4);
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      result->names.emplace_back(i < names.size() ? FlatVector(bytes_, bytes_.follow(names.at(i)), 1).bytes()
                                                  : std::string_view());
      result->attributes.push_back(value(attributes.read<uint32_t>(i)));
    }
    return result;
  }

  Tensor tensor(const FlatTable& table) {
    const ScalarType dtype = scalar_type_of_row(schema::dtype_numbered(table.read<int8_t>(tensor_field::dtype, 0)));
    expect(dtype != ScalarType::Undefined, "the number of a dtype");
    const auto dims = [&](std::size_t field) {
      const FlatVector list = table.vector(field, 4);
      std::vector<int64_t> result;
      for (std::size_t i = 0; i < list.size(); ++i) {
        result.push_back(static_cast<int32_t>(list.read<uint32_t>(i)));
      }
      return result;
    };
    const uint32_t index = table.read<uint32_t>(tensor_field::storage, 0);
    const auto offset = static_cast<int32_t>(table.read<uint32_t>(tensor_field::offset, 0));
    Tensor result = stored_tensor(storage(index), dtype, dims(tensor_field::sizes), dims(tensor_field::strides), offset,
                                  bytes_.name() + ": tensor in storage " + std::to_string(index));
    const bool has_quantizer = table.field(tensor_field::quantized) != 0;
    expect(has_quantizer == result.is_quantized(), "a scale and a zero point of tensors of quantized dtypes only");
    if (has_quantizer) read_quantizer(table.table(tensor_field::quantized), result);
    return result;
  }

  void read_quantizer(const FlatTable& table, const Tensor& result) {
    const auto scheme = static_cast<QScheme>(table.read<uint8_t>(quantizer_field::scheme, 0));
    try {
      if (scheme == QScheme::per_tensor_affine) {
        set_quantizer(result, std::bit_cast<double>(table.read<uint64_t>(quantizer_field::scale, 0)),
                      static_cast<int32_t>(table.read<uint32_t>(quantizer_field::zero_point, 0)));
      } else {
        STRUCTURED_CHECK(scheme == QScheme::per_channel_affine,
                         "expected a tensor that is quantized per tensor or per ", "channel, found scheme ",
                         static_cast<int>(scheme));
        // The scales of a quantized tensor are no quantized tensors.
        const FlatTable scales = table.table(quantizer_field::scales);
        const FlatTable zero_points = table.table(quantizer_field::zero_points);
        STRUCTURED_CHECK(scales.field(tensor_field::quantized) == 0 && zero_points.field(tensor_field::quantized) == 0,
                         "expected scales and zero points that are not quantized");
        set_quantizer(result, tensor(scales), tensor(zero_points),
                      static_cast<int32_t>(table.read<uint32_t>(quantizer_field::axis, 0)));
      }
    } catch (const Error& error) {
      fail(bytes_.name(), ": ", error.what());
    }
  }

  const Storage& storage(uint32_t index) {
    const auto known = made_storages_.find(index);
    if (known != made_storages_.end()) return known->second;
    expect(index < storages_.size(), "the index of a storage");
    const std::string_view data = FlatTable::element(bytes_, storages_, index).vector(0, 1).bytes();
    return made_storages_.emplace(index, stored_bytes(file_, data)).first->second;
  }

  BytecodeFunction read_function(uint32_t index) {
    ValueType type;
    const FlatTable entry = this->entry(index, type);
    expect(type == ValueType::function, "a function");
    const FlatTable table = entry.table(value_field::value);
    BytecodeFunction function;
    function.name = table.string(function_field::name);
    const FlatVector operators = table.vector(function_field::operators, 4);
    for (std::size_t i = 0; i < operators.size(); ++i) {
      const FlatTable op = FlatTable::element(bytes_, operators, i);
      const auto given = static_cast<int32_t>(op.read<uint32_t>(operator_field::given, 0xffffffff));
      function.operators.push_back(
          builder_.make_operator(op.string(operator_field::name), op.string(operator_field::overload), given));
    }
    function.constants = values(table.vector(function_field::constants, 4));
    const FlatVector types = table.vector(function_field::types, 4);
    for (std::size_t i = 0; i < types.size(); ++i) {
      function.types.emplace_back(FlatVector(bytes_, bytes_.follow(types.at(i)), 1).bytes());
    }
    const auto registers = static_cast<int32_t>(table.read<uint32_t>(function_field::registers, 0));
    expect(registers >= 0 && registers <= BytecodeBuilder::max_registers, "at most 1048576 registers");
    function.register_count = static_cast<std::size_t>(registers);
    read_instructions(table.vector(function_field::instructions, 8), function);
    if (table.field(function_field::schema) != 0) read_parameters(table.table(function_field::schema), function);
    return function;
  }

  void read_instructions(const FlatVector& instructions, BytecodeFunction& function) const {
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      // A struct of the opcode, a byte of padding, N and X.
      const std::size_t at = instructions.at(i);
      const int number = bytes_.read<uint8_t>(at);
      const OpcodeInfo* const opcode = find_opcode(number);
      STRUCTURED_CHECK(opcode != nullptr, bytes_.name(), ": ", function.name, ": instruction ", i, ": opcode ", number,
                       " is not supported");
      builder_.add_instruction(function, *opcode, static_cast<int32_t>(bytes_.read<uint32_t>(at + 4)),
                               bytes_.read<uint16_t>(at + 2), instructions.size());
    }
  }

  void read_parameters(const FlatTable& schema, BytecodeFunction& function) {
    const FlatVector arguments = schema.vector(0, 4);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const FlatTable argument = FlatTable::element(bytes_, arguments, i);
      BytecodeFunction::Parameter parameter;
      parameter.name = argument.string(argument_field::name);
      parameter.type = argument.string(argument_field::type);
      parameter.default_value = value(argument.read<uint32_t>(argument_field::default_value, 0));
      parameter.has_default = !parameter.default_value.is_none() || parameter.type.starts_with("Optional[");
      function.parameters.push_back(std::move(parameter));
    }
  }

  std::shared_ptr<detail::FileBytes> file_;
  FlatBytes bytes_;
  FlatTable module_;
  BytecodeBuilder builder_;
  BytecodeProgram program_;
  ReadBudget weights_;
  RestoreObject restore_;
  FlatVector values_;
  FlatVector types_;
  FlatVector storages_;
  std::unordered_map<uint32_t, std::optional<DynamicValue>> made_;  // empty while a value is being made
  std::unordered_map<uint32_t, Storage> made_storages_;
  int depth_ = 0;
};

}  // namespace

BytecodeProgram read_ptl_flatbuffer(const std::shared_ptr<detail::FileBytes>& file, const std::string& name,
                                    const OperatorLookups& libraries) {
  return Reader(file, name, libraries).read();
}

}  // namespace structured::program
