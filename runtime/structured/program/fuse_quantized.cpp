#include "structured/program/fuse_quantized.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "structured/core/factory.h"
#include "structured/program/effects.h"

namespace structured::program {
namespace {

constexpr std::size_t kNone = SIZE_MAX;
constexpr std::string_view kDequantize = "quantized_decomposed::dequantize_per_tensor";
constexpr std::string_view kDequantizeChannels = "quantized_decomposed::dequantize_per_channel";
constexpr std::string_view kQuantize = "quantized_decomposed::quantize_per_tensor";

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_none(const Operand& operand) { return operand.is_constant() && operand.constant.is(Value::Kind::none); }

std::optional<double> number(const Operand& operand) {
  if (!operand.is_constant()) return std::nullopt;
  const Value& value = operand.constant;
  if (value.is(Value::Kind::integer)) return static_cast<double>(value.to_int());
  if (value.is(Value::Kind::floating)) return value.to_double();
  if (value.is(Value::Kind::scalar)) return value.to_scalar().to<double>();
  return std::nullopt;
}
bool equals(const Operand& operand, double expected) { return number(operand) == expected; }
std::optional<int64_t> integer(const Operand& operand) {
  if (!operand.is_constant() || !operand.constant.is(Value::Kind::integer)) return std::nullopt;
  return operand.constant.to_int();
}
/// Whether this scale and its inverse are positive numbers of type float.
bool is_usable_scale(double scale) { return scale >= 1 / double{FLT_MAX} && scale <= 1 / double{FLT_MIN}; }

/// Integers of a list of constants; empty for another operand. A list of one element stands for two.
std::vector<int64_t> pair(const Operand& operand) {
  if (!operand.is_constant()) return {};
  if (operand.constant.is(Value::Kind::integer)) return {operand.constant.to_int(), operand.constant.to_int()};
  if (!operand.constant.is(Value::Kind::int_list)) return {};
  const IntArrayRef list = operand.constant.to_int_list();
  std::vector<int64_t> result(list.begin(), list.end());
  if (result.size() == 1) result.push_back(result[0]);
  return result;
}

/// Scale, zero point, bounds and dtype of integers, which `quantize_per_tensor` and `dequantize_per_tensor` have as
/// arguments after the tensor.
struct Parameters {
  double scale = 0;
  int64_t zero_point = 0;
  int64_t low = 0;
  int64_t high = 0;
  ScalarType dtype = kByte;

  bool operator==(const Parameters&) const = default;

  /// None unless all are constants that fit the dtype, which is Byte or Char.
  static std::optional<Parameters> of(const Instruction& instruction) {
    const std::vector<Operand>& operands = instruction.operands;
    if (!operands[5].is_constant() || !operands[5].constant.is(Value::Kind::scalar_type)) return std::nullopt;
    const std::optional<double> scale = number(operands[1]);
    const std::optional<int64_t> zero_point = integer(operands[2]), low = integer(operands[3]),
                                 high = integer(operands[4]);
    if (!scale || !is_usable_scale(*scale) || !zero_point || !low || !high) return std::nullopt;
    Parameters result{*scale, *zero_point, *low, *high, operands[5].constant.to_scalar_type()};
    const bool is_byte = result.dtype == kByte && result.low >= 0 && result.high <= 255;
    const bool is_char = result.dtype == kChar && result.low >= -128 && result.high <= 127;
    if ((!is_byte && !is_char) || result.zero_point < result.low || result.zero_point > result.high) {
      return std::nullopt;
    }
    return result;
  }
};

/// Integers that an operand of a layer dequantizes.
struct Integers {
  Slot slot;
  Parameters parameters;
};

/// A weight of dtype Char, with scales and zero points for its rows.
struct Weight {
  Slot slot;
  Operand scales;
  Operand zero_points;
};

/// Instructions after a layer that it takes over: an activation, and the quantization of its result.
struct Rest {
  std::size_t activation = kNone;
  std::size_t quantize = kNone;
  Parameters parameters;  ///< with the bounds of the activation
};

/// Bounds of relu and hardtanh, which commute with quantization.
struct Bounds {
  double least = -HUGE_VAL;
  double most = HUGE_VAL;

  static std::optional<Bounds> of(const Instruction& instruction) {
    if (is_one_of(instruction.target, {"aten::relu", "aten::relu_"})) return Bounds{0, HUGE_VAL};
    if (!is_one_of(instruction.target, {"aten::hardtanh", "aten::hardtanh_"})) return std::nullopt;
    const std::optional<double> least = number(instruction.operands[1]), most = number(instruction.operands[2]);
    if (!least || !most || !(*least <= *most)) return std::nullopt;
    return Bounds{*least, *most};
  }

  void apply(Parameters& parameters) const {
    const auto quantized = [&, p = parameters](double value) {
      const float rounded = std::nearbyint(static_cast<float>(value) * static_cast<float>(1 / p.scale));
      const float bounded =
          std::clamp(rounded + static_cast<float>(p.zero_point), static_cast<float>(p.low), static_cast<float>(p.high));
      return static_cast<int64_t>(bounded);
    };
    parameters.low = quantized(least);
    parameters.high = quantized(most);
  }
};

class Fuser {
 public:
  Fuser(Graph& graph, const OperatorLookups& libraries) : graph_(graph), libraries_(libraries), written_(graph) {}

  void fuse() {
    count_readers();
    const std::size_t count = graph_.instructions.size();
    replacements_.resize(count);
    is_taken_.assign(count, false);
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_taken_[i] && has_result(i)) is_taken_[i] = fuse_layer(i) || fuse_sum(i) || fuse_movement(i);
    }
    std::vector<Instruction> result;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_taken_[i]) result.push_back(std::move(graph_.instructions[i]));
      std::move(replacements_[i].begin(), replacements_[i].end(), std::back_inserter(result));
    }
    graph_.instructions = std::move(result);
  }

 private:
  // ---------------------------------------------------------------------------------------- structure of the program

  void count_readers() {
    maker_.assign(graph_.slot_count, kNone);
    readers_.assign(graph_.slot_count, {});
    other_readers_.assign(graph_.slot_count, false);
    strided_.assign(graph_.slot_count, kNone);
    const auto note_other = [&](const Operand& operand) {
      operand.for_each([&](const Operand& part) {
        if (part.is_slot()) other_readers_[part.slot] = true;
      });
    };
    for (const Operand& output : graph_.outputs) note_other(output);
    for (const Mutation& mutation : graph_.mutations) {
      note_other(mutation.source);
      other_readers_[mutation.destination] = true;
    }
    for (std::size_t i = 0; i < graph_.instructions.size(); ++i) {
      const Instruction& instruction = graph_.instructions[i];
      for (const Slot slot : instruction.results) maker_[slot] = i;
      for (const Operand& operand : instruction.operands) {
        operand.for_each([&](const Operand& part) {
          if (part.is_slot()) readers_[part.slot].push_back(i);
        });
      }
    }
  }

  const Instruction* maker(const Operand& operand) const {
    if (!operand.is_slot() || maker_[operand.slot] == kNone) return nullptr;
    return &graph_.instructions[maker_[operand.slot]];
  }
  /// The only reader of a slot, or kNone.
  std::size_t only_reader(Slot slot) const {
    return readers_[slot].size() == 1 && !other_readers_[slot] ? readers_[slot][0] : kNone;
  }

  /// Whether the file names the result of an instruction that makes one tensor.
  bool has_result(std::size_t index) const { return graph_.instructions[index].results.size() == 1; }

  const OperatorHandle* find(std::string_view name) const {
    for (const OperatorLookup library : libraries_) {
      if (const OperatorHandle* const op = library(name)) return op;
    }
    return nullptr;
  }

  /// Integers that `reader` can read in place of its operand, whose value has not changed.
  std::optional<Integers> integers_of(const Operand& operand, std::size_t reader) const {
    const Instruction* const instruction = maker(operand);
    if (instruction == nullptr || instruction->target != kDequantize || !instruction->operands[0].is_slot()) {
      return std::nullopt;
    }
    const Operand& dtype = instruction->operands[6];
    const bool is_float = is_none(dtype) || (dtype.is_constant() && dtype.constant.to_scalar_type() == kFloat);
    const std::optional<Parameters> parameters = Parameters::of(*instruction);
    const Slot slot = instruction->operands[0].slot;
    if (!is_float || !parameters || written_.contains(slot)) return std::nullopt;
    if (written_.contains(operand.slot) && only_reader(operand.slot) != reader) return std::nullopt;
    return Integers{slot, *parameters};
  }

  const Tensor* state_of(Slot slot) const {
    for (std::size_t i = 0; i < graph_.states.size(); ++i) {
      if (graph_.state_slots[i] == slot) return &graph_.states[i].tensor;
    }
    return nullptr;
  }

  /// A weight whose rows are short enough for sums of 32 bits.
  std::optional<Weight> weight_of(const Operand& operand, int64_t dims) const {
    const Instruction* const instruction = maker(operand);
    if (instruction == nullptr || !is_one_of(instruction->target, {kDequantize, kDequantizeChannels}) ||
        !instruction->operands[0].is_slot()) {
      return std::nullopt;
    }
    const Slot slot = instruction->operands[0].slot;
    const Tensor* const tensor = state_of(slot);
    constexpr int64_t most = INT32_MAX / (255 * 255);
    if (tensor == nullptr || tensor->dtype() != kChar || tensor->dim() != dims || tensor->numel() == 0 ||
        tensor->numel() / tensor->size(0) > most || written_.contains(slot) || written_.contains(operand.slot)) {
      return std::nullopt;
    }
    if (instruction->target == kDequantizeChannels && equals(instruction->operands[3], 0)) {
      return Weight{slot, instruction->operands[1], instruction->operands[2]};
    }
    if (instruction->target != kDequantize) return std::nullopt;
    const std::optional<Parameters> parameters = Parameters::of(*instruction);
    if (!parameters) return std::nullopt;
    return Weight{slot, Operand::of(full({tensor->size(0)}, parameters->scale, kDouble)),
                  Operand::of(full({tensor->size(0)}, parameters->zero_point, kLong))};
  }

  /// Instructions after the layer with this result that belong to it.
  Rest rest_of(Slot result) const {
    Rest rest;
    std::size_t reader = only_reader(result);
    std::optional<Bounds> bounds;
    if (reader != kNone && has_result(reader) && (bounds = Bounds::of(graph_.instructions[reader]))) {
      rest.activation = reader;
      reader = only_reader(graph_.instructions[reader].results[0]);
    }
    if (reader != kNone && graph_.instructions[reader].target == kQuantize && has_result(reader)) {
      if (const std::optional<Parameters> parameters = Parameters::of(graph_.instructions[reader])) {
        rest.quantize = reader;
        rest.parameters = *parameters;
        if (bounds) bounds->apply(rest.parameters);
      }
    }
    return rest;
  }

  // ------------------------------------------------------------------------------------------------------ instructions

  void emit(std::size_t index, const OperatorHandle* op, std::vector<Operand> operands, Slot result) {
    Instruction& instruction = replacements_[index].emplace_back();
    instruction.name = graph_.instructions[index].name;
    instruction.target = op->name;
    instruction.op = op;
    instruction.operands = std::move(operands);
    instruction.results = {result};
  }

  Slot new_slot() {
    strided_.push_back(kNone);
    return graph_.new_slot();
  }

  /// Emits an operator whose result is channels-last where that is faster. Integer operators read it as it is, and
  /// others a contiguous copy, which planning removes if there are none.
  void emit_strided(std::size_t index, const OperatorHandle* op, std::vector<Operand> operands, Slot result) {
    const OperatorHandle* const contiguous = find("aten::contiguous");
    if (contiguous == nullptr) return emit(index, op, std::move(operands), result);
    const Slot any_format = new_slot();
    strided_[result] = any_format;
    emit(index, op, std::move(operands), any_format);
    emit(index, contiguous, {Operand::of_slot(any_format), Operand::of(MemoryFormat::Contiguous)}, result);
  }
  /// Emits an operator whose result has the memory format of `operand`.
  void emit_like(std::size_t index, const OperatorHandle* op, std::vector<Operand> operands, Slot result,
                 Slot operand) {
    if (is_strided(operand)) return emit_strided(index, op, std::move(operands), result);
    emit(index, op, std::move(operands), result);
  }
  bool is_strided(Slot slot) const { return strided_[slot] != kNone; }
  Operand strided(Slot slot) const {
    return Operand::of_slot(is_strided(slot) ? static_cast<Slot>(strided_[slot]) : slot);
  }

  // ------------------------------------------------------------------------------------------------------------ layers

  /// Operands of a layer, by their position in the operator's schema.
  struct Layer {
    bool is_convolution = false;
    std::size_t input = 0;
    Operand weight;
    std::size_t bias = 2;
    std::vector<Value> geometry;  ///< stride, padding, dilation and groups of a convolution
  };
  std::optional<Layer> layer_of(const Instruction& instruction) const {
    const std::vector<Operand>& operands = instruction.operands;
    Layer layer;
    if (instruction.target == "aten::linear") {
      layer.weight = operands[1];
      return layer;
    }
    if (instruction.target == "aten::addmm") {
      const Instruction* const transposed = maker(operands[2]);
      if (transposed == nullptr || !equals(operands[3], 1) || !equals(operands[4], 1)) return std::nullopt;
      const bool swaps =
          transposed->target == "aten::t" ||
          (transposed->target == "aten::permute" && pair(transposed->operands[1]) == std::vector<int64_t>{1, 0});
      if (!swaps) return std::nullopt;
      layer.input = 1;
      layer.weight = transposed->operands[0];
      layer.bias = 0;
      return layer;
    }
    const bool is_general = instruction.target == "aten::convolution";
    if (!is_general && instruction.target != "aten::conv2d") return std::nullopt;
    if (is_general && !(operands[6].is_constant() && !operands[6].constant.to_bool())) return std::nullopt;
    layer.is_convolution = true;
    layer.weight = operands[1];
    for (const std::size_t i : {3, 4, 5}) {
      const std::vector<int64_t> values = pair(operands[i]);
      if (values.size() != 2) return std::nullopt;
      layer.geometry.emplace_back(values);
    }
    const Operand& groups = operands[is_general ? 8 : 6];
    if (!number(groups)) return std::nullopt;
    layer.geometry.push_back(groups.constant);
    return layer;
  }

  bool fuse_layer(std::size_t index) {
    const Instruction& instruction = graph_.instructions[index];
    const std::optional<Layer> layer = layer_of(instruction);
    if (!layer) return false;
    const std::optional<Integers> input = integers_of(instruction.operands[layer->input], index);
    const std::optional<Weight> weight = weight_of(layer->weight, layer->is_convolution ? 4 : 2);
    const std::string kind = layer->is_convolution ? "conv2d" : "linear";
    const OperatorHandle* const pack = find("quantized::integer_" + kind + "_prepack");
    const OperatorHandle* const op = find("quantized::integer_" + kind);
    if (!input || !weight || pack == nullptr || op == nullptr) return false;
    const Rest rest = rest_of(instruction.results[0]);
    const Slot packed = new_slot();
    std::vector<Operand> operands = {Operand::of_slot(weight->slot), weight->scales, weight->zero_points,
                                     instruction.operands[layer->bias]};
    for (const Value& value : layer->geometry) operands.push_back(Operand::of(value));
    emit(index, pack, std::move(operands), packed);
    const Parameters& in = input->parameters;
    operands = {strided(input->slot), Operand::of_slot(packed), Operand::of(in.scale), Operand::of(in.zero_point)};
    append_result(operands, rest);
    const Slot result = rest.quantize == kNone ? instruction.results[0] : take(rest);
    if (layer->is_convolution) {
      emit_strided(index, op, std::move(operands), result);
    } else {
      emit(index, op, std::move(operands), result);
    }
    return true;
  }

  /// Appends scale, zero point, bounds and dtype of the result.
  void append_result(std::vector<Operand>& operands, const Rest& rest) const {
    if (rest.quantize == kNone) {
      for (const Value& value : {Value(1.0), Value(0), Value(0), Value(0), Value(kFloat)}) {
        operands.push_back(Operand::of(value));
      }
      return;
    }
    const Parameters& out = rest.parameters;
    for (const Value& value :
         {Value(out.scale), Value(out.zero_point), Value(out.low), Value(out.high), Value(out.dtype)}) {
      operands.push_back(Operand::of(value));
    }
  }

  /// Leaves out the instructions that a layer takes over. Returns the slot of their result.
  Slot take(const Rest& rest) {
    if (rest.activation != kNone) is_taken_[rest.activation] = true;
    is_taken_[rest.quantize] = true;
    return graph_.instructions[rest.quantize].results[0];
  }

  bool fuse_sum(std::size_t index) {
    const Instruction& instruction = graph_.instructions[index];
    const std::vector<Operand>& operands = instruction.operands;
    if (!is_one_of(instruction.target, {"aten::add.Tensor", "aten::add_.Tensor"}) || !equals(operands[2], 1))
      return false;
    const std::optional<Integers> a = integers_of(operands[0], index), b = integers_of(operands[1], index);
    const OperatorHandle* const op = find("quantized::integer_add");
    if (!a || !b || op == nullptr) return false;
    const Rest rest = rest_of(instruction.results[0]);
    if (rest.quantize == kNone || a->parameters.dtype != rest.parameters.dtype ||
        b->parameters.dtype != rest.parameters.dtype) {
      return false;
    }
    std::vector<Operand> arguments = {strided(a->slot), strided(b->slot)};
    for (const Integers& part : {*a, *b}) {
      arguments.push_back(Operand::of(part.parameters.scale));
      arguments.push_back(Operand::of(part.parameters.zero_point));
    }
    append_result(arguments, rest);
    emit_like(index, op, std::move(arguments), take(rest), a->slot);
    return true;
  }

  /// Operators that move or select elements, and relu, between equal parameters, work on the integers.
  bool fuse_movement(std::size_t index) {
    const Instruction& instruction = graph_.instructions[index];
    const bool is_pool = instruction.target == "aten::max_pool2d";
    const bool is_relu = is_one_of(instruction.target, {"aten::relu", "aten::relu_"});
    const bool is_view = is_one_of(instruction.target, {"aten::flatten.using_ints", "aten::permute", "aten::reshape",
                                                        "aten::transpose.int", "aten::unsqueeze", "aten::view"});
    const OperatorHandle* const clamp = is_relu ? find("aten::clamp") : nullptr;
    if (!is_pool && !is_view && clamp == nullptr) return false;
    const std::optional<Integers> input = integers_of(instruction.operands[0], index);
    const std::size_t reader = only_reader(instruction.results[0]);
    if (!input || reader == kNone || graph_.instructions[reader].target != kQuantize || !has_result(reader)) {
      return false;
    }
    if (Parameters::of(graph_.instructions[reader]) != input->parameters) return false;
    const Slot result = graph_.instructions[reader].results[0];
    is_taken_[reader] = true;
    std::vector<Operand> operands = instruction.operands;
    operands[0] = Operand::of_slot(input->slot);
    if (is_view) {
      emit(index, instruction.op, std::move(operands), result);
      return true;
    }
    operands[0] = strided(input->slot);
    if (is_relu) operands = {operands[0], Operand::of(Scalar(input->parameters.zero_point)), Operand::of(Value())};
    emit_like(index, is_relu ? clamp : instruction.op, std::move(operands), result, input->slot);
    return true;
  }

  Graph& graph_;
  const OperatorLookups& libraries_;
  const WrittenMemory written_;
  std::vector<std::vector<Instruction>> replacements_;  // by instruction
  std::vector<bool> is_taken_;                     // by instruction: its replacement, or that of another one, is used
  std::vector<std::size_t> maker_;                 // by slot: instruction
  std::vector<std::vector<std::size_t>> readers_;  // by slot: instructions
  std::vector<bool> other_readers_;                // by slot: an output or a mutation
  std::vector<std::size_t> strided_;               // by slot: slot of the value in another memory format, or kNone
};

}  // namespace

void fuse_quantized(Graph& graph, const OperatorLookups& libraries) {
  bool is_quantized = false, has_branches = false;
  for (const Instruction& instruction : graph.instructions) {
    is_quantized |= instruction.target == kDequantize;
    has_branches |= instruction.branches != nullptr;  // whose readers would have to be found
  }
  if (is_quantized && !has_branches) Fuser(graph, libraries).fuse();
}

}  // namespace structured::program
