#include "sample_calls.h"

#include <structured/base/error.h>
#include <structured/core/factory.h>
#include <structured/dispatch/default_value.h>
#include <structured/dispatch/schema.h>
#include <structured/format/print.h>
#include <structured/number/visit.h>
#include <structured/schema/parse.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace structured::operator_tests {
namespace {

// The dtype and the shape that a sample has where nothing is given.
struct Style {
  ScalarType dtype;
  std::vector<int64_t> sizes;
};

// `Tensor(a!)[]` -> `Tensor[]`, `SymInt` -> `int`.
std::string plain_type(const SchemaArgument& argument) {
  schema::Type type = type_of(argument);
  if (type.base == schema::Type::Base::SymInt) type.base = schema::Type::Base::Int;
  return to_string(type);
}

// Splits at commas outside brackets.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    const bool is_separator = c == ',' && depth == 0;
    if (parts.empty() || is_separator) parts.emplace_back();
    if (!is_separator && c != ' ') parts.back() += c;
  }
  return parts;
}

template <class T>
T number_of(const std::string& text) {
  std::istringstream in(text);
  T value{};
  in >> value;
  STRUCTURED_CHECK(!in.fail() && in.peek() == std::istringstream::traits_type::eof(), "expected a number, got `", text,
                   "`");
  return value;
}

void fill(const Tensor& tensor, const std::optional<int>& number) {
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    const double real = number ? *number : 0.1 + 0.8 * static_cast<double>(i * 7 % 11) / 11;
    const int integer = number ? *number : static_cast<int>(i * 2 % 3);
    visit<kAllTypes>("sample", tensor.dtype(), [&]<class T>() {
      T& element = static_cast<T*>(tensor.data())[i];
      if constexpr (std::is_same_v<T, bool>) {
        element = integer % 2 != 0;
      } else if constexpr (std::is_integral_v<T>) {
        element = static_cast<T>(integer);
      } else if constexpr (is_complex_v<T>) {
        element = convert<T>(Complex<double>(real, 1 - real));
      } else {
        element = convert<T>(real);
      }
    });
  }
}

Tensor made_tensor(ScalarType dtype, IntArrayRef sizes, std::optional<int> number) {
  Tensor tensor = structured::empty(sizes, dtype);
  fill(tensor, number);
  return tensor;
}

// `T[2,3]`, `int64[2]=0`
Tensor given_tensor(std::string text, const Style& style) {
  std::optional<int> number;
  if (const std::size_t equals = text.find('='); equals != std::string::npos) {
    number = number_of<int>(text.substr(equals + 1));
    text.erase(equals);
  }
  const std::size_t open = text.find('[');
  STRUCTURED_CHECK(open != std::string::npos && text.ends_with(']'), "expected a tensor such as `T[2,3]`, got `", text,
                   "`");
  const std::string name = text.substr(0, open);
  const schema::Dtype* const found = schema::dtype_with_word(name);
  STRUCTURED_CHECK(name == "T" || found != nullptr, "expected `T` or a dtype such as `int64`, got `", name, "`");
  std::vector<int64_t> sizes;
  for (const std::string& size : split(std::string_view(text).substr(open + 1, text.size() - open - 2))) {
    sizes.push_back(number_of<int64_t>(size));
  }
  return made_tensor(name == "T" ? style.dtype : scalar_type_of_row(found), sizes, number);
}

Value given_value(const std::string& text, const std::string& type, const Style& style);

template <class T>
Value list_of(const std::vector<std::string>& parts, const std::string& type, const Style& style,
              T (*element)(const Value&)) {
  std::vector<T> elements;
  for (const std::string& part : parts) elements.push_back(element(given_value(part, type, style)));
  return elements;
}

Value given_list(const std::string& text, const std::string& type, const Style& style) {
  const std::vector<std::string> parts = split(std::string_view(text).substr(1, text.size() - 2));
  const std::string element = type.substr(0, type.find('['));
  if (element == "Tensor") return list_of<Tensor>(parts, element, style, [](const Value& v) { return v.to_tensor(); });
  if (element == "Tensor?") {
    std::vector<std::optional<Tensor>> tensors;
    for (const std::string& part : parts) {
      tensors.push_back(part == "None" ? std::nullopt : std::optional(given_tensor(part, style)));
    }
    return tensors;
  }
  if (element == "float") {
    return list_of<double>(parts, element, style, [](const Value& v) { return v.to_double(); });
  }
  if (element == "bool") {
    bool values[16] = {};
    STRUCTURED_CHECK(parts.size() <= 16, "expected at most 16 elements, got ", parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) values[i] = parts[i] == "True";
    return ArrayRef<bool>(values, parts.size());
  }
  return list_of<int64_t>(parts, "int", style, [](const Value& v) { return v.to_int(); });
}

Value given_value(const std::string& text, const std::string& type, const Style& style) {
  if (text == "None") return {};
  if (text.starts_with('[')) return given_list(text, type, style);
  if (type.starts_with("Tensor")) return given_tensor(text, style);
  if (type.starts_with("ScalarType")) {
    const schema::Dtype* const found = schema::dtype_with_word(text);
    STRUCTURED_CHECK(text == "T" || found != nullptr, "expected `T` or a dtype, got `", text, "`");
    return text == "T" ? style.dtype : scalar_type_of_row(found);
  }
  if (text == "True" || text == "False") return text == "True";
  if (text.starts_with('"')) return text.substr(1, text.size() - 2);
  if (type.starts_with("float")) return number_of<double>(text);
  return number_of<int64_t>(text);
}

Value usual_value(const SchemaArgument& argument, const std::string& type, const Style& style, bool has_tensors) {
  if (type.starts_with("ScalarType") && !has_tensors) return style.dtype;
  if (const std::optional<Value> value = structured::detail::default_value(argument)) return *value;
  if (type.ends_with('?')) return {};
  if (type == "Tensor") return sampled_tensor(style.dtype, style.sizes);
  if (type == "Tensor[]") {
    const Tensor tensors[] = {sampled_tensor(style.dtype, style.sizes), sampled_tensor(style.dtype, style.sizes)};
    return TensorList(tensors);
  }
  if (type == "Dimname[]") {
    std::vector<Dimname> names;
    for (std::size_t d = 0; d < style.sizes.size(); ++d) names.emplace_back("d" + std::to_string(d));
    return DimnameList(names);
  }
  if (type == "ScalarType") return style.dtype;
  if (type == "Device") return Device(DeviceType::CPU);
  if (type == "bool") return false;
  if (type == "str") return "";
  if (type == "float") return 1.0;
  const bool is_dim = argument.name.starts_with("dim") || argument.name.starts_with("axis");
  const int64_t number = is_dim ? 0 : 1;
  if (type == "int" || type == "Scalar") return number;
  if (type.ends_with(']')) {
    // `Scalar[]` has one for each tensor of a list.
    const bool is_pair = type.starts_with("Scalar") || argument.name.find("size") != std::string_view::npos;
    const std::size_t count = is_pair ? 2 : 1;
    if (type.starts_with("float")) return std::vector<double>(count, static_cast<double>(number));
    if (type.starts_with("int") || type.starts_with("Scalar")) return std::vector<int64_t>(count, number);
  }
  fail("argument `", argument.name, "` of type ", type, " cannot be sampled; give it in the file of samples");
}

bool has_tensor_argument(const SchemaText& schema) {
  for (const SchemaArgument& argument : schema.arguments) {
    if (argument.base == schema::Type::Base::Tensor) return true;
  }
  return false;
}

Sample sample_of(const SchemaText& schema, const GivenArguments& given, const Style& style) {
  Sample sample{std::string(to_string(style.dtype)) + ", tensors " + to_string(IntArrayRef(style.sizes)), {}};
  const bool has_tensors = has_tensor_argument(schema);
  for (const SchemaArgument& argument : schema.arguments) {
    const std::string type = plain_type(argument);
    const auto found = given.find(std::string(argument.name));
    sample.arguments.push_back(found != given.end() ? given_value(found->second, type, style)
                                                    : usual_value(argument, type, style, has_tensors));
  }
  return sample;
}

}  // namespace

std::map<std::string, GivenArguments> read_samples(const std::string& path) {
  std::map<std::string, GivenArguments> samples;
  std::ifstream file(path);
  STRUCTURED_CHECK(!file.fail(), "cannot read `", path, "`");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name;
    if (!(words >> name)) continue;
    GivenArguments& arguments = samples[name];
    for (std::string word; words >> word;) {
      const std::size_t colon = word.find(':');
      STRUCTURED_CHECK(colon != std::string::npos, path, ": `", name, "`: expected ARGUMENT:VALUE, got `", word, "`");
      arguments[word.substr(0, colon)] = word.substr(colon + 1);
    }
  }
  return samples;
}

std::vector<Sample> samples_of(const OperatorHandle& op, const GivenArguments& given, bool are_small_integers) {
  const SchemaText schema = read_schema(op.schema());
  std::vector<std::vector<int64_t>> shapes{{2, 2}, {3, 1, 2}, {}, {0, 2}};
  std::vector<Sample> samples;
  const std::vector<ScalarType> dtypes =
      are_small_integers ? std::vector{kChar} : std::vector{kFloat, kDouble, kLong, kBool, kComplexFloat, kBFloat16};
  for (const ScalarType dtype : dtypes) {
    for (const std::vector<int64_t>& sizes : shapes) samples.push_back(sample_of(schema, given, {dtype, sizes}));
  }
  return samples;
}

Tensor sampled_tensor(ScalarType dtype, IntArrayRef sizes) { return made_tensor(dtype, sizes, std::nullopt); }

}  // namespace structured::operator_tests
