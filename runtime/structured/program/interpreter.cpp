#include "structured/program/interpreter.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "structured/base/error.h"

namespace structured::program {
namespace {

constexpr std::size_t kMaxCalls = 256;

/// Whether `value` is an instance of a type as TorchScript spells it.
bool is_instance(const DynamicValue& value, std::string_view type) {
  constexpr std::string_view optional = "Optional[";
  while (type.starts_with(optional)) {
    if (value.is_none()) return true;
    type.remove_prefix(optional.size());
    if (type.ends_with(']')) type.remove_suffix(1);
  }
  if (type == "NoneType" || type == "None") return value.is_none();
  if (value.is<DynamicValue::Object>()) return value.to_object().class_name == type;
  const std::string_view name = value.type_name();
  return type == name || (type.starts_with(name) && type.substr(name.size()).starts_with("["));
}

}  // namespace

DynamicValue Interpreter::call(const BytecodeFunction& function, std::vector<DynamicValue> arguments) {
  stack_ = std::move(arguments);
  depth_ = 0;
  steps_ = 0;
  run(function, std::vector<DynamicValue>(function.register_count));
  DynamicValue result = stack_.empty() ? DynamicValue() : std::move(stack_.back());
  stack_.clear();
  return result;
}

void Interpreter::need(std::size_t count) const {
  STRUCTURED_CHECK(stack_.size() >= count, "expected ", count, " values on the stack, found ", stack_.size());
}

DynamicValue Interpreter::pop() {
  need(1);
  DynamicValue value = std::move(stack_.back());
  stack_.pop_back();
  return value;
}

std::vector<DynamicValue> Interpreter::pop(std::size_t count) {
  need(count);
  const auto first = stack_.end() - static_cast<std::ptrdiff_t>(count);
  std::vector<DynamicValue> values(std::make_move_iterator(first), std::make_move_iterator(stack_.end()));
  stack_.erase(first, stack_.end());
  return values;
}

void Interpreter::run(const BytecodeFunction& function, std::vector<DynamicValue> registers) {
  STRUCTURED_CHECK(depth_ < kMaxCalls, function.name, ": expected at most ", kMaxCalls, " nested calls");
  ++depth_;
  const auto end = static_cast<std::ptrdiff_t>(function.instructions.size());
  for (std::ptrdiff_t at = 0; at < end;) {
    const BytecodeInstruction& instruction = function.instructions[static_cast<std::size_t>(at)];
    if (instruction.opcode == Opcode::ret) break;
    STRUCTURED_CHECK(++steps_ <= max_steps_, function.name, ": expected at most ", max_steps_, " instructions");
    std::ptrdiff_t next = 1;
    step(function, instruction, registers, next);
    at += next;  // jumps were checked when the program was loaded
  }
  --depth_;
}

void Interpreter::call_operator(const BytecodeOperator& op, std::size_t count) {
  try {
    if (op.unpacks_tuple) {
      const DynamicValue tuple = pop();
      const std::vector<DynamicValue>& elements = tuple.to_tuple().elements;
      stack_.insert(stack_.end(), elements.begin(), elements.end());
      return;
    }
    const std::vector<DynamicValue> given = pop(count);
    if (op.primitive != nullptr) {
      STRUCTURED_CHECK(static_cast<int>(count) >= op.primitive->min_arguments &&
                           static_cast<int>(count) <= op.primitive->max_arguments,
                       "expected ", op.primitive->min_arguments, " to ", op.primitive->max_arguments,
                       " arguments, got ", count);
      if (std::optional<DynamicValue> result = op.primitive->run(given)) stack_.push_back(std::move(*result));
      if (max_steps_ != no_limit) charge(given);
      return;
    }
    // Trailing arguments with defaults were left out; outputs come last.
    const std::size_t total = op.parameters.size();
    const std::size_t leading = count - std::min(op.out_count, count);
    STRUCTURED_CHECK(count <= total && count >= op.out_count, "expected at most ", total, " arguments, got ", count);
    arguments_.clear();
    for (std::size_t i = 0; i < total; ++i) {
      const std::size_t outputs_begin = total - op.out_count;
      if (i < leading) {
        arguments_.push_back(to_argument(given[i], op.parameters[i]));
      } else if (i >= outputs_begin) {
        arguments_.push_back(to_argument(given[leading + i - outputs_begin], op.parameters[i]));
      } else {
        arguments_.push_back(op.parameters[i].default_value.value_or(Value()));
      }
    }
    op.op->call(arguments_);
    for (const Value& result : arguments_) stack_.push_back(from_result(result));
  } catch (const InternalError&) {
    throw;
  } catch (const Error& error) {
    fail("`", op.name, "`: ", error.what());
  }
}

void Interpreter::charge(const std::vector<DynamicValue>& arguments) {
  const auto add = [&](const DynamicValue& value) {
    if (value.is_string()) steps_ += value.to_string().size();
    if (value.is<DynamicValue::List>()) steps_ += value.to_list().elements.size();
  };
  for (const DynamicValue& argument : arguments) add(argument);
  if (!stack_.empty()) add(stack_.back());
  STRUCTURED_CHECK(steps_ <= max_steps_, "expected at most ", max_steps_,
                   " instructions and elements of lists and texts");
}

void Interpreter::call_method(const BytecodeFunction& function, const BytecodeInstruction& instruction) {
  const std::string_view method = function.constants[static_cast<std::size_t>(instruction.x)].to_string();
  const auto count = static_cast<std::size_t>(instruction.n);
  STRUCTURED_CHECK(count > 0, "expected an object to call the method `", method, "` of");
  need(count);
  const DynamicObject& self = stack_[stack_.size() - count].to_object();
  const auto found = program_.functions.find(self.class_name + "." + std::string(method));
  STRUCTURED_CHECK(found != program_.functions.end(), "expected a method `", method, "` of ", self.class_name);
  run(found->second, std::vector<DynamicValue>(found->second.register_count));
}

void Interpreter::step(const BytecodeFunction& function, const BytecodeInstruction& instruction,
                       std::vector<DynamicValue>& registers, std::ptrdiff_t& next) {
  const int32_t x = instruction.x, n = instruction.n;
  const auto index = static_cast<std::size_t>(x), count = static_cast<std::size_t>(n);
  switch (instruction.opcode) {
    case Opcode::op:
      call_operator(function.operators[index], function.operators[index].given);
      break;
    case Opcode::opn:
      call_operator(function.operators[index], count);
      break;
    case Opcode::load:
      stack_.push_back(registers[index - 1]);
      break;
    case Opcode::move:
      stack_.push_back(std::exchange(registers[index - 1], DynamicValue()));
      break;
    case Opcode::store:
      registers[index - 1] = pop();
      break;
    case Opcode::storen: {
      std::vector<DynamicValue> values = pop(count);
      for (std::size_t i = 0; i < count; ++i) registers[index - 1 + i] = std::move(values[i]);
      break;
    }
    case Opcode::drop:
      pop();
      break;
    case Opcode::dropr:
      registers[index - 1] = DynamicValue();
      break;
    case Opcode::loadc:
      stack_.push_back(function.constants[index]);
      break;
    case Opcode::jf:
      if (!pop().to_bool()) next = x;
      break;
    case Opcode::jmp:
      next = x;
      break;
    case Opcode::loop: {
      STRUCTURED_CHECK(count >= 2, "expected a loop with a condition");
      need(count + 1);
      const std::size_t first = stack_.size() - (count + 1);
      const int64_t trip = stack_[first].to_int();
      if (trip < stack_[first + 1].to_int() && stack_[first + 2].to_bool()) {
        stack_[first + 2] = trip;
        stack_[first] = trip + 1;
      } else {
        stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(first),
                     stack_.begin() + static_cast<std::ptrdiff_t>(first) + 3);
        next = x;
      }
      break;
    }
    case Opcode::interface_call:
      call_method(function, instruction);
      break;
    case Opcode::get_attr: {
      const DynamicValue self = pop();
      const std::vector<DynamicValue>& attributes = self.to_object().attributes;
      STRUCTURED_CHECK(index < attributes.size(), "expected an attribute below ", attributes.size(), ", got ", x);
      stack_.push_back(attributes[index]);
      break;
    }
    case Opcode::set_attr: {
      DynamicValue value = pop();
      const DynamicValue self = pop();
      std::vector<DynamicValue>& attributes = self.to_object().attributes;
      // The number of attributes of a new object is not known.
      STRUCTURED_CHECK(index < 4096, "expected an attribute below 4096, got ", x);
      if (index >= attributes.size()) attributes.resize(index + 1);
      attributes[index] = std::move(value);
      break;
    }
    case Opcode::create_object:
      stack_.emplace_back(std::make_shared<DynamicObject>());
      stack_.back().to_object().class_name = function.types[index];
      break;
    case Opcode::list_construct:
      stack_.push_back(make_list(pop(count)));
      break;
    case Opcode::tuple_construct:
      stack_.push_back(make_tuple(pop(index)));
      break;
    case Opcode::named_tuple_construct:
      stack_.push_back(make_tuple(pop(count)));
      break;
    case Opcode::list_unpack: {
      const DynamicValue list = pop();
      const std::vector<DynamicValue>& elements = list.to_list().elements;
      STRUCTURED_CHECK(elements.size() == index, "expected a list of ", index, " elements, got ", elements.size());
      stack_.insert(stack_.end(), elements.begin(), elements.end());
      break;
    }
    case Opcode::tuple_index: {
      const int64_t at = pop().to_int();
      const DynamicValue tuple = pop();
      const std::vector<DynamicValue>& elements = tuple.to_tuple().elements;
      const auto size = static_cast<int64_t>(elements.size());
      STRUCTURED_CHECK(at >= -size && at < size, "expected an index from ", -size, " to ", size - 1, ", got ", at);
      stack_.push_back(elements[static_cast<std::size_t>(at < 0 ? at + size : at)]);
      break;
    }
    case Opcode::tuple_slice: {
      const DynamicValue tuple = pop();
      const std::vector<DynamicValue>& elements = tuple.to_tuple().elements;
      STRUCTURED_CHECK(index + count <= elements.size(), "expected a slice within ", elements.size(), " elements, got ",
                       n, " from ", x);
      stack_.push_back(make_tuple({elements.begin() + x, elements.begin() + x + n}));
      break;
    }
    case Opcode::dict_construct: {
      const std::vector<DynamicValue> values = pop(count);
      auto dict = std::make_shared<DynamicDict>();
      for (std::size_t i = 0; i + 1 < values.size(); i += 2) dict->set(values[i], values[i + 1]);
      stack_.emplace_back(std::move(dict));
      break;
    }
    case Opcode::dict_index: {
      const std::vector<DynamicValue> values = pop(2);
      stack_.push_back(*find_script_primitive("aten::__getitem__")->run(values));
      break;
    }
    case Opcode::isinstance: {
      const DynamicValue value = pop();
      bool result = false;
      for (std::size_t i = 0; i < count; ++i) result |= is_instance(value, function.types[index + i]);
      stack_.emplace_back(result);
      break;
    }
    case Opcode::format: {
      const std::vector<DynamicValue> values = pop(index);
      stack_.push_back(*find_script_primitive("aten::format")->run(values));
      break;
    }
    case Opcode::raise_exception: {
      const DynamicValue name = pop(), message = pop();
      fail(function.name, " raised ", name.is_string() && !name.to_string().empty() ? name.to_string() : "an exception",
           ": ", text_of(message));
    }
    case Opcode::dim:
      stack_.emplace_back(pop().to_tensor().dim());
      break;
    case Opcode::dtype:
      stack_.emplace_back(static_cast<int64_t>(pop().to_tensor().dtype()));
      break;
    case Opcode::device:
      stack_.emplace_back(pop().to_tensor().device());
      break;
    case Opcode::is_cuda:
      stack_.emplace_back(pop().to_tensor().is_cuda());
      break;
    case Opcode::is:
    case Opcode::is_not: {
      const std::vector<DynamicValue> values = pop(2);
      stack_.emplace_back(values[0].is_same(values[1]) == (instruction.opcode == Opcode::is));
      break;
    }
    case Opcode::negate:
      stack_.emplace_back(!pop().to_bool());
      break;
    case Opcode::num_to_tensor: {
      const std::vector<DynamicValue> values = pop(1);
      stack_.push_back(*find_script_primitive("prim::NumToTensor")->run(values));
      break;
    }
    case Opcode::un_initialized:
      stack_.emplace_back();
      break;
    case Opcode::unchecked_cast:
    case Opcode::ret:
      break;
    case Opcode::warn: {
      if (x == 1) pop();  // the stack level
      structured::warn(text_of(pop()));
      break;
    }
  }
}

}  // namespace structured::program
