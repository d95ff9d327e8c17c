#include "structured/program/frame.h"

#include <memory>
#include <optional>
#include <utility>

#include "structured/base/error.h"
#include "structured/program/parts.h"
#include "structured/program/primitive.h"

namespace structured::program {
namespace {

/// A result of an operator. Operators return numbers as scalars; the lists of sizes that numbers go into hold integers.
Value number_of(Value value) {
  if (!value.is(Value::Kind::scalar)) return value;
  const Scalar& scalar = value.to_scalar();
  if (scalar.is_boolean()) return scalar.to<bool>();
  if (scalar.is_integral(false)) return scalar.to<int64_t>();
  if (scalar.is_floating()) return scalar.to<double>();
  return value;
}

}  // namespace

Value Frame::evaluate(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::constant:
      return operand.constant;
    case Operand::Kind::slot:
      return values_[operand.slot];
    case Operand::Kind::list:
      break;
  }
  return evaluate_list(operand);
}

Value Frame::evaluate_list(const Operand& operand) {
  const std::vector<Operand>& elements = operand.elements;
  switch (operand.list_type) {
    case Value::Kind::tensor_list: {
      tensors_.clear();
      for (const Operand& element : elements) tensors_.push_back(evaluate(element).to_tensor());
      Value list(tensors_);
      tensors_.clear();
      return list;
    }
    case Value::Kind::optional_tensor_list: {
      optional_tensors_.clear();
      for (const Operand& element : elements) {
        const Value value = evaluate(element);
        optional_tensors_.push_back(value.is(Value::Kind::none) ? std::nullopt : std::optional(value.to_tensor()));
      }
      Value list(optional_tensors_);
      optional_tensors_.clear();
      return list;
    }
    case Value::Kind::int_list: {
      integers_.clear();
      for (const Operand& element : elements) integers_.push_back(evaluate(element).to_int());
      return integers_;
    }
    case Value::Kind::double_list: {
      doubles_.clear();
      for (const Operand& element : elements) doubles_.push_back(evaluate(element).to_double());
      return doubles_;
    }
    default: {
      const auto list = std::make_unique<bool[]>(elements.size() + 1);
      for (std::size_t i = 0; i < elements.size(); ++i) list[i] = evaluate(elements[i]).to_bool();
      return ArrayRef<bool>(list.get(), elements.size());
    }
  }
}

void Frame::run(const Instruction& instruction) {
  try {
    if (instruction.op != nullptr) {
      call_operator(instruction);
    } else if (instruction.primitive != nullptr) {
      call_primitive(instruction);
    } else {
      choose(instruction);
    }
  } catch (const InternalError&) {
    throw;
  } catch (const Error& error) {
    stack_.clear();
    tensors_.clear();
    optional_tensors_.clear();
    fail("node `", instruction.name, "` (", instruction.target, "): ", error.what());
  }
  for (const Slot slot : instruction.released) values_[slot] = Value();
}

void Frame::call_operator(const Instruction& instruction) {
  stack_.clear();
  for (const Operand& operand : instruction.operands) stack_.push_back(evaluate(operand));
  if (instruction.part != nullptr && make_parts(instruction)) return;
  instruction.op->call(stack_);
  const std::vector<Slot>& results = instruction.results;
  if (instruction.unpacks_list) {
    STRUCTURED_CHECK(stack_.size() == 1, "expected one result, got ", stack_.size());
    const auto unpack = [&](const auto& list) {
      STRUCTURED_CHECK(list.size() == results.size(), "expected a list of ", results.size(), " tensors as result, got ",
                       list.size());
      for (std::size_t i = 0; i < results.size(); ++i) values_[results[i]] = list[i];
    };
    if (stack_[0].is(Value::Kind::optional_tensor_list)) {
      unpack(stack_[0].to_optional_tensor_list());
    } else {
      unpack(stack_[0].to_tensor_list());
    }
  } else {
    STRUCTURED_CHECK(stack_.size() >= results.size(), "expected ", results.size(), " results, got ", stack_.size());
    for (std::size_t i = 0; i < results.size(); ++i) values_[results[i]] = number_of(std::move(stack_[i]));
  }
  stack_.clear();  // lists do not outlive the run
}

// Makes a list of views without the list. Returns false if the operator itself is to check the arguments.
bool Frame::make_parts(const Instruction& instruction) {
  const std::vector<Slot>& results = instruction.results;
  if (!find_boundaries(instruction.division, stack_, results.size(), integers_)) return false;
  const Value self = std::move(stack_[0]), dim = std::move(stack_.back());
  for (std::size_t i = 0; i < results.size(); ++i) {
    stack_.clear();
    stack_.insert(stack_.end(), {self, dim, integers_[i]});
    if (instruction.division != Division::positions) stack_.insert(stack_.end(), {integers_[i + 1], 1});
    instruction.part->call(stack_);
    values_[results[i]] = std::move(stack_[0]);
  }
  stack_.clear();
  return true;
}

void Frame::call_primitive(const Instruction& instruction) {
  stack_.clear();
  for (const Operand& operand : instruction.operands) stack_.push_back(evaluate(operand));
  Value result = instruction.primitive->run(stack_);
  if (!instruction.results.empty()) values_[instruction.results[0]] = std::move(result);
}

void Frame::choose(const Instruction& instruction) {
  const Branches& branches = *instruction.branches;
  const Branches::Branch& branch = truth(evaluate(instruction.operands[0])) ? branches.when_true : branches.when_false;
  for (const Instruction& step : branch.instructions) run(step);
  for (std::size_t i = 0; i < instruction.results.size(); ++i) {
    values_[instruction.results[i]] = evaluate(branch.outputs[i]);
  }
}

}  // namespace structured::program
