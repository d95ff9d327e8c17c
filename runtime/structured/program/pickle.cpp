#include "structured/program/pickle.h"

#include <bit>
#include <limits>
#include <unordered_map>
#include <utility>

#include "structured/core/error.h"

namespace structured::program {

using Index = PickleValue::Index;
using Kind = PickleValue::Kind;

/// Executes the opcodes of a pickle: a stack of values, the positions of marks, and a memo.
class PickleReader {
 public:
  PickleReader(std::string_view bytes, Pickle& pickle) : bytes_(bytes), pickle_(pickle) {}

  void read() {
    expect(take(2) == std::string_view("\x80\x02", 2), "protocol 2");
    while (step(take(1)[0])) {
    }
    expect(stack_.size() == 1, "one value at the end");
    pickle_.root_ = stack_[0];
  }

 private:
  void expect(bool condition, const char* what) const {
    STRUCTURED_CHECK(condition, pickle_.name_, ": byte ", at_, ": expected ", what);
  }

  std::string_view take(std::size_t count) {
    expect(count <= bytes_.size() - at_, "more bytes");
    const std::string_view result = bytes_.substr(at_, count);
    at_ += count;
    return result;
  }
  std::string_view take_line() {
    const std::size_t end = bytes_.find('\n', at_);
    expect(end != std::string_view::npos, "the end of a name");
    const std::string_view result = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return result;
  }
  /// Little-endian.
  std::uint64_t number(std::size_t count) {
    const std::string_view bytes = take(count);
    std::uint64_t value = 0;
    for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
  }
  std::int64_t long_integer() {
    const std::size_t count = number(1);
    expect(count <= 8, "an integer of at most 8 bytes");
    if (count == 0) return 0;
    const unsigned unused = 64 - 8 * static_cast<unsigned>(count);
    return static_cast<std::int64_t>(number(count) << unused) >> unused;
  }
  double big_endian_real() {
    std::uint64_t bits = 0;
    for (const char byte : take(8)) bits = bits << 8 | static_cast<unsigned char>(byte);
    return std::bit_cast<double>(bits);
  }

  PickleValue& push(Kind kind) {
    pickle_.values_.emplace_back();
    pickle_.values_.back().kind = kind;
    stack_.push_back(static_cast<Index>(pickle_.values_.size() - 1));
    return pickle_.values_.back();
  }
  void push_integer(std::int64_t value, Kind kind = Kind::integer) { push(kind).integer = value; }
  void push_real(double value) { push(Kind::real).real = value; }
  void push_text(std::size_t nbytes) {
    const std::string_view text = take(nbytes);
    push(Kind::string).text = text;
  }
  Index pop() {
    expect(stack_.size() > (marks_.empty() ? 0 : marks_.back()), "a value on the stack");
    const Index result = stack_.back();
    stack_.pop_back();
    return result;
  }
  /// The value on top of the stack, which has one of two kinds.
  PickleValue& top(Kind kind, Kind other, const char* what) {
    expect(!stack_.empty(), "a value on the stack");
    PickleValue& value = pickle_.values_[stack_.back()];
    expect(value.kind == kind || value.kind == other, what);
    return value;
  }
  std::vector<Index> pop_to_mark() {
    expect(!marks_.empty(), "a mark");
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
  void set_items(const std::vector<Index>& values) {
    expect(values.size() % 2 == 0, "keys and values in turn");
    // `collections.OrderedDict()` is a call.
    PickleValue& dict = top(Kind::dict, Kind::call, "a dictionary on the stack");
    if (dict.kind == Kind::call) {
      const PickleValue& function = pickle_.values_[dict.children[0]];
      expect(function.module == "collections" && function.text == "OrderedDict", "a dictionary on the stack");
      dict.kind = Kind::dict;
      dict.children.clear();
    }
    dict.children.insert(dict.children.end(), values.begin(), values.end());
  }
  void make(Kind kind) {
    const Index arguments = pop(), function = pop();
    expect(pickle_.values_[function].kind == Kind::global && pickle_.values_[arguments].kind == Kind::tuple,
           "a name and a tuple of arguments on the stack");
    push(kind).children = {function, arguments};
  }
  void build() {
    const Index state = pop();
    PickleValue& object = top(Kind::object, Kind::object, "an object on the stack");
    expect(object.children.size() == 2, "an object without a state");
    object.children.push_back(state);
  }
  void remember(std::uint64_t key) {
    expect(!stack_.empty(), "a value on the stack");
    memo_[key] = stack_.back();
  }
  void recall(std::uint64_t key) {
    const auto found = memo_.find(key);
    expect(found != memo_.end(), "a value that was stored before");
    stack_.push_back(found->second);
  }

  /// Returns false for the last opcode.
  bool step(char opcode) {
    switch (static_cast<unsigned char>(opcode)) {
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
        push_integer(static_cast<unsigned char>(opcode) == 0x88, Kind::boolean);
        break;
      case 'J':
        push_integer(static_cast<std::int32_t>(number(4)));
        break;
      case 'K':
        push_integer(static_cast<std::int64_t>(number(1)));
        break;
      case 'M':
        push_integer(static_cast<std::int64_t>(number(2)));
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
        push_tuple(static_cast<unsigned char>(opcode) - 0x84U);
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
        fail(pickle_.name_, ": byte ", at_, ": expected an opcode that PyTorch writes, found ",
             static_cast<int>(static_cast<unsigned char>(opcode)));
    }
    return true;
  }

  std::string_view bytes_;
  Pickle& pickle_;
  std::size_t at_ = 0;
  std::vector<Index> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, Index> memo_;
};

Pickle::Pickle(std::string_view bytes, std::string name) : name_(std::move(name)) {
  STRUCTURED_CHECK(bytes.size() <= std::numeric_limits<Index>::max(), name_, ": expected at most ",
                   std::numeric_limits<Index>::max(), " bytes of pickled data, found ", bytes.size());
  PickleReader(bytes, *this).read();
}

}  // namespace structured::program
