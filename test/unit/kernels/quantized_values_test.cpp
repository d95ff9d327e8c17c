// Operators of quantized tensors, compared with results of PyTorch 1.13.1 that quantized/record.py has written.
#include <gtest/gtest.h>
#include <structured/core/factory.h>
#include <structured/core/quantizer.h>
#include <structured/dispatch/signature.h>
#include <structured/find_operator.h>
#include <structured/ops/_make_per_channel_quantized_tensor.h>
#include <structured/ops/_make_per_tensor_quantized_tensor.h>
#include <structured/ops/clone.h>
#include <structured/ops/int_repr.h>
#include <structured/quantized/find_operator.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace structured::test::quantized_values_test {
namespace {

using Json = nlohmann::json;

const OperatorHandle& operator_named(const std::string& name) {
  const OperatorHandle* op = find_operator(name);
  if (op == nullptr) op = quantized::find_operator(name);
  STRUCTURED_CHECK(op != nullptr, "no operator `", name, "`");
  return *op;
}

ScalarType dtype_named(const std::string& name) {
  for (const ScalarType type : kScalarTypes) {
    if (to_string(type) == name) return type;
  }
  fail("no dtype `", name, "`");
}

template <class T>
Tensor tensor_of(const Json& json, const std::vector<int64_t>& sizes) {
  const auto elements = json.at("data").get<std::vector<T>>();
  const Tensor result = empty(sizes, scalar_type_of<T>);
  std::copy(elements.begin(), elements.end(), result.data_ptr<T>());
  return result;
}

Tensor to_tensor(const Json& json) {
  const auto sizes = json.at("sizes").get<std::vector<int64_t>>();
  const ScalarType dtype = dtype_named(json.at("dtype"));
  Tensor result;
  if (dtype == kByte || dtype == kQUInt8) {
    result = tensor_of<uint8_t>(json, sizes);
  } else if (dtype == kChar || dtype == kQInt8) {
    result = tensor_of<int8_t>(json, sizes);
  } else if (dtype == kInt || dtype == kQInt32) {
    result = tensor_of<int32_t>(json, sizes);
  } else if (dtype == kLong) {
    result = tensor_of<int64_t>(json, sizes);
  } else {
    STRUCTURED_CHECK(dtype == kFloat, "unexpected dtype ", dtype);
    result = tensor_of<float>(json, sizes);
  }
  if (json.contains("scale")) {
    result = _make_per_tensor_quantized_tensor(result, json["scale"], json["zero_point"]);
  } else if (json.contains("scales")) {
    result = _make_per_channel_quantized_tensor(result, tensor<double>(json["scales"].get<std::vector<double>>()),
                                                tensor<int64_t>(json["zero_points"].get<std::vector<int64_t>>()),
                                                json["axis"]);
  }
  return json.contains("channels_last") ? clone(result, MemoryFormat::ChannelsLast) : result;
}

Value call(const Json& json);

Value to_value(const Json& json, Value::Kind kind) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_array()) return json.get<std::vector<int64_t>>();
  if (json.is_number()) {
    if (kind == Value::Kind::floating) return json.get<double>();
    if (kind == Value::Kind::scalar) return Scalar(json.get<double>());
    return json.get<int64_t>();
  }
  if (json.contains("op")) return call(json);
  if (json.contains("scalar_type")) return dtype_named(json["scalar_type"]);
  if (json.contains("tensors")) {
    std::vector<Tensor> tensors;
    for (const Json& each : json["tensors"]) tensors.push_back(to_tensor(each));
    return tensors;
  }
  return to_tensor(json);
}

Value call(const Json& json) {
  const OperatorHandle& op = operator_named(json.at("op"));
  const std::vector<Parameter> parameters = signature_of(op).arguments;
  Stack stack;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Json& arguments = json.at("arguments");
    stack.push_back(i < arguments.size() ? to_value(arguments[i], parameters[i].kind)
                                         : parameters[i].default_value.value_or(Value()));
  }
  op.call(stack);
  return stack.at(0);
}

// The elements in row-major order: integers of quantized tensors.
std::vector<double> elements(const Tensor& tensor) {
  const Tensor plain = clone(tensor.is_quantized() ? int_repr(tensor) : tensor, MemoryFormat::Contiguous);
  std::vector<double> result;
  const auto item = static_cast<int64_t>(plain.element_size());
  for (int64_t i = 0; i < plain.numel(); ++i) {
    result.push_back(load_scalar(static_cast<const char*>(plain.data()) + i * item, plain.dtype()).to<double>());
  }
  return result;
}

TEST(QuantizedValues, EqualThoseOfPyTorch) {
  std::ifstream file(STRUCTURED_QUANTIZED_VALUES);
  const Json calls = Json::parse(file);
  ASSERT_EQ(calls.size(), 126u);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE("call " + std::to_string(i) + " of " + calls[i]["op"].get<std::string>());
    Tensor found;
    const Tensor expected = to_tensor(calls[i]["result"]);
    ASSERT_NO_THROW(found = call(calls[i]).to_tensor());
    EXPECT_EQ(found.dtype(), expected.dtype());
    EXPECT_EQ(found.sizes(), expected.sizes());
    EXPECT_EQ(elements(found), elements(expected));
    if (!expected.is_quantized()) continue;
    EXPECT_TRUE(quantizer_of(found) == quantizer_of(expected));
  }
}

}  // namespace
}  // namespace structured::test::quantized_values_test
