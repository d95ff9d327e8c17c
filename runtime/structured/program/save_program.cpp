#include "structured/program/save_program.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "structured/base/error.h"
#include "structured/dispatch/schema.h"
#include "structured/dispatch/value.h"
#include "structured/format/print.h"
#include "structured/format/zip_writer.h"

namespace structured {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kModel = "model";
constexpr std::string_view kRoot = "program/";
constexpr const char* kNoCounterpart = "` has no counterpart in the file format";

int dtype_number(ScalarType dtype) {
  const schema::Dtype* const row = dtype_row(dtype);
  STRUCTURED_CHECK(row != nullptr && row->exported >= 0, "save_program: `", to_string(dtype), kNoCounterpart);
  return row->exported;
}

int layout_number(Layout layout) {
  constexpr int kStridedNumber = 7;
  STRUCTURED_CHECK(layout == kStrided, "save_program: `", to_string(layout), kNoCounterpart);
  return kStridedNumber;
}

int memory_format_number(MemoryFormat format) {
  constexpr int numbers[] = {
#define STRUCTURED_MEMORY_FORMAT(enumerator, word, exported) exported,
#include "structured/schema/enumerations.def"
  };
  return numbers[static_cast<int>(format)];
}

/// A real number; JSON has no infinities.
Json real(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

Json device(DeviceType type) { return {{"type", type == kMeta ? "cpu" : to_string(type)}, {"index", nullptr}}; }

Json named(const std::string& name) { return {{"name", name}}; }
Json as_tensor(const std::string& name) { return {{"as_tensor", named(name)}}; }

Json int_list(IntArrayRef values) {
  Json result = Json::array();
  for (const int64_t value : values) result.push_back({{"as_int", value}});
  return result;
}

Json tensor_meta(const Tensor& tensor) {
  return {{"dtype", dtype_number(tensor.dtype())},
          {"sizes", int_list(tensor.sizes())},
          {"requires_grad", false},
          {"device", device(tensor.device().type())},
          {"strides", int_list(tensor.strides())},
          {"storage_offset", {{"as_int", tensor.storage_offset()}}},
          {"layout", layout_number(tensor.layout())}};
}

Json scalar(const Scalar& value) {
  if (value.is_boolean()) return {{"as_bool", value.to<bool>()}};
  if (value.is_integral(false)) return {{"as_int", value.to<int64_t>()}};
  if (value.is_floating()) return {{"as_float", real(value.to<double>())}};
  const auto number = value.to<Complex<double>>();
  return {{"as_complex", {{"real", real(number.real())}, {"imag", real(number.imag())}}}};
}

/// `[1, ...]`: the arguments of the program are a tuple of tensors and no keywords.
std::string tree_of(std::size_t leaves, bool is_input) {
  const Json leaf = {{"type", nullptr}, {"context", nullptr}, {"children_spec", Json::array()}};
  Json tuple = {{"type", "builtins.tuple"}, {"context", "null"}, {"children_spec", Json(leaves, leaf)}};
  if (!is_input) return Json{1, leaves == 1 ? leaf : tuple}.dump();
  const Json keywords = {{"type", "builtins.dict"}, {"context", "[]"}, {"children_spec", Json::array()}};
  return Json{1, {{"type", "builtins.tuple"}, {"context", "null"}, {"children_spec", {tuple, keywords}}}}.dump();
}

class ProgramWriter {
 public:
  ProgramWriter(const NamedTensors& inputs, TensorList outputs) : outputs_(outputs) {
    for (const auto& [name, tensor] : inputs) {
      const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      });
      STRUCTURED_CHECK(is_name, "save_program: expected names of letters, digits and `_`, got `", name, "`");
      STRUCTURED_CHECK(taken_.insert(name).second, "save_program: expected different names of inputs, got `", name,
                       "` twice");
      bind(tensor, name);
      input_names_.push_back(name);
    }
  }

  void add(const Program::Call& call) {
    const std::string_view name = call.op->name();
    const std::size_t colons = name.find("::");
    const std::string_view base = name.substr(colons + 2);
    const SchemaText schema = read_schema(call.op->schema());
    Json inputs = Json::array();
    for (std::size_t i = 0; i < schema.arguments.size() && i < call.arguments.size(); ++i) {
      const SchemaArgument& argument = schema.arguments[i];
      // PyTorch takes defaults from its own schema.
      if (call.arguments[i].is(Value::Kind::none) && argument.default_value == "None") continue;
      inputs.push_back({{"name", argument.name},
                        {"arg", value(call.arguments[i], argument, *call.op)},
                        {"kind", argument.is_keyword_only ? 2 : 1}});
    }
    Json outputs = Json::array();
    // A node with one tensor as result has its name; several results are items of the node in PyTorch.
    const bool is_single = call.results.size() == 1 && call.results[0].is(Value::Kind::tensor);
    std::string node = is_single || call.results.empty() ? "" : new_name(stem(base));
    for (const Value& result : call.results) outputs.push_back(this->result(result, base, node, *call.op));
    nodes_.push_back({{"target", "torch.ops." + std::string(name.substr(0, colons)) + "." + std::string(base) +
                                     (base.find('.') == std::string_view::npos ? ".default" : "")},
                      {"inputs", inputs},
                      {"outputs", outputs},
                      {"metadata", Json::object()},
                      {"is_hop_single_tensor_return", nullptr},
                      {"name", node.empty() ? Json() : Json(node)}});
  }

  void write(detail::ZipWriter& zip) {
    const std::string root(kRoot), model(kModel);
    const std::string text = program();
    zip.add(root + "archive_format", "pt2");
    zip.add(root + "archive_version", "0");
    zip.add(root + "byteorder", "little");
    zip.add(root + ".data/version", "6\n");
    zip.add(root + "models/" + model + ".json", text);
    zip.add(root + "data/weights/" + model + "_weights_config.json", Json{{"config", weights_}}.dump());
    zip.add(root + "data/constants/" + model + "_constants_config.json", Json{{"config", Json::object()}}.dump());
    zip.add(root + "data/sample_inputs/" + model + ".pt", "");
    for (std::size_t i = 0; i < storages_.size(); ++i) {
      zip.add(root + "data/weights/weight_" + std::to_string(i),
              {static_cast<const char*>(storages_[i].data()), storages_[i].nbytes()});
    }
  }

 private:
  void bind(const Tensor& tensor, const std::string& name) {
    names_[tensor.impl()] = name;
    tensor_values_[name] = tensor_meta(tensor);
  }

  /// Name of an operator without overload.
  static std::string stem(std::string_view base) { return std::string(base.substr(0, base.find('.'))); }

  std::string new_name(const std::string& base) {
    std::string name = base;
    for (int i = 1; !taken_.insert(name).second; ++i) name = base + "_" + std::to_string(i);
    return name;
  }

  /// Name of a tensor that the program reads. A tensor that is not an input and was not computed becomes a buffer.
  const std::string& name_of(const Tensor& tensor, const OperatorBase& op) {
    const auto known = names_.find(tensor.impl());
    if (known != names_.end()) return known->second;
    STRUCTURED_CHECK(tensor.is_cpu(), "save_program: expected buffers on cpu, got one on ", tensor.device(),
                     " as argument of `", op.name(), "`: Float", tensor.sizes());
    const std::string fqn = "buffer_" + std::to_string(states_.size());
    const std::string name = new_name("b_" + fqn);
    std::size_t storage = 0;
    while (storage < storages_.size() && !storages_[storage].is_same(tensor.storage())) ++storage;
    if (storage == storages_.size()) storages_.push_back(tensor.storage());
    weights_[fqn] = {{"path_name", "weight_" + std::to_string(storage)},
                     {"is_param", false},
                     {"use_pickle", false},
                     {"tensor_meta", tensor_meta(tensor)}};
    states_.emplace_back(name, fqn);
    kept_.push_back(tensor);
    bind(tensor, name);
    return names_[tensor.impl()];
  }

  Json value(const Value& value, const SchemaArgument& argument, const OperatorBase& op) {
    const bool is_real = argument.base == schema::Type::Base::Float;
    switch (value.kind()) {
      case Value::Kind::none:
        return {{"as_none", true}};
      case Value::Kind::tensor: {
        const Tensor& tensor = value.to_tensor();
        if (!tensor.defined()) return {{"as_none", true}};
        if (tensor.is_wrapped_number() && !names_.contains(tensor.impl())) return scalar(tensor.item());
        return as_tensor(name_of(tensor, op));
      }
      case Value::Kind::tensor_list: {
        Json list = Json::array();
        for (const Tensor& tensor : value.to_tensor_list()) list.push_back(named(name_of(tensor, op)));
        return {{"as_tensors", list}};
      }
      case Value::Kind::optional_tensor_list: {
        Json list = Json::array();
        for (const std::optional<Tensor>& tensor : value.to_optional_tensor_list()) {
          list.push_back(tensor && tensor->defined() ? as_tensor(name_of(*tensor, op)) : Json{{"as_none", true}});
        }
        return {{"as_optional_tensors", list}};
      }
      case Value::Kind::integer:
        if (is_real) return {{"as_float", static_cast<double>(value.to_int())}};
        if (argument.wrappers.find('[') != std::string_view::npos) return {{"as_ints", {value.to_int()}}};
        return {{"as_int", value.to_int()}};
      case Value::Kind::floating:
        return {{"as_float", real(value.to_double())}};
      case Value::Kind::boolean:
        return {{"as_bool", value.to_bool()}};
      case Value::Kind::scalar:
        return scalar(value.to_scalar());
      case Value::Kind::scalar_type:
        return {{"as_scalar_type", dtype_number(value.to_scalar_type())}};
      case Value::Kind::layout:
        return {{"as_layout", layout_number(value.to_layout())}};
      case Value::Kind::device:
        return {{"as_device", device(value.to_device().type())}};
      case Value::Kind::memory_format:
        return {{"as_memory_format", memory_format_number(value.to_memory_format())}};
      case Value::Kind::string:
        return {{"as_string", value.to_string_view()}};
      case Value::Kind::int_list: {
        const IntArrayRef list = value.to_int_list();
        return {{is_real ? "as_floats" : "as_ints", Json(std::vector<int64_t>(list.begin(), list.end()))}};
      }
      case Value::Kind::double_list: {
        Json list = Json::array();
        for (const double number : value.to_double_list()) list.push_back(real(number));
        return {{"as_floats", list}};
      }
      case Value::Kind::string_list: {
        const ArrayRef<std::string> list = value.to_string_list();
        return {{"as_strings", Json(std::vector<std::string>(list.begin(), list.end()))}};
      }
      case Value::Kind::bool_list: {
        const ArrayRef<bool> list = value.to_bool_list();
        return {{"as_bools", Json(std::vector<bool>(list.begin(), list.end()))}};
      }
      default:
        fail("save_program: arguments of type `", to_string(value.kind()), "` cannot be stored; `", op.name(),
             "` has one");
    }
  }

  Json result(const Value& value, std::string_view base, std::string& node, const OperatorBase& op) {
    const auto add_name = [&](const Tensor& tensor) {
      const std::string name = new_name(stem(base));
      if (node.empty()) node = name;
      bind(tensor, name);
      return name;
    };
    if (value.is(Value::Kind::tensor)) {
      if (!value.to_tensor().defined()) return {{"as_none", true}};
      return as_tensor(add_name(value.to_tensor()));
    }
    if (value.is(Value::Kind::none)) return {{"as_none", true}};
    if (value.is(Value::Kind::optional_tensor_list)) {
      Json list = Json::array();
      for (const std::optional<Tensor>& tensor : value.to_optional_tensor_list()) {
        list.push_back(tensor && tensor->defined() ? as_tensor(add_name(*tensor)) : Json{{"as_none", true}});
      }
      return {{"as_optional_tensors", list}};
    }
    STRUCTURED_CHECK(value.is(Value::Kind::tensor_list), "save_program: results of type `", to_string(value.kind()),
                     "` cannot be stored; `", op.name(), "` has one");
    Json list = Json::array();
    for (const Tensor& tensor : value.to_tensor_list()) list.push_back(named(add_name(tensor)));
    return {{"as_tensors", list}};
  }

  std::string program() {
    Json inputs = Json::array(), outputs = Json::array(), input_specs = Json::array(), output_specs = Json::array();
    for (const auto& [name, fqn] : states_) {
      inputs.push_back(as_tensor(name));
      input_specs.push_back({{"buffer", {{"arg", named(name)}, {"buffer_name", fqn}, {"persistent", true}}}});
    }
    for (const std::string& name : input_names_) {
      inputs.push_back(as_tensor(name));
      input_specs.push_back({{"user_input", {{"arg", as_tensor(name)}}}});
    }
    for (const Tensor& output : outputs_) {
      const auto found = names_.find(output.impl());
      STRUCTURED_CHECK(found != names_.end(),
                       "save_program: expected outputs that the program computes, got another one");
      outputs.push_back(as_tensor(found->second));
      output_specs.push_back({{"user_output", {{"arg", as_tensor(found->second)}}}});
    }
    const Json signature = {{"inputs", Json::array()},
                            {"outputs", Json::array()},
                            {"in_spec", tree_of(input_names_.size(), true)},
                            {"out_spec", tree_of(outputs_.size(), false)},
                            {"forward_arg_names", input_names_}};
    const Json graph = {{"inputs", inputs},
                        {"outputs", outputs},
                        {"nodes", nodes_},
                        {"tensor_values", tensor_values_},
                        {"sym_int_values", Json::object()},
                        {"sym_bool_values", Json::object()},
                        {"is_single_tensor_return", false},
                        {"custom_obj_values", Json::object()},
                        {"sym_float_values", Json::object()}};
    return Json{{"graph_module",
                 {{"graph", graph},
                  {"signature", {{"input_specs", input_specs}, {"output_specs", output_specs}}},
                  {"module_call_graph", {{{"fqn", ""}, {"signature", signature}}}},
                  {"metadata", Json::object()},
                  {"treespec_namedtuple_fields", Json::object()}}},
                {"opset_version", {{"aten", 10}}},
                {"range_constraints", Json::object()},
                {"schema_version", {{"major", 8}, {"minor", 20}}},
                {"verifiers", {"TRAINING"}},
                {"torch_version", "2.15.0"},
                {"guards_code", Json::array()}}
        .dump();
  }

  const TensorList outputs_;
  std::vector<std::string> input_names_;
  std::set<std::string> taken_;
  std::unordered_map<const TensorImpl*, std::string> names_;
  std::vector<std::pair<std::string, std::string>> states_;  // names of arguments and of buffers
  std::vector<Storage> storages_;
  std::vector<Tensor> kept_;
  Json tensor_values_ = Json::object();
  Json weights_ = Json::object();
  Json nodes_ = Json::array();
};

}  // namespace

void save_program(const std::string& path, const Program& recorded, const NamedTensors& inputs, TensorList outputs) {
  ProgramWriter writer(inputs, outputs);
  for (const Program::Call& call : recorded.calls()) writer.add(call);
  detail::write_archive(path, detail::kMappedAlignment, [&](detail::ZipWriter& zip) { writer.write(zip); });
}

}  // namespace structured
