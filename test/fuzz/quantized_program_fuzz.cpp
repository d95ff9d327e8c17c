// Programs with quantized layers, which loading fuses. Each byte chooses an operator, an argument or the results of a
// node: nearly all inputs are programs that the reader accepts. The operators have the signatures of ours and compute
// nothing, except for the preparation of weights, which loading runs. A program is loaded or refused with an error that
// names the file.
#include <structured/base/error.h>
#include <structured/program/saved_program.h>
#include <structured/quantized/find_operator.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "../unit/runtime/program/archive.h"

namespace structured::test {
namespace {

using Kind = Value::Kind;

constexpr ParameterData tensor(std::string_view name) { return {name, Kind::tensor}; }
constexpr ParameterData optional_tensor(std::string_view name) {
  return {name, Kind::tensor, true, false, false, false, 0, no_value};
}
constexpr ParameterData written_tensor(std::string_view name) { return {name, Kind::tensor, false, true, true}; }
constexpr ParameterData integer(std::string_view name) { return {name, Kind::integer}; }
constexpr ParameterData real(std::string_view name) { return {name, Kind::floating}; }
constexpr ParameterData list(std::string_view name) { return {name, Kind::int_list}; }
constexpr ParameterData dtype(std::string_view name) { return {name, Kind::scalar_type}; }
constexpr ParameterData optional_dtype(std::string_view name) {
  return {name, Kind::scalar_type, true, false, false, true, 0, no_value};
}
template <int number>
constexpr ParameterData scalar(std::string_view name) {
  return {name, Kind::scalar, false, false, false, false, 0, [] { return Value(Scalar(number)); }};
}
constexpr ParameterData result = tensor("");
constexpr ParameterData written_result = {"", Kind::tensor, false, true, true};

constexpr ParameterData kDequantize[] = {
    tensor("input"),      real("scale"),  integer("zero_point"),       integer("quant_min"),
    integer("quant_max"), dtype("dtype"), optional_dtype("out_dtype"), result};
constexpr ParameterData kDequantizeChannels[] = {
    tensor("input"),      tensor("scales"), optional_tensor("zero_points"), integer("axis"), integer("quant_min"),
    integer("quant_max"), dtype("dtype"),   optional_dtype("out_dtype"),    result};
constexpr ParameterData kQuantize[] = {
    tensor("input"), real("scale"), integer("zero_point"), integer("quant_min"), integer("quant_max"),
    dtype("dtype"),  result};
constexpr ParameterData kLinear[] = {tensor("input"), tensor("weight"), optional_tensor("bias"), result};
constexpr ParameterData kAddmm[] = {tensor("self"),    tensor("mat1"),     tensor("mat2"),
                                    scalar<1>("beta"), scalar<1>("alpha"), result};
constexpr ParameterData kConv2d[] = {tensor("input"), tensor("weight"), optional_tensor("bias"), list("stride"),
                                     list("padding"), list("dilation"), integer("groups"),       result};
constexpr ParameterData kConvolution[] = {tensor("input"),
                                          tensor("weight"),
                                          optional_tensor("bias"),
                                          list("stride"),
                                          list("padding"),
                                          list("dilation"),
                                          {"transposed", Kind::boolean},
                                          list("output_padding"),
                                          integer("groups"),
                                          result};
constexpr ParameterData kUnary[] = {tensor("self"), result};
constexpr ParameterData kUnaryInPlace[] = {written_tensor("self"), written_result};
constexpr ParameterData kHardtanh[] = {tensor("self"), scalar<-1>("min_val"), scalar<1>("max_val"), result};
constexpr ParameterData kAdd[] = {tensor("self"), tensor("other"), scalar<1>("alpha"), result};
constexpr ParameterData kAddInPlace[] = {written_tensor("self"), tensor("other"), scalar<1>("alpha"), written_result};
constexpr ParameterData kMaxPool[] = {tensor("self"),   list("kernel_size"),          list("stride"), list("padding"),
                                      list("dilation"), {"ceil_mode", Kind::boolean}, result};
constexpr ParameterData kSized[] = {tensor("self"), list("size"), result};
constexpr ParameterData kPermute[] = {tensor("self"), list("dims"), result};
constexpr ParameterData kContiguous[] = {tensor("self"), {"memory_format", Kind::memory_format}, result};
constexpr ParameterData kClamp[] = {tensor("self"), scalar<0>("min"), scalar<1>("max"), result};
constexpr ParameterData kNothing[] = {result};

void compute_nothing(Stack&) { fail("not computed"); }

template <std::size_t N>
constexpr OperatorHandle handle(std::string_view name, const ParameterData (&parameters)[N]) {
  return {name, nullptr, compute_nothing, nullptr, {parameters, N - 1, 1}};
}
constexpr OperatorHandle kOperators[] = {
    handle("quantized_decomposed::dequantize_per_tensor", kDequantize),
    handle("quantized_decomposed::quantize_per_tensor", kQuantize),
    handle("quantized_decomposed::dequantize_per_channel", kDequantizeChannels),
    handle("aten::linear", kLinear),
    handle("aten::conv2d", kConv2d),
    handle("aten::relu", kUnary),
    handle("aten::add.Tensor", kAdd),
    handle("aten::hardtanh", kHardtanh),
    handle("aten::addmm", kAddmm),
    handle("aten::t", kUnary),
    handle("aten::permute", kPermute),
    handle("aten::convolution", kConvolution),
    handle("aten::relu_", kUnaryInPlace),
    handle("aten::add_.Tensor", kAddInPlace),
    handle("aten::max_pool2d", kMaxPool),
    handle("aten::view", kSized),
    handle("aten::rand", kNothing),
    // Not called by nodes: the choice of an operator stops before them.
    handle("aten::contiguous", kContiguous),
    handle("aten::clamp", kClamp),
};
constexpr std::size_t kChosenOperators = std::size(kOperators) - 2;

const OperatorHandle* find_stub(std::string_view name) {
  for (const OperatorHandle& op : kOperators) {
    if (op.name == name) return &op;
  }
  return nullptr;
}

/// A program made of bytes. Bytes after the last one are 0.
class Maker {
 public:
  Maker(const uint8_t* bytes, std::size_t size) : bytes_(bytes), size_(size) {
    writer_.input("x", kByte, {1, 2});
    writer_.input("y", kChar, {1, 2, 1, 1});
    writer_.state("parameter", "w", "w", full({3, 2}, 2, kChar));
    writer_.state("parameter", "k", "k", full({3, 2, 1, 1}, 3, kChar));
    writer_.state("parameter", "s", "s", full({3}, 0.5, kDouble));
    writer_.state("parameter", "z", "z", full({3}, 0, kLong));
    writer_.state("parameter", "b", "b", full({3}, 1.5, kFloat));
    values_ = {"x", "y", "w", "k", "s", "z", "b"};
  }

  std::string program() {
    constexpr std::size_t most_nodes = 40;
    for (std::size_t i = 0; i < most_nodes && size_ > 0; ++i) add_node();
    for (std::size_t i = next() % 2; i < 2; ++i) writer_.output(as_tensor(value()));
    return writer_.bytes();
  }

 private:
  uint8_t next() {
    if (size_ == 0) return 0;
    --size_;
    return *bytes_++;
  }
  template <class T, std::size_t N>
  T one_of(const T (&choices)[N]) {
    return choices[next() % N];
  }
  /// Counted from the last one.
  const std::string& value() { return values_[values_.size() - 1 - next() % values_.size()]; }
  int64_t number() { return one_of<int64_t>({0, 1, 2, -1, 127, -128, 255, 110, INT64_MAX, INT64_MIN, 3, 256}); }
  double fraction() {
    return one_of<double>({0.04, 0.5, 1, 0, -1, 1e-320, 1e300, 1e-40, 1e39, HUGE_VAL, -HUGE_VAL, 6});
  }

  Json argument(const ParameterData& parameter) {
    switch (parameter.kind) {
      case Kind::tensor:
        return as_tensor(value());
      case Kind::integer:
        return as_int(number());
      case Kind::floating:
        return {{"as_float", fraction()}};
      case Kind::scalar:
        return next() % 2 == 0 ? as_int(number()) : Json{{"as_float", fraction()}};
      case Kind::boolean:
        return {{"as_bool", next() % 2 == 1}};
      case Kind::scalar_type:
        return {{"as_scalar_type", one_of({1, 2, 7, 5})}};
      default: {
        Json numbers = Json::array();
        for (int i = next() % 4; i < 3; ++i) numbers.push_back(number());
        return {{"as_ints", numbers}};
      }
    }
  }

  void add_node() {
    const OperatorHandle& op = kOperators[next() % kChosenOperators];
    std::vector<std::pair<std::string, Json>> arguments;
    for (std::size_t i = 0; i < op.parameters.arguments; ++i) {
      const ParameterData& parameter = op.parameters.first[i];
      if (parameter.default_value != nullptr && next() % 2 == 0) continue;
      arguments.emplace_back(std::string(parameter.name), argument(parameter));
    }
    std::vector<Json> results;
    if (next() % 8 != 7) {
      values_.push_back("v" + std::to_string(values_.size()));
      results.push_back(as_tensor(values_.back()));
    }
    std::string target = "torch.ops." + std::string(op.name);
    target.replace(target.find("::"), 2, ".");
    if (target.find('.', target.rfind("ops.") + 4) == target.rfind('.')) target += ".default";
    writer_.node(target, arguments, results);
  }

  const uint8_t* bytes_;
  std::size_t size_;
  ProgramWriter writer_;
  std::vector<std::string> values_;
};

}  // namespace
}  // namespace structured::test

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  try {
    structured::SavedProgram::load_bytes(structured::test::Maker(data, size).program(),
                                         {&structured::test::find_stub, &structured::quantized::find_operator}, "",
                                         "file");
  } catch (const structured::InternalError&) {
    __builtin_trap();
  } catch (const structured::Error& error) {
    if (!std::string_view(error.what()).starts_with("file: ")) __builtin_trap();
  }
  return 0;
}
