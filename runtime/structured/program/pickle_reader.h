#pragma once
// Reader of pickled data. The runtime and structured-gen include this header, which includes neither.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace structured::program {

/// A value in a pickle. Objects and calls are data: the classes and functions that they name are not looked up. The
/// text of all values views the pickle.
struct PickleValue {
  using Index = uint32_t;
  enum class Kind : uint8_t {
    none,
    boolean,     // integer
    integer,     // integer
    real,        // real
    string,      // text
    tuple,       // children
    list,        // children
    dict,        // children: keys and values in turn
    global,      // module and text
    call,        // children: function, tuple of arguments
    object,      // children: class, tuple of arguments, and the state if there is one
    persistent,  // children: the identifier
  };

  Kind kind = Kind::none;
  int64_t integer = 0;
  double real = 0;
  std::string_view module;
  std::string_view text;
  std::vector<Index> children;
};

/// Reads a pickle in protocol 2, with the opcodes that PyTorch writes: a stack of values, the positions of marks, and a
/// memo. Memory is proportional to the number of bytes.
class PickleReader {
 public:
  using Index = PickleValue::Index;

  /// `bytes` outlive the values.
  explicit PickleReader(std::string_view bytes) : bytes_(bytes), values_(1) {
    if (!expect(bytes.size() <= std::numeric_limits<Index>::max(), "a smaller number of bytes")) return;
    expect(take(2) == std::string_view("\x80\x02", 2), "protocol 2");
    while (error_.empty() && step()) {
    }
    if (expect(stack_.size() == 1, "one value at the end")) root_ = stack_[0];
  }

  /// The first problem, with its position; empty if there is none.
  const std::string& error() const { return error_; }
  /// Values of the pickle, which refer to each other by index. Without value after an error.
  std::vector<PickleValue>& values() { return values_; }
  Index root() const { return root_; }

 private:
  using Kind = PickleValue::Kind;

  /// Reading ends at the first problem. Until then, missing values are `None`, at index 0, and missing bytes are empty.
  bool expect(bool condition, std::string_view what) {
    if (!condition && error_.empty()) error_ = "byte " + std::to_string(at_) + ": expected " + std::string(what);
    return condition;
  }

  std::string_view take(std::size_t count) {
    if (!expect(count <= bytes_.size() - at_, "more bytes")) return {};
    const std::string_view result = bytes_.substr(at_, count);
    at_ += count;
    return result;
  }
  std::string_view take_line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (!expect(end != std::string_view::npos, "the end of a name")) return {};
    const std::string_view result = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return result;
  }
  /// Little-endian.
  uint64_t number(std::size_t count) {
    const std::string_view bytes = take(count);
    uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
  }
  int64_t long_integer() {
    const std::size_t count = number(1);
    if (!expect(count <= 8, "an integer of at most 8 bytes") || count == 0) return 0;
    const unsigned unused = 64 - 8 * static_cast<unsigned>(count);
    return static_cast<int64_t>(number(count) << unused) >> unused;
  }
  double big_endian_real() {
    uint64_t bits = 0;
    for (const char byte : take(8)) bits = bits << 8 | static_cast<unsigned char>(byte);
    return std::bit_cast<double>(bits);
  }

  PickleValue& push(Kind kind) {
    values_.emplace_back();
    values_.back().kind = kind;
    stack_.push_back(static_cast<Index>(values_.size() - 1));
    return values_.back();
  }
  void push_integer(int64_t value, Kind kind = Kind::integer) { push(kind).integer = value; }
  void push_real(double value) { push(Kind::real).real = value; }
  void push_text(std::size_t nbytes) {
    const std::string_view text = take(nbytes);
    push(Kind::string).text = text;
  }
  Index pop() {
    if (!expect(stack_.size() > (marks_.empty() ? 0 : marks_.back()), "a value on the stack")) return 0;
    const Index result = stack_.back();
    stack_.pop_back();
    return result;
  }
  /// The value on top of the stack, which has one of two kinds.
  PickleValue& top(Kind kind, Kind other, const char* what) {
    if (!expect(!stack_.empty(), "a value on the stack")) return values_[0];
    PickleValue& value = values_[stack_.back()];
    return expect(value.kind == kind || value.kind == other, what) ? value : values_[0];
  }
  std::vector<Index> pop_to_mark() {
    if (!expect(!marks_.empty(), "a mark")) return {};
    std::vector<Index> values(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
    stack_.resize(marks_.back());
    marks_.pop_back();
    return values;
  }
  void push_tuple(std::size_t count) {
    std::vector<Index> values(count);
    for (std::size_t i = count; i-- > 0;) values[i] = pop();
    push(Kind::tuple).children = std::move(values);
  }
  void append(const std::vector<Index>& values) {
    PickleValue& list = top(Kind::list, Kind::list, "a list on the stack");
    list.children.insert(list.children.end(), values.begin(), values.end());
  }
  /// Whether the value is `collections.OrderedDict()`, a call.
  bool is_ordered_dict(const PickleValue& value) const {
    if (value.kind != Kind::call) return false;
    const PickleValue& function = values_[value.children[0]];
    return function.module == "collections" && function.text == "OrderedDict";
  }
  void set_items(const std::vector<Index>& values) {
    if (!expect(values.size() % 2 == 0, "keys and values in turn")) return;
    PickleValue& dict = top(Kind::dict, Kind::call, "a dictionary on the stack");
    if (dict.kind == Kind::call) {
      if (!expect(is_ordered_dict(dict), "a dictionary on the stack")) return;
      dict.kind = Kind::dict;
      dict.children.clear();
    }
    dict.children.insert(dict.children.end(), values.begin(), values.end());
  }
  void make(Kind kind) {
    const Index arguments = pop(), function = pop();
    expect(values_[function].kind == Kind::global && values_[arguments].kind == Kind::tuple,
           "a name and a tuple of arguments on the stack");
    push(kind).children = {function, arguments};
  }
  void build() {
    const Index state = pop();
    // An OrderedDict may have attributes, such as the `_metadata` of a state_dict(), which are no items.
    const bool is_dict =
        !stack_.empty() && (values_[stack_.back()].kind == Kind::dict || is_ordered_dict(values_[stack_.back()]));
    if (is_dict) return;
    PickleValue& object = top(Kind::object, Kind::object, "an object on the stack");
    if (expect(object.children.size() == 2, "an object without a state")) object.children.push_back(state);
  }
  void remember(uint64_t key) {
    if (expect(!stack_.empty(), "a value on the stack")) memo_[key] = stack_.back();
  }
  void recall(uint64_t key) {
    const auto found = memo_.find(key);
    if (expect(found != memo_.end(), "a value that was stored before")) stack_.push_back(found->second);
  }

  /// Returns false for the last opcode.
  bool step() {
    const std::string_view byte = take(1);
    if (byte.empty()) return false;
    const auto opcode = static_cast<unsigned char>(byte[0]);
    switch (opcode) {
      case '.':
        return false;
      case '(':
        marks_.push_back(stack_.size());
        break;
      case 'N':
        push(Kind::none);
        break;
      case 0x88:
      case 0x89:
        push_integer(opcode == 0x88, Kind::boolean);
        break;
      case 'J':
        push_integer(static_cast<int32_t>(number(4)));
        break;
      case 'K':
        push_integer(static_cast<int64_t>(number(1)));
        break;
      case 'M':
        push_integer(static_cast<int64_t>(number(2)));
        break;
      case 0x8a:
        push_integer(long_integer());
        break;
      case 'G':
        push_real(big_endian_real());
        break;
      case 'X':
        push_text(number(4));
        break;
      case ')':
        push_tuple(0);
        break;
      case 0x85:
      case 0x86:
      case 0x87:
        push_tuple(opcode - 0x84U);
        break;
      case 't': {
        std::vector<Index> values = pop_to_mark();
        push(Kind::tuple).children = std::move(values);
        break;
      }
      case ']':
        push(Kind::list);
        break;
      case 'a':
        append({pop()});
        break;
      case 'e':
        append(pop_to_mark());
        break;
      case '}':
        push(Kind::dict);
        break;
      case 's': {
        const Index value = pop(), key = pop();
        set_items({key, value});
        break;
      }
      case 'u':
        set_items(pop_to_mark());
        break;
      case 'q':
        remember(number(1));
        break;
      case 'r':
        remember(number(4));
        break;
      case 'h':
        recall(number(1));
        break;
      case 'j':
        recall(number(4));
        break;
      case 'c': {
        const std::string_view module = take_line(), name = take_line();
        PickleValue& value = push(Kind::global);
        value.module = module;
        value.text = name;
        break;
      }
      case 'Q': {
        const Index identifier = pop();
        push(Kind::persistent).children = {identifier};
        break;
      }
      case 'R':
        make(Kind::call);
        break;
      case 0x81:
        make(Kind::object);
        break;
      case 'b':
        build();
        break;
      default:
        --at_;
        expect(false, "an opcode that PyTorch writes, found " + std::to_string(opcode));
    }
    return true;
  }

  std::string_view bytes_;
  std::vector<PickleValue> values_;
  std::string error_;
  std::size_t at_ = 0;
  Index root_ = 0;
  std::vector<Index> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<uint64_t, Index> memo_;
};

}  // namespace structured::program
