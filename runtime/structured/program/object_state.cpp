#include "structured/program/object_state.h"

#include <string_view>
#include <utility>
#include <vector>

#include "structured/base/error.h"
#include "structured/dispatch/library.h"
#include "structured/program/interpreter.h"
#include "structured/program/replaced_operators.h"

namespace structured::program {
namespace {

// Limit for one `__setstate__`, which runs while an untrusted file is loaded.
constexpr std::size_t kMaxSteps = 100000;

const std::vector<DynamicValue>& elements(const DynamicValue& value) {
  return value.is<DynamicValue::List>() ? value.to_list().elements : value.to_tuple().elements;
}

Value optional_tensor(const DynamicValue& value) { return value.is_none() ? Value() : Value(value.to_tensor()); }

/// Arguments of `linear_prepack`: (weight, bias).
Stack linear_arguments(const DynamicValue& state) {
  const std::vector<DynamicValue>& parts = elements(state);
  STRUCTURED_CHECK(parts.size() == 2, "expected a weight and a bias, found ", parts.size(), " values");
  return {parts[0].to_tensor(), optional_tensor(parts[1])};
}

/// Arguments of `conv2d_prepack`: ("2", [numbers, weight], [bias]). The numbers are the number of spatial dimensions,
/// stride, padding, dilation and output padding of each, groups, and whether the convolution is transposed.
Stack conv2d_arguments(const DynamicValue& state) {
  const std::vector<DynamicValue>& parts = elements(state);
  STRUCTURED_CHECK(parts.size() == 3 && parts[0].is_string() && parts[0].to_string() == "2",
                   "expected packed parameters of version 2");
  const std::vector<DynamicValue>& tensors = elements(parts[1]);
  const std::vector<DynamicValue>& optional = elements(parts[2]);
  STRUCTURED_CHECK(tensors.size() == 2 && optional.size() == 1, "expected numbers, a weight and a bias, found ",
                   tensors.size(), " and ", optional.size(), " values");
  const Tensor& stored = tensors[0].to_tensor();
  constexpr int64_t count = 11;
  STRUCTURED_CHECK(stored.dtype() == kShort && stored.dim() == 1 && stored.numel() == count && stored.is_contiguous(),
                   "expected a vector of ", count, " elements of dtype Short, found sizes ", stored.sizes(),
                   " and dtype ", stored.dtype());
  const auto* const first = stored.data_ptr<int16_t>();
  const std::vector<int64_t> numbers(first, first + count);
  STRUCTURED_CHECK(numbers[0] == 2 && numbers[7] == 0 && numbers[8] == 0 && numbers[10] == 0,
                   "expected a convolution with 2 spatial dimensions that is not transposed");
  const IntArrayRef all(numbers);
  return {tensors[1].to_tensor(), optional_tensor(optional[0]),
          all.slice(1, 2),        all.slice(3, 2),
          all.slice(5, 2),        numbers[9]};
}

/// The elements of a weight need not lie in the file: strides may be 0, and many objects may share a weight.
void check_weight(const Tensor& weight, ReadBudget& budget) {
  constexpr std::size_t packed_bytes = 32;  // for an element, with the padding of a weight of one row
  const auto count = static_cast<std::size_t>(weight.numel());
  STRUCTURED_CHECK(count > 0 && count < std::size_t{1} << 56 && budget.take(count * packed_bytes),
                   "expected a weight whose elements lie in the file, found sizes ", weight.sizes());
}

DynamicValue pack(const OperatorLookups& libraries, std::string_view op, const DynamicValue& state,
                  ReadBudget& budget) {
  for (const OperatorLookup library : libraries) {
    if (const OperatorHandle* const handle = library(op)) {
      Stack arguments = op == "quantized::conv2d_prepack" ? conv2d_arguments(state) : linear_arguments(state);
      check_weight(arguments[0].to_tensor(), budget);
      handle->call(arguments);
      return from_result(arguments[0]);
    }
  }
  fail("expected the operator `", op, "`, which no library has");
}

DynamicValue restore(const BytecodeProgram& program, const OperatorLookups& libraries, ReadBudget& budget,
                     const DynamicValue::Object& object, const DynamicValue& state) {
  for (const PackedClass& packed : kPackedClasses) {
    if (packed.name == object->class_name) return pack(libraries, packed.op, state, budget);
  }
  const auto set_state = program.functions.find(object->class_name + ".__setstate__");
  STRUCTURED_CHECK(set_state != program.functions.end(),
                   "expected attributes or a method `__setstate__`, found a state");
  Interpreter(program, kMaxSteps).call(set_state->second, {object, state});
  return object;
}

}  // namespace

RestoreObject object_restorer(const BytecodeProgram& program, const OperatorLookups& libraries, const std::string& name,
                              ReadBudget& budget) {
  return [&](const DynamicValue::Object& object, const DynamicValue& state) {
    try {
      return restore(program, libraries, budget, object, state);
    } catch (const InternalError&) {
      throw;
    } catch (const Error& error) {
      fail(name, ": object of class `", object->class_name, "`: ", error.what());
    }
  };
}

}  // namespace structured::program
