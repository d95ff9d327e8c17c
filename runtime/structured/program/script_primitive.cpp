#include "structured/program/script_primitive.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "structured/base/error.h"
#include "structured/core/factory.h"
#include "structured/format/print.h"
#include "structured/program/primitive.h"

namespace structured::program {
namespace {

using Arguments = ArrayRef<DynamicValue>;
using Result = std::optional<DynamicValue>;
using Elements = std::vector<DynamicValue>;

bool is_real(const DynamicValue& value) { return value.is<double>(); }

Value number(const DynamicValue& value) {
  if (value.is<Tensor>()) {
    const Scalar scalar = value.to_tensor().item();
    if (scalar.is_floating()) return scalar.to<double>();
    return scalar.to<int64_t>();
  }
  if (value.is<bool>()) return value.to_bool();
  return is_real(value) ? Value(value.to_double()) : Value(value.to_int());
}

/// Arithmetic of Python on numbers (primitive.h).
template <const char* const* name>
Result arithmetic(Arguments arguments) {
  static const Primitive& primitive = *find_primitive(*name);
  std::vector<Value> values;
  for (const DynamicValue& argument : arguments) values.push_back(number(argument));
  return from_result(primitive.run(values));
}

constexpr const char* kSub = "_operator.sub";
constexpr const char* kMul = "_operator.mul";
constexpr const char* kDiv = "_operator.truediv";
constexpr const char* kFloorDiv = "_operator.floordiv";
constexpr const char* kMod = "_operator.mod";
constexpr const char* kPow = "_operator.pow";
constexpr const char* kNeg = "_operator.neg";
constexpr const char* kAnd = "_operator.and_";
constexpr const char* kOr = "_operator.or_";
constexpr const char* kCeil = "math.ceil";
constexpr const char* kFloor = "math.floor";
constexpr const char* kAdd = "_operator.add";
constexpr const char* kMax = "torch.sym_max";
constexpr const char* kMin = "torch.sym_min";

/// Concatenates lists and strings, adds numbers.
Result add(Arguments arguments) {
  if (arguments[0].is<DynamicValue::List>()) {
    Elements elements = arguments[0].to_list().elements;
    const Elements& other = arguments[1].to_list().elements;
    elements.insert(elements.end(), other.begin(), other.end());
    return make_list(std::move(elements));
  }
  if (arguments[0].is_string()) {
    return DynamicValue(
        std::string_view(std::string(arguments[0].to_string()) + std::string(arguments[1].to_string())));
  }
  return arithmetic<&kAdd>(arguments.size() == 2 ? arguments : arguments.slice(0, 2));
}

/// Negative for less, 0 for equal, positive for greater.
int compare(const DynamicValue& a, const DynamicValue& b) {
  if (a.is_string()) return a.to_string().compare(b.to_string());
  if (is_real(a) || is_real(b)) return (a.to_double() > b.to_double()) - (a.to_double() < b.to_double());
  return (a.to_int() > b.to_int()) - (a.to_int() < b.to_int());
}

Result equal(Arguments arguments) { return DynamicValue(arguments[0].equals(arguments[1])); }
Result not_equal(Arguments arguments) { return DynamicValue(!arguments[0].equals(arguments[1])); }
Result less(Arguments arguments) { return DynamicValue(compare(arguments[0], arguments[1]) < 0); }
Result less_equal(Arguments arguments) { return DynamicValue(compare(arguments[0], arguments[1]) <= 0); }
Result greater(Arguments arguments) { return DynamicValue(compare(arguments[0], arguments[1]) > 0); }
Result greater_equal(Arguments arguments) { return DynamicValue(compare(arguments[0], arguments[1]) >= 0); }
Result logical_not(Arguments arguments) { return DynamicValue(!arguments[0].to_bool()); }

Result largest(Arguments arguments) {
  if (arguments.size() == 2) return arithmetic<&kMax>(arguments);
  const Elements& elements = arguments[0].to_list().elements;
  STRUCTURED_CHECK(!elements.empty(), "expected a list of one element or more, got an empty one");
  return *std::max_element(elements.begin(), elements.end(),
                           [](const DynamicValue& a, const DynamicValue& b) { return compare(a, b) < 0; });
}
Result smallest(Arguments arguments) {
  if (arguments.size() == 2) return arithmetic<&kMin>(arguments);
  const Elements& elements = arguments[0].to_list().elements;
  STRUCTURED_CHECK(!elements.empty(), "expected a list of one element or more, got an empty one");
  return *std::min_element(elements.begin(), elements.end(),
                           [](const DynamicValue& a, const DynamicValue& b) { return compare(a, b) < 0; });
}
Result absolute(Arguments arguments) {
  if (is_real(arguments[0])) return DynamicValue(std::abs(arguments[0].to_double()));
  return arguments[0].to_int() < 0 ? arithmetic<&kNeg>(arguments) : DynamicValue(arguments[0].to_int());
}
Result square_root(Arguments arguments) { return DynamicValue(std::sqrt(arguments[0].to_double())); }

// -----------------------------------------------------------------------------------------------------------
// conversion

Result to_int(Arguments arguments) {
  const DynamicValue& value = arguments[0];
  if (value.is_string()) {
    const std::string_view text = value.to_string();
    int64_t result = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    STRUCTURED_CHECK(error == std::errc() && end == text.data() + text.size(), "expected an integer, got `", text, "`");
    return DynamicValue(result);
  }
  if (value.is<Tensor>()) return DynamicValue(value.to_tensor().item().converted<int64_t>());
  if (!is_real(value)) return DynamicValue(value.to_int());
  const Value truncated = find_primitive("math.trunc")->run(number(value));
  return from_result(truncated);
}
Result to_float(Arguments arguments) {
  const DynamicValue& value = arguments[0];
  if (value.is<Tensor>()) return DynamicValue(value.to_tensor().item().to<double>());
  if (!value.is_string()) return DynamicValue(value.to_double());
  const std::string text(value.to_string());
  char* end = nullptr;
  const double result = std::strtod(text.c_str(), &end);
  STRUCTURED_CHECK(!text.empty() && end == text.c_str() + text.size(), "expected a number, got `", text, "`");
  return DynamicValue(result);
}
Result to_bool(Arguments arguments) {
  const DynamicValue& value = arguments[0];
  if (value.is<Tensor>()) return DynamicValue(value.to_tensor().item().to<bool>());
  return DynamicValue(value.to_double() != 0);
}
Result to_number(Arguments arguments) { return from_result(number(arguments[0])); }
Result to_text(Arguments arguments) { return DynamicValue(std::string_view(text_of(arguments[0]))); }

// ------------------------------------------------------------------------------------------- lists, dictionaries, text

/// Position of an element; negative numbers count from the end.
std::size_t position(const DynamicValue& index, std::size_t size) {
  const int64_t at = index.to_int(), count = static_cast<int64_t>(size);
  STRUCTURED_CHECK(at >= -count && at < count, "expected an index from ", -count, " to ", count - 1, ", got ", at);
  return static_cast<std::size_t>(at < 0 ? at + count : at);
}

Result length(Arguments arguments) {
  const DynamicValue& value = arguments[0];
  const std::size_t size = value.is_string()                 ? value.to_string().size()
                           : value.is<DynamicValue::Dict>()  ? value.to_dict().items.size()
                           : value.is<Tensor>()              ? static_cast<std::size_t>(value.to_tensor().size(0))
                           : value.is<DynamicValue::Tuple>() ? value.to_tuple().elements.size()
                                                             : value.to_list().elements.size();
  return DynamicValue(static_cast<int64_t>(size));
}
Result append(Arguments arguments) {
  arguments[0].to_list().elements.push_back(arguments[1]);
  return arguments[0];
}
Result get_item(Arguments arguments) {
  const DynamicValue& self = arguments[0];
  if (self.is<DynamicValue::Dict>()) {
    const DynamicValue* const found = self.to_dict().find(arguments[1]);
    STRUCTURED_CHECK(found != nullptr, "expected a key of the dictionary, got ", text_of(arguments[1]));
    return *found;
  }
  if (self.is_string()) {
    const std::string_view text = self.to_string();
    return DynamicValue(text.substr(position(arguments[1], text.size()), 1));
  }
  const Elements& elements = self.is<DynamicValue::Tuple>() ? self.to_tuple().elements : self.to_list().elements;
  return elements[position(arguments[1], elements.size())];
}
Result set_item(Arguments arguments) {
  if (arguments[0].is<DynamicValue::Dict>()) {
    arguments[0].to_dict().set(arguments[1], arguments[2]);
    return std::nullopt;
  }
  Elements& elements = arguments[0].to_list().elements;
  elements[position(arguments[1], elements.size())] = arguments[2];
  return arguments[0];
}
Result contains(Arguments arguments) {
  if (arguments[0].is<DynamicValue::Dict>()) return DynamicValue(arguments[0].to_dict().find(arguments[1]) != nullptr);
  if (arguments[0].is_string()) {
    return DynamicValue(arguments[0].to_string().find(arguments[1].to_string()) != std::string_view::npos);
  }
  const Elements& elements = arguments[0].to_list().elements;
  return DynamicValue(std::any_of(elements.begin(), elements.end(),
                                  [&](const DynamicValue& element) { return element.equals(arguments[1]); }));
}
Result get(Arguments arguments) {
  if (const DynamicValue* const found = arguments[0].to_dict().find(arguments[1])) return *found;
  return arguments.size() > 2 ? arguments[2] : DynamicValue();
}
Result keys(Arguments arguments) {
  Elements result;
  for (const auto& [key, value] : arguments[0].to_dict().items) result.push_back(key);
  return make_list(std::move(result));
}
Result values(Arguments arguments) {
  Elements result;
  for (const auto& [key, value] : arguments[0].to_dict().items) result.push_back(value);
  return make_list(std::move(result));
}
Result items(Arguments arguments) {
  Elements result;
  for (const auto& [key, value] : arguments[0].to_dict().items) result.push_back(make_tuple({key, value}));
  return make_list(std::move(result));
}
Result copy_list(Arguments arguments) {
  if (arguments[0].is_string()) {
    Elements letters;
    const std::string_view text = arguments[0].to_string();
    for (std::size_t i = 0; i < text.size(); ++i) letters.emplace_back(text.substr(i, 1));
    return make_list(std::move(letters));
  }
  return make_list(arguments[0].to_list().elements);
}
Result extend(Arguments arguments) {
  const Elements added = arguments[1].to_list().elements;
  Elements& elements = arguments[0].to_list().elements;
  elements.insert(elements.end(), added.begin(), added.end());
  return std::nullopt;
}
Result clear(Arguments arguments) {
  arguments[0].to_list().elements.clear();
  return std::nullopt;
}
Result reverse(Arguments arguments) {
  Elements& elements = arguments[0].to_list().elements;
  std::reverse(elements.begin(), elements.end());
  return std::nullopt;
}
Result insert(Arguments arguments) {
  Elements& elements = arguments[0].to_list().elements;
  const int64_t count = static_cast<int64_t>(elements.size()), at = arguments[1].to_int();
  const int64_t index = std::clamp<int64_t>(at < 0 ? at + count : at, 0, count);
  elements.insert(elements.begin() + index, arguments[2]);
  return std::nullopt;
}
Result pop(Arguments arguments) {
  Elements& elements = arguments[0].to_list().elements;
  const std::size_t at = arguments.size() > 1 ? position(arguments[1], elements.size())
                                              : position(DynamicValue(int64_t{-1}), elements.size());
  DynamicValue result = elements[at];
  elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(at));
  return result;
}
Result slice(Arguments arguments) {
  const Elements& elements = arguments[0].to_list().elements;
  const int64_t count = static_cast<int64_t>(elements.size());
  const auto bound = [&](std::size_t argument, int64_t otherwise) {
    if (argument >= arguments.size() || arguments[argument].is_none()) return otherwise;
    const int64_t at = arguments[argument].to_int();
    return std::clamp<int64_t>(at < 0 ? at + count : at, 0, count);
  };
  const int64_t step = arguments.size() > 3 ? arguments[3].to_int() : 1;
  STRUCTURED_CHECK(step > 0, "expected a step of 1 or more, got ", step);
  Elements result;
  const int64_t end = bound(2, count);
  for (int64_t i = bound(1, 0); i < end; i += std::min(step, count)) {
    result.push_back(elements[static_cast<std::size_t>(i)]);
  }
  return make_list(std::move(result));
}
Result join(Arguments arguments) {
  std::string result;
  for (const DynamicValue& part : arguments[1].to_list().elements) {
    if (!result.empty()) result += arguments[0].to_string();
    result += part.to_string();
  }
  return DynamicValue(std::string_view(result));
}
Result format(Arguments arguments) {
  std::string result;
  std::size_t next = 1;
  std::string_view text = arguments[0].to_string();
  while (!text.empty()) {
    const std::size_t at = text.find("{}");
    result += text.substr(0, at);
    if (at == std::string_view::npos) break;
    STRUCTURED_CHECK(next < arguments.size(), "expected a value for each `{}`, got ", arguments.size() - 1);
    result += text_of(arguments[next++]);
    text.remove_prefix(at + 2);
  }
  return DynamicValue(std::string_view(result));
}
Result range_length(Arguments arguments) {
  const int64_t low = arguments[0].to_int(), high = arguments[1].to_int(), step = arguments[2].to_int();
  STRUCTURED_CHECK(step != 0, "expected a step other than 0");
  const double steps = std::ceil((static_cast<double>(high) - static_cast<double>(low)) / static_cast<double>(step));
  STRUCTURED_CHECK(steps < 0x1p63, "expected a range of fewer than 2^63 numbers, got ", low, " to ", high);
  return DynamicValue(static_cast<int64_t>(std::max(steps, 0.0)));
}
Result derive_index(Arguments arguments) {
  int64_t result;
  const bool overflows = __builtin_mul_overflow(arguments[0].to_int(), arguments[2].to_int(), &result) ||
                         __builtin_add_overflow(result, arguments[1].to_int(), &result);
  STRUCTURED_CHECK(!overflows, "expected a number of a range that int64 holds");
  return DynamicValue(result);
}

// ------------------------------------------------------------------------------------------------- properties of
// tensors

DynamicValue int_list(IntArrayRef numbers) {
  Elements result;
  for (const int64_t value : numbers) result.emplace_back(value);
  return make_list(std::move(result));
}
Result size(Arguments arguments) {
  const Tensor& tensor = arguments[0].to_tensor();
  if (arguments.size() == 1) return int_list(tensor.sizes());
  return DynamicValue(tensor.size(arguments[1].to_int()));
}
Result stride(Arguments arguments) {
  const Tensor& tensor = arguments[0].to_tensor();
  if (arguments.size() == 1) return int_list(tensor.strides());
  return DynamicValue(tensor.stride(arguments[1].to_int()));
}
Result dim(Arguments arguments) { return DynamicValue(arguments[0].to_tensor().dim()); }
Result numel(Arguments arguments) { return DynamicValue(arguments[0].to_tensor().numel()); }
Result dtype(Arguments arguments) { return DynamicValue(static_cast<int64_t>(arguments[0].to_tensor().dtype())); }
Result layout(Arguments arguments) { return DynamicValue(static_cast<int64_t>(arguments[0].to_tensor().layout())); }
Result device(Arguments arguments) { return DynamicValue(arguments[0].to_tensor().device()); }
Result is_cuda(Arguments arguments) { return DynamicValue(arguments[0].to_tensor().is_cuda()); }
Result is_floating(Arguments arguments) { return DynamicValue(arguments[0].to_tensor().is_floating_point()); }
Result is_complex(Arguments arguments) { return DynamicValue(arguments[0].to_tensor().is_complex()); }
Result is_contiguous(Arguments arguments) { return DynamicValue(arguments[0].to_tensor().is_contiguous()); }
Result number_to_tensor(Arguments arguments) { return from_result(kNumberToTensor.run(number(arguments[0]))); }
Result is_same(Arguments arguments) { return DynamicValue(arguments[0].is_same(arguments[1])); }
Result is_not_same(Arguments arguments) { return DynamicValue(!arguments[0].is_same(arguments[1])); }
Result same_value(Arguments arguments) { return arguments[0]; }
Result warning(Arguments arguments) {
  warn(arguments[0].to_string());
  return std::nullopt;
}

/// Sorted by name.
constexpr ScriptPrimitive kScriptPrimitives[] = {
    {"aten::Bool", to_bool, 1, 1},
    {"aten::Float", to_float, 1, 1},
    {"aten::FloatImplicit", to_float, 1, 1},
    {"aten::Int", to_int, 1, 1},
    {"aten::IntImplicit", to_int, 1, 1},
    {"aten::ScalarImplicit", to_number, 1, 1},
    {"aten::__and__", arithmetic<&kAnd>, 2, 2},
    {"aten::__contains__", contains, 2, 2},
    {"aten::__derive_index", derive_index, 3, 3},
    {"aten::__getitem__", get_item, 2, 2},
    {"aten::__is__", is_same, 2, 2},
    {"aten::__isnot__", is_not_same, 2, 2},
    {"aten::__not__", logical_not, 1, 1},
    {"aten::__or__", arithmetic<&kOr>, 2, 2},
    {"aten::__range_length", range_length, 3, 3},
    {"aten::_set_item", set_item, 3, 3},
    {"aten::abs", absolute, 1, 1},
    {"aten::add", add, 2, 3},
    {"aten::append", append, 2, 2},
    {"aten::ceil", arithmetic<&kCeil>, 1, 1},
    {"aten::clear", clear, 1, 1},
    {"aten::copy", copy_list, 1, 1},
    {"aten::dim", dim, 1, 1},
    {"aten::div", arithmetic<&kDiv>, 2, 2},
    {"aten::eq", equal, 2, 2},
    {"aten::extend", extend, 2, 2},
    {"aten::floor", arithmetic<&kFloor>, 1, 1},
    {"aten::floordiv", arithmetic<&kFloorDiv>, 2, 2},
    {"aten::format", format, 1, 64},
    {"aten::ge", greater_equal, 2, 2},
    {"aten::get", get, 2, 3},
    {"aten::gt", greater, 2, 2},
    {"aten::insert", insert, 3, 3},
    {"aten::is_complex", is_complex, 1, 1},
    {"aten::is_contiguous", is_contiguous, 1, 1},
    {"aten::is_floating_point", is_floating, 1, 1},
    {"aten::items", items, 1, 1},
    {"aten::join", join, 2, 2},
    {"aten::keys", keys, 1, 1},
    {"aten::le", less_equal, 2, 2},
    {"aten::len", length, 1, 1},
    {"aten::list", copy_list, 1, 1},
    {"aten::lt", less, 2, 2},
    {"aten::mul", arithmetic<&kMul>, 2, 2},
    {"aten::ne", not_equal, 2, 2},
    {"aten::neg", arithmetic<&kNeg>, 1, 1},
    {"aten::numel", numel, 1, 1},
    {"aten::pop", pop, 1, 2},
    {"aten::pow", arithmetic<&kPow>, 2, 2},
    {"aten::remainder", arithmetic<&kMod>, 2, 2},
    {"aten::reverse", reverse, 1, 1},
    {"aten::size", size, 1, 2},
    {"aten::slice", slice, 1, 4},
    {"aten::sqrt", square_root, 1, 1},
    {"aten::str", to_text, 1, 1},
    {"aten::stride", stride, 1, 2},
    {"aten::sub", arithmetic<&kSub>, 2, 2},
    {"aten::values", values, 1, 1},
    {"aten::warn", warning, 1, 2},
    {"prim::NumToTensor", number_to_tensor, 1, 1},
    {"prim::device", device, 1, 1},
    {"prim::dtype", dtype, 1, 1},
    {"prim::is_cuda", is_cuda, 1, 1},
    {"prim::layout", layout, 1, 1},
    {"prim::max", largest, 1, 2},
    {"prim::min", smallest, 1, 2},
    {"prim::unchecked_cast", same_value, 1, 1},
};
static_assert(std::is_sorted(std::begin(kScriptPrimitives), std::end(kScriptPrimitives),
                             [](const ScriptPrimitive& a, const ScriptPrimitive& b) { return a.name < b.name; }));

}  // namespace

const ScriptPrimitive* find_script_primitive(std::string_view name) {
  const auto* const at = std::lower_bound(std::begin(kScriptPrimitives), std::end(kScriptPrimitives), name,
                                          [](const ScriptPrimitive& p, std::string_view key) { return p.name < key; });
  return at != std::end(kScriptPrimitives) && at->name == name ? at : nullptr;
}

std::string text_of(const DynamicValue& value, int depth) {
  STRUCTURED_CHECK(depth < kMaxNestedValues, "expected at most ", kMaxNestedValues, " nested values, found more");
  const auto join_all = [depth](const Elements& elements) {
    std::string result;
    for (const DynamicValue& element : elements) result += (result.empty() ? "" : ", ") + text_of(element, depth + 1);
    return result;
  };
  if (value.is_string()) return std::string(value.to_string());
  if (value.is<bool>()) return value.to_bool() ? "True" : "False";
  if (value.is<int64_t>()) return std::to_string(value.to_int());
  if (value.is<DynamicValue::List>()) return "[" + join_all(value.to_list().elements) + "]";
  if (value.is<DynamicValue::Tuple>()) return "(" + join_all(value.to_tuple().elements) + ")";
  if (value.is<double>()) return to_string(Value(value.to_double()));
  if (value.is<Tensor>()) return to_string(Value(value.to_tensor()));
  return std::string(value.type_name());
}

}  // namespace structured::program
