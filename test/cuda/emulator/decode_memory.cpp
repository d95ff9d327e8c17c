// Decodes moves, loads, stores and atomic operations.
#include "decoder.h"

namespace emulator {

void Decoder::decode_move(Instruction& i) {
  const std::string_view to = operands_.at(0);
  const std::string_view from = operands_.at(1);
  if (to.front() == '{') {
    const Strings parts = vector_parts(to);
    i.count = static_cast<uint8_t>(parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k) i.to[k] = destination(parts[k]);
    i.from[0] = source(from);
    i.run = element_handler(bits_of(type_) / i.count, []<class T>() -> Handler { return &unpack<T>; });
    return;
  }
  i.to[0] = destination(to);
  if (from.front() == '{') {
    const Strings parts = vector_parts(from);
    i.count = static_cast<uint8_t>(parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k) i.from[k] = source(parts[k]);
    i.run = element_handler(bits_of(type_) / i.count, []<class T>() -> Handler { return &pack<T>; });
    return;
  }
  const Symbol* const symbol = find_symbol(from);
  if (symbol != nullptr && symbol->kind == Symbol::Kind::local) {
    i.offset = symbol->at;
    i.run = &local_address;
    return;
  }
  i.run = &move;
  std::string_view base = from;
  int64_t offset = 0;
  if (const std::size_t plus = from.find('+'); plus != std::string_view::npos) {
    base = trim(from.substr(0, plus));
    offset = integer(trim(from.substr(plus + 1)));
  }
  if (const auto address = symbol_address(base)) {
    i.from[0] = constant(*address + static_cast<uint64_t>(offset));
  } else {
    i.from[0] = source(from);
  }
}

Space Decoder::space_of() const {
  for (const std::string_view part : parts_) {
    if (part == "global" || part == "const") return Space::global;
    if (part.starts_with("shared")) return Space::shared;
    if (part == "local") return Space::local;
    if (part.starts_with("param")) return Space::param;
  }
  return Space::generic;
}

bool Decoder::decode_memory(std::string_view name, Instruction& i) {
  if (name == "ld" || name == "ldu" || name == "st") {
    i.space = space_of();
    const bool is_store = name == "st";
    const Strings values = vector_parts(operands_.at(is_store ? 1 : 0));
    i.count = static_cast<uint8_t>(values.size());
    read_address(operands_.at(is_store ? 0 : 1), i);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (is_store) {
        i.from[k + 1] = source(values[k]);
      } else {
        i.to[k] = destination(values[k]);
      }
    }
    if (is_store) {
      i.run = with_bits(type_, []<class T>() -> Handler { return &store_memory<T>; });
    } else if (type_.front() == 's') {
      i.run = with_integer(type_, []<class T>() -> Handler { return &load<T>; });
    } else {
      i.run = with_bits(type_, []<class T>() -> Handler { return &load<T>; });
    }
    return true;
  }
  if (name == "cvta") {
    i.to[0] = destination(operands_.at(0));
    const Space space = space_of();
    i.offset = static_cast<int64_t>(space == Space::shared  ? kSharedWindow
                                    : space == Space::local ? kLocalWindow
                                    : space == Space::param ? kParamWindow
                                                            : 0);
    i.mode = has("to") ? 1 : 0;
    const Symbol* const symbol = find_symbol(operands_.at(1));
    if (symbol != nullptr && symbol->kind == Symbol::Kind::local) fail("cvta of a variable");
    if (const auto address = symbol_address(operands_[1])) {
      i.from[0] = constant(*address);
    } else {
      i.from[0] = source(operands_[1]);
    }
    i.run = &convert_address;
    return true;
  }
  if (name == "isspacep") {
    i.to[0] = destination(operands_.at(0));
    i.from[0] = source(operands_.at(1));
    const Space space = space_of();
    i.offset = static_cast<int64_t>(space == Space::shared  ? kSharedWindow
                                    : space == Space::local ? kLocalWindow
                                    : space == Space::param ? kParamWindow
                                                            : 0);
    i.run = &is_in_space;
    return true;
  }
  if (name == "prefetch" || name == "prefetchu" || name == "discard" || name == "applypriority") {
    i.run = &nothing;
    return true;
  }
  if (name == "atom" || name == "red") {
    i.space = space_of();
    const std::size_t first = name == "red" ? 0 : 1;
    if (first == 1) i.to[0] = destination(operands_.at(0));
    read_address(operands_.at(first), i);
    for (std::size_t k = first + 1; k < operands_.size(); ++k) i.from[k - first] = source(operands_[k]);
    decode_atomic(i);
    return true;
  }
  return false;
}

void Decoder::decode_atomic(Instruction& i) {
  const auto integers = [&](auto operation) {
    i.run = with_integer(type_, [&]<class T>() -> Handler { return &atomic<T, decltype(operation)>; });
  };
  if (has("add")) {
    if (type_ == "f16x2") {
      i.run = &atomic<Two<F16>, AtomicTwo<F16>>;
    } else if (type_ == "bf16x2") {
      i.run = &atomic<Two<BF16>, AtomicTwo<BF16>>;
    } else {
      i.run = with_number(type_, []<class T>() -> Handler { return &atomic<T, Atomic<Add>>; });
    }
  } else if (has("exch")) {
    integers(Exchange());
  } else if (has("cas")) {
    integers(CompareAndSwap());
  } else if (has("min")) {
    i.run = with_number(type_, []<class T>() -> Handler { return &atomic<T, Atomic<Minimum>>; });
  } else if (has("max")) {
    i.run = with_number(type_, []<class T>() -> Handler { return &atomic<T, Atomic<Maximum>>; });
  } else if (has("and")) {
    integers(Atomic<And>());
  } else if (has("or")) {
    integers(Atomic<Or>());
  } else if (has("xor")) {
    integers(Atomic<Xor>());
  } else if (has("inc")) {
    integers(Increment());
  } else if (has("dec")) {
    integers(Decrement());
  }
}

}  // namespace emulator
