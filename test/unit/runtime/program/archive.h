#pragma once
// Zip archives and programs that tests write.
#include <structured/core/factory.h>
#include <structured/core/tensor.h>
#include <structured/format/crc32.h>

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace structured::test {

inline void append(std::string& bytes, uint64_t value, int count) {
  for (int i = 0; i < count; ++i, value >>= 8) bytes += static_cast<char>(value & 0xff);
}

/// Writes a zip archive of stored members, with the data of each one aligned to 64 bytes.
class ZipWriter {
 public:
  void add(const std::string& name, std::string_view data) {
    const std::size_t header = 30 + name.size();
    const std::size_t padding = (64 - (bytes_.size() + header) % 64) % 64;
    const std::size_t offset = bytes_.size();
    std::string fields;
    append(fields, 20, 2);  // version
    append(fields, flags, 2);
    append(fields, method, 2);
    append(fields, 0, 4);  // time and date
    append(fields, detail::crc32(0, data.data(), data.size()), 4);
    append(fields, data.size(), 4);
    append(fields, data.size(), 4);
    append(fields, name.size(), 2);
    append(bytes_, 0x04034b50, 4);
    bytes_ += fields;
    append(bytes_, padding, 2);
    bytes_ += name + std::string(padding, '\0');
    bytes_ += data;
    append(directory_, 0x02014b50, 4);
    append(directory_, 20, 2);
    if (uses_zip64) {  // sizes and offset in an extra field
      fields.replace(14, 8, 8, '\xff');
    }
    directory_ += fields;
    append(directory_, uses_zip64 ? 28 : 0, 2);  // extra field
    append(directory_, 0, 10);                   // comment, disk, attributes
    append(directory_, uses_zip64 ? 0xffffffff : offset, 4);
    directory_ += name;
    if (uses_zip64) {
      append(directory_, 1, 2);
      append(directory_, 24, 2);
      append(directory_, data.size(), 8);
      append(directory_, data.size(), 8);
      append(directory_, offset, 8);
    }
    ++count_;
  }

  std::string finish() const {
    std::string result = bytes_ + directory_;
    if (uses_zip64) {
      append(result, 0x06064b50, 4);
      append(result, 44, 8);
      append(result, 45, 2);
      append(result, 45, 2);
      append(result, 0, 8);  // disks
      append(result, count_, 8);
      append(result, count_, 8);
      append(result, directory_.size(), 8);
      append(result, bytes_.size(), 8);
      append(result, 0x07064b50, 4);
      append(result, 0, 4);
      append(result, bytes_.size() + directory_.size(), 8);
      append(result, 1, 4);
    }
    append(result, 0x06054b50, 4);
    append(result, 0, 4);  // disks
    append(result, uses_zip64 ? 0xffff : count_, 2);
    append(result, uses_zip64 ? 0xffff : count_, 2);
    append(result, uses_zip64 ? 0xffffffff : directory_.size(), 4);
    append(result, uses_zip64 ? 0xffffffff : bytes_.size(), 4);
    append(result, 0, 2);
    return result;
  }

  uint16_t flags = 0;
  uint16_t method = 0;
  bool uses_zip64 = false;

 private:
  std::string bytes_;
  std::string directory_;
  std::size_t count_ = 0;
};

using Json = nlohmann::json;

inline Json as_tensor(const std::string& name) { return {{"as_tensor", {{"name", name}}}}; }
inline Json as_int(int64_t value) { return {{"as_int", value}}; }
inline Json as_size(const std::string& name) { return {{"as_sym_int", {{"as_name", name}}}}; }

/// Writes a `.pt2` file.
class ProgramWriter {
 public:
  /// Number of a dtype in the format.
  static int number_of(ScalarType dtype) {
    constexpr ScalarType types[] = {kByte, kChar, kShort, kInt, kLong, kHalf, kFloat, kDouble};
    for (int i = 0; i < 8; ++i) {
      if (types[i] == dtype) return i + 1;
    }
    return dtype == kBool ? 12 : 0;
  }

  /// A size is an integer or the text of a symbol.
  void input(const std::string& name, ScalarType dtype, const std::vector<Json>& sizes) {
    input_specs.push_back({{"user_input", {{"arg", as_tensor(name)}}}});
    Json list = Json::array();
    for (const Json& size : sizes) {
      list.push_back(
          size.is_number()
              ? Json{{"as_int", size}}
              : Json{{"as_expr", {{"expr_str", "Symbol('" + size.get<std::string>() + "', integer=True)"}}}});
    }
    tensor_values[name] = {{"dtype", number_of(dtype)}, {"sizes", list}, {"layout", 7}};
  }

  /// `kind` is `parameter`, `buffer` or `tensor_constant`.
  void state(const std::string& kind, const std::string& argument, const std::string& name, const Tensor& tensor) {
    Json spec = {{"arg", {{"name", argument}}}, {kind + "_name", name}};
    if (kind == "buffer") spec["persistent"] = true;
    input_specs.push_back({{kind, spec}});
    Json sizes = Json::array(), strides = Json::array();
    for (const int64_t size : tensor.sizes()) sizes.push_back(as_int(size));
    for (const int64_t stride : tensor.strides()) strides.push_back(as_int(stride));
    const std::string path = "weight_" + std::to_string(weights.size());
    weights[name] = {{"path_name", path},
                     {"is_param", kind == "parameter"},
                     {"use_pickle", false},
                     {"tensor_meta",
                      {{"dtype", number_of(tensor.dtype())},
                       {"sizes", sizes},
                       {"strides", strides},
                       {"storage_offset", as_int(0)},
                       {"layout", 7},
                       {"device", {{"type", "cpu"}, {"index", nullptr}}}}}};
    files.emplace_back("data/weights/" + path, std::string(static_cast<const char*>(tensor.data()), tensor.nbytes()));
  }

  /// A node that calls an operator with named arguments.
  static Json make_node(const std::string& target, const std::vector<std::pair<std::string, Json>>& arguments,
                        const std::vector<Json>& results) {
    Json inputs = Json::array();
    for (const auto& [name, value] : arguments) inputs.push_back({{"name", name}, {"arg", value}, {"kind", 1}});
    Json result = {{"target", target}, {"inputs", inputs}, {"outputs", results}, {"metadata", {{"stack_trace", "x"}}}};
    result["name"] = "node_of_" + target;
    return result;
  }
  void node(const std::string& target, const std::vector<std::pair<std::string, Json>>& arguments,
            const std::vector<Json>& results) {
    nodes.push_back(make_node(target, arguments, results));
  }
  void output(const Json& value) { output_specs.push_back({{"user_output", {{"arg", value}}}}); }
  void mutation(const std::string& kind, const std::string& name_member, const std::string& destination,
                const std::string& source) {
    output_specs.push_back({{kind, {{"arg", {{"name", source}}}, {name_member, destination}}}});
  }

  std::string bytes() const {
    const Json graph = {{"inputs", Json::array()},
                        {"outputs", Json::array()},
                        {"nodes", nodes},
                        {"tensor_values", tensor_values},
                        {"sym_int_values", Json::object()}};
    const Json program = {
        {"graph_module",
         {{"graph", graph}, {"signature", {{"input_specs", input_specs}, {"output_specs", output_specs}}}}},
        {"range_constraints", range_constraints},
        {"opset_version", {{"aten", 10}}},
        {"schema_version", {{"major", major_version}, {"minor", 20}}}};
    ZipWriter zip;
    zip.add(root + "archive_format", "pt2");
    zip.add(root + "archive_version", archive_version);
    zip.add(root + "byteorder", "little");
    zip.add(root + "models/model.json", program.dump());
    zip.add(root + "data/weights/model_weights_config.json", Json{{"config", weights}}.dump());
    for (const auto& [name, data] : files) zip.add(root + name, data);
    return zip.finish();
  }

  std::string root = "test/";
  std::string archive_version = "0";
  int major_version = 8;
  Json input_specs = Json::array();
  Json output_specs = Json::array();
  Json nodes = Json::array();
  Json tensor_values = Json::object();
  Json range_constraints = Json::object();
  Json weights = Json::object();
  std::vector<std::pair<std::string, std::string>> files;
};

}  // namespace structured::test
