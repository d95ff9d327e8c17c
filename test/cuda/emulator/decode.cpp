// Reads PTX: splits a module into functions and variables, and decodes the instructions of a function.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <functional>
#include <optional>

#include "operations.h"

namespace emulator {
namespace {

using Strings = std::vector<std::string_view>;

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' || c == '.';
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}
std::string_view first_word(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && !is_space(text[end])) ++end;
  return text.substr(0, end);
}
/// Removes comments and keeps line breaks.
std::string without_comments(std::string text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '/') continue;
    if (text[i + 1] == '/') {
      for (; i < text.size() && text[i] != '\n'; ++i) text[i] = ' ';
    } else if (text[i + 1] == '*') {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size() - 2);
      for (; i < end + 2; ++i) {
        if (text[i] != '\n') text[i] = ' ';
      }
    }
  }
  return text;
}
/// Splits at commas outside of brackets and braces.
Strings split_list(std::string_view text) {
  Strings parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (i == text.size() || (c == ',' && depth == 0)) {
      const std::string_view part = trim(text.substr(begin, i - begin));
      if (!part.empty()) parts.push_back(part);
      begin = i + 1;
    }
  }
  return parts;
}
Strings split_dots(std::string_view word) {
  Strings parts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= word.size(); ++i) {
    if (i == word.size() || word[i] == '.') {
      parts.push_back(word.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  return parts;
}
std::size_t matching(std::string_view text, std::size_t open) {
  const char opening = text[open];
  const char closing = opening == '(' ? ')' : opening == '{' ? '}' : ']';
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == opening) ++depth;
    if (text[i] == closing && --depth == 0) return i;
  }
  throw Fault("PTX: unmatched bracket");
}
std::int64_t integer(std::string_view text) {
  bool is_negative = false;
  if (!text.empty() && text.front() == '-') is_negative = true, text.remove_prefix(1);
  if (!text.empty() && text.back() == 'U') text.remove_suffix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16, text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) {
    throw Fault("PTX: expected a number, got `" + std::string(text) + "`");
  }
  return static_cast<std::int64_t>(is_negative ? 0 - value : value);
}

std::int32_t bits_of(std::string_view type) {
  if (type == "pred") return 8;
  if (type == "f16x2" || type == "bf16x2") return 32;
  if (type == "bf16") return 16;
  return static_cast<std::int32_t>(integer(type.substr(1)));
}

/// `.align 8 .b8 name[64]`, `.b32 name`, with or without an initialiser.
struct Declaration {
  std::string_view name;
  std::string_view type;
  std::string_view initialiser;
  std::int32_t align = 1;
  std::int64_t size = 0;
  bool has_unknown_size = false;
};
Declaration read_declaration(std::string_view text) {
  Declaration result;
  const std::size_t equals = text.find('=');
  if (equals != std::string_view::npos) {
    result.initialiser = trim(text.substr(equals + 1));
    text = trim(text.substr(0, equals));
  }
  std::int64_t count = 1;
  const std::size_t bracket = text.find('[');
  std::string_view head = text.substr(0, bracket);
  for (std::size_t open = bracket; open != std::string_view::npos; open = text.find('[', open + 1)) {
    const std::string_view inner = trim(text.substr(open + 1, text.find(']', open) - open - 1));
    if (inner.empty()) {
      result.has_unknown_size = true;
    } else {
      count *= integer(inner);
    }
  }
  std::int64_t vector = 1;
  for (std::string_view rest = trim(head); !rest.empty();) {
    const std::string_view word = first_word(rest);
    rest = trim(rest.substr(word.size()));
    if (word == ".align") {
      result.align = static_cast<std::int32_t>(integer(first_word(rest)));
      rest = trim(rest.substr(first_word(rest).size()));
    } else if (word == ".v2" || word == ".v4") {
      vector = integer(word.substr(2));
    } else if (word == ".ptr") {  // `.ptr .global .align 1`: a promise about the pointer
      while (!rest.empty() && rest.front() == '.') {
        const std::string_view each = first_word(rest);
        rest = trim(rest.substr(each.size()));
        if (each == ".align") rest = trim(rest.substr(first_word(rest).size()));
      }
    } else if (word.front() == '.') {
      if (std::isdigit(static_cast<unsigned char>(word.back())) != 0 || word == ".pred" || word == ".f16x2") {
        result.type = word.substr(1);
      }
    } else {
      result.name = word;
    }
  }
  const std::int32_t bytes = bits_of(result.type) / 8;
  result.align = std::max(result.align, static_cast<std::int32_t>(bytes * vector));
  result.size = bytes * vector * count;
  return result;
}

std::int32_t aligned(std::int32_t offset, std::int32_t align) { return (offset + align - 1) / align * align; }

struct TypeOf {
  std::string_view name;
  bool is_float = false, is_signed = false;
  std::int32_t bits = 0;
};

/// Calls `make.operator()<T>()` with the type of this name.
template <class Make>
Handler with_integer(std::string_view type, const Make& make) {
  if (type == "s64") return make.template operator()<std::int64_t>();
  if (type == "s32") return make.template operator()<std::int32_t>();
  if (type == "s16") return make.template operator()<std::int16_t>();
  if (type == "s8") return make.template operator()<std::int8_t>();
  if (type == "u64" || type == "b64") return make.template operator()<std::uint64_t>();
  if (type == "u32" || type == "b32") return make.template operator()<std::uint32_t>();
  if (type == "u16" || type == "b16") return make.template operator()<std::uint16_t>();
  if (type == "u8" || type == "b8") return make.template operator()<std::uint8_t>();
  return nullptr;
}
template <class Make>
Handler with_float(std::string_view type, const Make& make) {
  if (type == "f32") return make.template operator()<float>();
  if (type == "f64") return make.template operator()<double>();
  if (type == "f16") return make.template operator()<F16>();
  if (type == "bf16") return make.template operator()<BF16>();
  return nullptr;
}
template <class Make>
Handler with_number(std::string_view type, const Make& make) {
  const Handler found = with_integer(type, make);
  return found != nullptr ? found : with_float(type, make);
}
/// An unsigned integer of the type's size, for moves of bits.
template <class Make>
Handler with_bits(std::string_view type, const Make& make) {
  switch (bits_of(type)) {
    case 8:
      return make.template operator()<std::uint8_t>();
    case 16:
      return make.template operator()<std::uint16_t>();
    case 32:
      return make.template operator()<std::uint32_t>();
    default:
      return make.template operator()<std::uint64_t>();
  }
}

template <class Operator>
Handler float_binary_of(std::string_view type) {
  if (type == "f16x2") return &packed_binary<F16, Operator>;
  if (type == "bf16x2") return &packed_binary<BF16, Operator>;
  return with_float(type, []<class T>() -> Handler {
    if constexpr (std::is_integral_v<T>)
      return nullptr;
    else
      return &float_binary<T, Operator>;
  });
}
template <class Operator>
Handler float_unary_of(std::string_view type) {
  if (type == "f16x2") return &packed_unary<F16, Operator>;
  if (type == "bf16x2") return &packed_unary<BF16, Operator>;
  return with_float(type, []<class T>() -> Handler {
    if constexpr (std::is_integral_v<T>)
      return nullptr;
    else
      return &float_unary<T, Operator>;
  });
}
template <class Operator>
Handler bitwise_of(std::string_view type) {
  if (type == "pred") return &integer_binary<std::uint64_t, Operator>;
  return with_integer(type, []<class T>() -> Handler { return &integer_binary<T, Operator>; });
}

}  // namespace

std::string Function::text_of(const Instruction& instruction) const {
  std::size_t begin = instruction.line;
  return std::string(trim(body.substr(begin, body.find(';', begin) - begin)));
}

// ------------------------------------------------------------------------------------------------------- modules

Module::Module(std::string text, Memory& memory, int device)
    : text_(without_comments(std::move(text))), memory_(memory), device_(device) {
  std::string_view rest = text_;
  while (!(rest = trim(rest)).empty()) {
    std::string_view word = first_word(rest);
    if (word == ".version" || word == ".target" || word == ".address_size" || word == ".file") {
      rest = rest.substr(std::min(rest.find('\n'), rest.size()));
      continue;
    }
    bool is_extern = false;
    while (word == ".visible" || word == ".extern" || word == ".weak" || word == ".common") {
      is_extern |= word == ".extern";
      rest = trim(rest.substr(word.size()));
      word = first_word(rest);
    }
    if (word == ".func" || word == ".entry") {
      auto function = std::make_unique<Function>();
      function->module = this;
      function->is_entry = word == ".entry";
      rest = trim(rest.substr(word.size()));
      if (rest.front() == '(') {
        const std::size_t close = matching(rest, 0);
        function->result_text = rest.substr(1, close - 1);
        rest = trim(rest.substr(close + 1));
      }
      std::size_t end = 0;
      while (end < rest.size() && is_word(rest[end])) ++end;
      function->name = rest.substr(0, end);
      rest = trim(rest.substr(end));
      if (!rest.empty() && rest.front() == '(') {
        const std::size_t close = matching(rest, 0);
        function->parameter_text = rest.substr(1, close - 1);
        rest = trim(rest.substr(close + 1));
      }
      const std::size_t stop = rest.find_first_of("{;");
      const std::string_view attributes = rest.substr(0, stop);
      const std::size_t limit = attributes.find(".maxntid");
      if (limit != std::string_view::npos) {
        std::uint32_t threads = 1;
        std::string_view numbers = trim(attributes.substr(limit + 8));
        numbers = numbers.substr(0, numbers.find_first_of(".\n"));
        for (const std::string_view number : split_list(numbers))
          threads *= static_cast<std::uint32_t>(integer(number));
        function->max_threads = threads;
      }
      const bool has_body = rest[stop] == '{';
      if (has_body) {
        const std::size_t close = matching(rest, stop);
        function->body = rest.substr(stop + 1, close - stop - 1);
        rest = rest.substr(close + 1);
      } else {
        rest = rest.substr(stop + 1);
      }
      std::unique_ptr<Function>& known = functions_[function->name];
      if (known == nullptr || has_body) known = std::move(function);
      continue;
    }
    const std::size_t end = rest.find(';');
    if (end == std::string_view::npos) throw Fault("PTX: expected `;` after `" + std::string(rest.substr(0, 60)) + "`");
    if (word == ".global" || word == ".const" || word == ".shared") read_variable(rest.substr(0, end));
    static_cast<void>(is_extern);
    rest = rest.substr(end + 1);
  }
}

void Module::read_variable(std::string_view text) {
  const std::string_view space = first_word(text);
  const Declaration declaration = read_declaration(trim(text.substr(space.size())));
  const std::string name(declaration.name);
  if (space == ".shared") {
    if (declaration.has_unknown_size) {
      dynamic_shared_.push_back(name);
      return;
    }
    shared_bytes_ = aligned(shared_bytes_, std::max(declaration.align, 16));
    shared_[name] = shared_bytes_;
    shared_bytes_ = aligned(shared_bytes_ + static_cast<std::int32_t>(declaration.size), 16);
    return;
  }
  const Address address =
      memory_.allocate(static_cast<std::size_t>(std::max<std::int64_t>(declaration.size, 1)), device_);
  variables_[name] = address;
  char* to = host_pointer(address);
  std::memset(to, 0, static_cast<std::size_t>(declaration.size));
  if (declaration.initialiser.empty()) return;
  std::string_view list = declaration.initialiser;
  if (list.front() == '{') list = list.substr(1, list.size() - 2);
  const auto bytes = static_cast<std::size_t>(bits_of(declaration.type) / 8);
  std::function<void(std::string_view)> write = [&](std::string_view values) {
    for (const std::string_view value : split_list(values)) {
      if (value.front() == '{') {
        write(value.substr(1, value.size() - 2));
        continue;
      }
      std::uint64_t word = 0;
      if (value.starts_with("0f") || value.starts_with("0d") || value.starts_with("0F") || value.starts_with("0D")) {
        word = static_cast<std::uint64_t>(integer("0x" + std::string(value.substr(2))));
      } else if (std::isdigit(static_cast<unsigned char>(value.front())) != 0 || value.front() == '-') {
        word = static_cast<std::uint64_t>(integer(value));
      } else {
        std::string_view symbol = value;
        if (symbol.starts_with("generic(")) symbol = symbol.substr(8, symbol.size() - 9);
        const std::size_t plus = symbol.find('+');
        word = variable(symbol.substr(0, plus));
        if (word == 0) throw Fault("PTX: unknown address in an initialiser: " + std::string(value));
        if (plus != std::string_view::npos) word += static_cast<std::uint64_t>(integer(symbol.substr(plus + 1)));
      }
      std::memcpy(to, &word, bytes);
      to += bytes;
    }
  };
  write(list);
}

Function* Module::find(std::string_view name) {
  const auto found = functions_.find(std::string(name));
  return found == functions_.end() ? nullptr : found->second.get();
}

Address Module::variable(std::string_view name) const {
  const auto found = variables_.find(std::string(name));
  return found == variables_.end() ? 0 : found->second;
}

// ----------------------------------------------------------------------------------------------------- functions

class Decoder {
 public:
  Decoder(Module& module, Function& function) : module_(module), function_(function) {}

  void run() {
    function_.register_count = special_count;
    scopes_.emplace_back();
    add_parameters(function_.parameter_text, function_.parameters);
    add_parameters(function_.result_text, function_.results);
    read_statements();
    Instruction end;
    end.run = &leave;
    function_.code.push_back(end);
    // Constants follow the registers, whose number is known only now.
    for (Instruction& instruction : function_.code) {
      for (std::int32_t& slot : instruction.from) {
        if (slot <= kFirstConstant) slot = function_.register_count + (kFirstConstant - slot);
      }
    }
    for (const auto& [at, label] : branches_) {
      function_.code[at].offset = target(label);
    }
    for (const auto& [at, list] : indexed_branches_) {
      const auto found = branch_targets_.find(std::string(list));
      if (found == branch_targets_.end()) throw Fault("PTX: unknown list of branch targets " + std::string(list));
      for (const std::string_view label : found->second) {
        function_.code[at].targets.push_back(static_cast<std::int32_t>(target(label)));
      }
    }
  }

 private:
  static constexpr std::int32_t kFirstConstant = -1000;  // marks constants while the number of registers is unknown

  struct Symbol {
    enum class Kind { registers, register_, local, shared, parameter, kernel_parameter } kind;
    std::int32_t at = 0;  // slot or offset
    std::int32_t size = 0;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw Fault("PTX of " + function_.name + ": " + what + ": `" + std::string(statement_) + "`");
  }

  std::int64_t target(std::string_view label) const {
    const auto found = labels_.find(std::string(label));
    if (found == labels_.end()) throw Fault("PTX of " + function_.name + ": unknown label " + std::string(label));
    return found->second;
  }

  void add_parameters(std::string_view text, std::vector<Parameter>& parameters) {
    std::int32_t kernel_offset = 0;
    for (std::string_view each : split_list(text)) {
      const std::string_view word = first_word(each);
      const bool is_register = word == ".reg";
      const Declaration declaration = read_declaration(trim(each.substr(word.size())));
      if (is_register) fail("a parameter in a register");
      Parameter parameter;
      parameter.size = static_cast<std::int32_t>(declaration.size);
      if (function_.is_entry) {
        parameter.offset = kernel_offset = aligned(kernel_offset, declaration.align);
        kernel_offset += parameter.size;
        scopes_.back()[std::string(declaration.name)] = {Symbol::Kind::kernel_parameter, parameter.offset,
                                                         parameter.size};
      } else {
        parameter.offset = add_parameter_memory(declaration);
        scopes_.back()[std::string(declaration.name)] = {Symbol::Kind::parameter, parameter.offset, parameter.size};
      }
      parameters.push_back(parameter);
    }
  }

  std::int32_t add_parameter_memory(const Declaration& declaration) {
    const std::int32_t offset = aligned(function_.parameter_bytes, std::max(declaration.align, 8));
    function_.parameter_bytes = offset + static_cast<std::int32_t>(declaration.size);
    return offset;
  }

  void read_statements() {
    const std::string_view body = function_.body;
    std::size_t at = 0;
    while (at < body.size()) {
      if (is_space(body[at])) {
        ++at;
        continue;
      }
      if (body[at] == '{') {
        scopes_.emplace_back();
        ++at;
        continue;
      }
      if (body[at] == '}') {
        scopes_.pop_back();
        ++at;
        continue;
      }
      if (body[at] == ';') {
        ++at;
        continue;
      }
      if (body.compare(at, 5, ".loc ") == 0 || body.compare(at, 5, ".loc\t") == 0) {
        at = std::min(body.find('\n', at), body.size());
        continue;
      }
      // A label?
      std::size_t end = at;
      while (end < body.size() && is_word(body[end])) ++end;
      std::size_t colon = end;
      while (colon < body.size() && is_space(body[colon])) ++colon;
      if (end > at && colon < body.size() && body[colon] == ':' && body[at] != '.') {
        label_ = body.substr(at, end - at);
        labels_[std::string(label_)] = static_cast<std::int64_t>(function_.code.size());
        at = colon + 1;
        continue;
      }
      end = std::min(body.find(';', at), body.size());
      statement_ = trim(body.substr(at, end - at));
      line_ = static_cast<std::uint32_t>(at);
      read_statement(statement_);
      at = end + 1;
    }
  }

  void read_statement(std::string_view text) {
    const std::string_view word = first_word(text);
    if (word == ".reg") {
      text = trim(text.substr(4));
      const std::string_view type = first_word(text);
      for (std::string_view name : split_list(text.substr(type.size()))) {
        const std::size_t open = name.find('<');
        if (open == std::string_view::npos) {
          scopes_.back()[std::string(name)] = {Symbol::Kind::register_, function_.register_count++, 0};
        } else {
          const auto count = static_cast<std::int32_t>(integer(name.substr(open + 1, name.find('>') - open - 1)));
          scopes_.back()[std::string(name.substr(0, open))] = {Symbol::Kind::registers, function_.register_count,
                                                               count};
          function_.register_count += count;
        }
      }
      return;
    }
    if (word == ".local" || word == ".param" || word == ".shared") {
      for (std::string_view each : split_list(trim(text.substr(word.size())))) {
        const Declaration declaration = read_declaration(each);
        Symbol symbol{Symbol::Kind::parameter, 0, static_cast<std::int32_t>(declaration.size)};
        if (word == ".local") {
          symbol.kind = Symbol::Kind::local;
          symbol.at = aligned(function_.local_bytes, std::max(declaration.align, 16));
          function_.local_bytes = symbol.at + symbol.size;
        } else if (word == ".param") {
          symbol.at = add_parameter_memory(declaration);
        } else {
          symbol.kind = Symbol::Kind::shared;
          module_.shared_bytes_ = aligned(module_.shared_bytes_, std::max(declaration.align, 16));
          symbol.at = module_.shared_bytes_;
          module_.shared_bytes_ = aligned(symbol.at + symbol.size, 16);
        }
        scopes_.back()[std::string(declaration.name)] = symbol;
      }
      return;
    }
    if (word == ".pragma" || word == ".file") return;
    if (word == ".branchtargets") {
      branch_targets_[std::string(label_)] = split_list(text.substr(word.size()));
      return;
    }
    if (word.front() == '.') fail("unknown directive");
    read_instruction(text);
  }

  // ------------------------------------------------------------------------------------------------- operands

  const Symbol* find_symbol(std::string_view name) const {
    const std::string text(name);
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto found = scope->find(text);
      if (found != scope->end()) return &found->second;
    }
    return nullptr;
  }

  std::optional<std::int32_t> register_slot(std::string_view name) const {
    if (name == "_") return static_cast<std::int32_t>(sink);
    static const std::unordered_map<std::string_view, SpecialRegister> specials = {
        {"%tid.x", tid_x},
        {"%tid.y", tid_y},
        {"%tid.z", tid_z},
        {"%ntid.x", ntid_x},
        {"%ntid.y", ntid_y},
        {"%ntid.z", ntid_z},
        {"%ctaid.x", ctaid_x},
        {"%ctaid.y", ctaid_y},
        {"%ctaid.z", ctaid_z},
        {"%nctaid.x", nctaid_x},
        {"%nctaid.y", nctaid_y},
        {"%nctaid.z", nctaid_z},
        {"%laneid", laneid},
        {"%warpid", warpid},
        {"%nwarpid", nwarpid},
        {"WARP_SZ", warpsize},
        {"%smid", smid},
        {"%nsmid", nsmid},
        {"%gridid", gridid},
        {"%clock", clock},
        {"%clock64", clock},
        {"%globaltimer", clock},
        {"%lanemask_eq", lanemask_eq},
        {"%lanemask_le", lanemask_le},
        {"%lanemask_lt", lanemask_lt},
        {"%lanemask_ge", lanemask_ge},
        {"%lanemask_gt", lanemask_gt},
        {"%dynamic_smem_size", dynamic_smem_size},
        {"%total_smem_size", total_smem_size}};
    const auto special = specials.find(name);
    if (special != specials.end()) return special->second;
    if (const Symbol* const symbol = find_symbol(name); symbol != nullptr && symbol->kind == Symbol::Kind::register_) {
      return symbol->at;
    }
    std::size_t digits = name.size();
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(name[digits - 1])) != 0) --digits;
    if (digits == name.size()) return std::nullopt;
    const Symbol* const symbol = find_symbol(name.substr(0, digits));
    if (symbol == nullptr || symbol->kind != Symbol::Kind::registers) return std::nullopt;
    const auto index = static_cast<std::int32_t>(integer(name.substr(digits)));
    if (index >= symbol->size) return std::nullopt;
    return symbol->at + index;
  }

  std::int32_t constant(std::uint64_t value) {
    const auto [found, is_new] = constants_.try_emplace(value, static_cast<std::int32_t>(function_.constants.size()));
    if (is_new) function_.constants.push_back(value);
    return kFirstConstant - found->second;
  }

  /// Address of a variable in its space, without those in local memory. That of a kernel's parameter is generic, since
  /// ld.param with a register must tell it from a parameter of a function.
  std::optional<Address> symbol_address(std::string_view name) const {
    const std::string text(name);
    if (const Symbol* const symbol = find_symbol(name); symbol != nullptr) {
      const auto at = static_cast<Address>(symbol->at);
      if (symbol->kind == Symbol::Kind::shared) return at;
      if (symbol->kind == Symbol::Kind::kernel_parameter) return at | kParamWindow;
      return std::nullopt;
    }
    if (const auto found = module_.shared_.find(text); found != module_.shared_.end()) {
      return static_cast<Address>(found->second);
    }
    if (std::ranges::find(module_.dynamic_shared_, text) != module_.dynamic_shared_.end()) {
      return static_cast<Address>(module_.shared_bytes_);
    }
    if (const Address address = module_.variable(name); address != 0) return address;
    return std::nullopt;
  }

  std::uint64_t literal(std::string_view text) const {
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D')) {
      return static_cast<std::uint64_t>(integer("0x" + std::string(text.substr(2))));
    }
    return static_cast<std::uint64_t>(integer(text));
  }

  std::int32_t source(std::string_view text) {
    text = trim(text);
    if (const auto slot = register_slot(text)) return *slot;
    if (std::isdigit(static_cast<unsigned char>(text.front())) != 0 || text.front() == '-')
      return constant(literal(text));
    fail("unknown operand `" + std::string(text) + "`");
  }
  std::int32_t destination(std::string_view text) const {
    if (const auto slot = register_slot(trim(text))) return *slot;
    fail("unknown register `" + std::string(text) + "`");
  }
  std::string_view without_not(std::string_view text, bool& is_negated) const {
    is_negated = text.front() == '!';
    return is_negated ? trim(text.substr(1)) : text;
  }

  /// `[%rd1+8]`, `[symbol+8]`, `[%rd1]`.
  void read_address(std::string_view text, Instruction& i) {
    text = trim(text);
    if (text.size() < 2 || text.front() != '[') fail("expected an address");
    text = trim(text.substr(1, text.size() - 2));
    std::size_t plus = text.find('+');
    if (plus == std::string_view::npos) plus = text.find('-', 1);
    const std::string_view base = trim(text.substr(0, plus));
    if (plus != std::string_view::npos) {
      const std::string_view rest = trim(text.substr(text[plus] == '+' ? plus + 1 : plus));
      i.offset = integer(rest);
    }
    if (const auto slot = register_slot(base)) {
      i.from[0] = *slot;
      return;
    }
    const Symbol* const symbol = find_symbol(base);
    if (symbol != nullptr && symbol->kind == Symbol::Kind::local) {
      i.has_address_symbol = true;
      i.offset += symbol->at;
      return;
    }
    if (symbol != nullptr && symbol->kind == Symbol::Kind::parameter) {
      i.offset += symbol->at;
      return;
    }
    if (symbol != nullptr && symbol->kind == Symbol::Kind::kernel_parameter) i.space = Space::kernel_param;
    if (const auto address = symbol_address(base)) {
      i.offset += static_cast<std::int64_t>(*address);
      return;
    }
    if (std::isdigit(static_cast<unsigned char>(base.front())) != 0) {
      i.offset += integer(base);
      return;
    }
    fail("unknown address");
  }

  Strings vector_parts(std::string_view text) const {
    text = trim(text);
    if (text.front() != '{') return {text};
    return split_list(text.substr(1, text.size() - 2));
  }

  // ------------------------------------------------------------------------------------------------ instructions

  void read_instruction(std::string_view text) {
    Instruction i;
    i.line = line_;
    if (text.front() == '@') {
      const std::size_t end = text.find_first_of(" \t\n");
      std::string_view guard = text.substr(1, end - 1);
      guard = without_not(guard, i.is_guard_negated);
      i.guard = destination(guard);
      text = trim(text.substr(end));
    }
    const std::string_view opcode = first_word(text);
    const std::string_view rest = trim(text.substr(opcode.size()));
    parts_ = split_dots(opcode);
    operands_ = split_list(rest);
    type_ = parts_.back();
    if (parts_[0] == "call") {
      read_call(rest, i);
    } else {
      for (const std::string_view part : parts_) {
        i.flush |= part == "ftz";
        i.saturate |= part == "sat";
      }
      decode(parts_[0], i);
    }
    if (i.run == nullptr) fail("unsupported instruction");
    function_.code.push_back(std::move(i));
  }

  bool has(std::string_view part) const { return std::find(parts_.begin() + 1, parts_.end(), part) != parts_.end(); }
  std::uint8_t rounding() const {
    return has("rz") || has("rzi") ? to_zero : has("rm") || has("rmi") ? down : has("rp") || has("rpi") ? up : nearest;
  }
  bool is_float() const { return type_.front() == 'f' || type_.starts_with("bf16"); }

  void read_call(std::string_view text, Instruction& i) {
    const auto offsets = [&](std::string_view list) {
      std::vector<std::int32_t> result;
      for (const std::string_view name : split_list(list)) {
        const Symbol* const symbol = find_symbol(name);
        if (symbol == nullptr || symbol->kind != Symbol::Kind::parameter) fail("unknown argument");
        result.push_back(symbol->at);
      }
      return result;
    };
    if (text.front() == '(') {
      const std::size_t close = matching(text, 0);
      i.results = offsets(text.substr(1, close - 1));
      text = trim(text.substr(close + 1));
      if (text.starts_with(',')) text = trim(text.substr(1));
    }
    std::size_t end = 0;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view name = text.substr(0, end);
    text = trim(text.substr(end));
    if (text.starts_with(',')) text = trim(text.substr(1));
    if (text.starts_with('(')) i.arguments = offsets(text.substr(1, matching(text, 0) - 1));
    i.callee = module_.find(name);
    if (i.callee == nullptr || i.callee->body.empty()) fail("call of an unknown function");
    module_.decode(*i.callee);
    function_.waits |= i.callee->waits;
    i.run = &call;
  }

  void set_operands(Instruction& i) {
    i.to[0] = destination(operands_.at(0));
    for (std::size_t k = 1; k < operands_.size() && k < 6; ++k) i.from[k - 1] = source(operands_[k]);
  }

  void decode(std::string_view name, Instruction& i) {
    if (decode_memory(name, i) || decode_control(name, i) || decode_warp(name, i)) return;
    if (decode_comparison(name, i) || decode_conversion(name, i)) return;
    if (name == "mov") return decode_move(i);
    if (is_float() && decode_float(name, i)) return;
    decode_integer(name, i);
  }

  void decode_move(Instruction& i) {
    const std::string_view to = operands_.at(0);
    const std::string_view from = operands_.at(1);
    if (to.front() == '{') {
      const Strings parts = vector_parts(to);
      i.count = static_cast<std::uint8_t>(parts.size());
      for (std::size_t k = 0; k < parts.size(); ++k) i.to[k] = destination(parts[k]);
      i.from[0] = source(from);
      i.run = element_handler(bits_of(type_) / i.count, []<class T>() -> Handler { return &unpack<T>; });
      return;
    }
    i.to[0] = destination(to);
    if (from.front() == '{') {
      const Strings parts = vector_parts(from);
      i.count = static_cast<std::uint8_t>(parts.size());
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
    std::int64_t offset = 0;
    if (const std::size_t plus = from.find('+'); plus != std::string_view::npos) {
      base = trim(from.substr(0, plus));
      offset = integer(trim(from.substr(plus + 1)));
    }
    if (const auto address = symbol_address(base)) {
      i.from[0] = constant(*address + static_cast<std::uint64_t>(offset));
    } else {
      i.from[0] = source(from);
    }
  }

  template <class Make>
  Handler element_handler(std::int32_t bits, const Make& make) {
    if (bits == 8) return make.template operator()<std::uint8_t>();
    if (bits == 16) return make.template operator()<std::uint16_t>();
    if (bits == 32) return make.template operator()<std::uint32_t>();
    return nullptr;
  }

  Space space_of() const {
    for (const std::string_view part : parts_) {
      if (part == "global" || part == "const") return Space::global;
      if (part.starts_with("shared")) return Space::shared;
      if (part == "local") return Space::local;
      if (part.starts_with("param")) return Space::param;
    }
    return Space::generic;
  }

  bool decode_memory(std::string_view name, Instruction& i) {
    if (name == "ld" || name == "ldu" || name == "st") {
      i.space = space_of();
      const bool is_store = name == "st";
      const Strings values = vector_parts(operands_.at(is_store ? 1 : 0));
      i.count = static_cast<std::uint8_t>(values.size());
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
      i.offset = static_cast<std::int64_t>(space == Space::shared  ? kSharedWindow
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
      i.offset = static_cast<std::int64_t>(space == Space::shared  ? kSharedWindow
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

  void decode_atomic(Instruction& i) {
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

  bool decode_control(std::string_view name, Instruction& i) {
    if (name == "bra") {
      branches_.emplace_back(function_.code.size(), operands_.at(0));
      i.run = &branch;
    } else if (name == "brx") {
      i.from[0] = source(operands_.at(0));
      indexed_branches_.emplace_back(function_.code.size(), operands_.at(1));
      i.run = &branch_indexed;
    } else if (name == "ret") {
      i.run = &leave;
    } else if (name == "exit") {
      i.run = &exit_thread;
    } else if (name == "trap" || name == "brkpt") {
      i.run = &trap;
    } else if (name == "membar" || name == "fence" || name == "nanosleep" || name == "griddepcontrol") {
      i.run = &nothing;
    } else if ((name == "bar" || name == "barrier") && !has("warp")) {
      if (operands_.size() > 1 && !has("red")) fail("a barrier for a part of the block");
      function_.waits = true;
      i.run = &barrier;
      if (has("red")) {
        i.to[0] = destination(operands_.at(0));
        i.mode = static_cast<std::uint8_t>(has("popc")  ? BarrierReduction::popc
                                           : has("and") ? BarrierReduction::all
                                                        : BarrierReduction::any);
        i.from[0] = source(without_not(operands_.back(), i.is_source_negated));
      }
    } else {
      return false;
    }
    return true;
  }

  bool decode_warp(std::string_view name, Instruction& i) {
    using Operation = WarpOperation;
    std::optional<Operation> operation;
    if (name == "activemask") {
      i.to[0] = destination(operands_.at(0));
      i.run = &active_mask;
      return true;
    }
    if (name == "bar" || name == "barrier") {
      operation = Operation::sync;
      i.from[4] = source(operands_.at(0));
    } else if (name == "shfl") {
      operation = has("up")     ? Operation::shuffle_up
                  : has("down") ? Operation::shuffle_down
                  : has("bfly") ? Operation::shuffle_bfly
                                : Operation::shuffle_idx;
      set_result_and_predicate(operands_.at(0), i);
      for (std::size_t k = 1; k < 4; ++k) i.from[k - 1] = source(operands_.at(k));
      i.from[4] = source(operands_.at(4));
    } else if (name == "vote") {
      operation = has("all")   ? Operation::vote_all
                  : has("any") ? Operation::vote_any
                  : has("uni") ? Operation::vote_uni
                               : Operation::vote_ballot;
      i.to[0] = destination(operands_.at(0));
      i.from[0] = source(without_not(operands_.at(1), i.is_source_negated));
      i.from[4] = source(operands_.at(2));
    } else if (name == "match") {
      operation = has("any") ? Operation::match_any : Operation::match_all;
      set_result_and_predicate(operands_.at(0), i);
      i.from[0] = source(operands_.at(1));
      i.from[4] = source(operands_.at(2));
    } else if (name == "redux") {
      const bool is_signed = type_ == "s32";
      operation = has("add")   ? Operation::add
                  : has("min") ? (is_signed ? Operation::min_signed : Operation::min)
                  : has("max") ? (is_signed ? Operation::max_signed : Operation::max)
                  : has("and") ? Operation::bit_and
                  : has("or")  ? Operation::bit_or
                               : Operation::bit_xor;
      i.to[0] = destination(operands_.at(0));
      i.from[0] = source(operands_.at(1));
      i.from[4] = source(operands_.at(2));
    }
    if (!operation) return false;
    function_.waits = true;
    i.mode = static_cast<std::uint8_t>(*operation);
    i.run = &warp_operation;
    return true;
  }

  void set_result_and_predicate(std::string_view text, Instruction& i) {
    const std::size_t bar = text.find('|');
    i.to[0] = destination(text.substr(0, bar));
    if (bar != std::string_view::npos) i.to[1] = destination(text.substr(bar + 1));
  }

  bool decode_comparison(std::string_view name, Instruction& i) {
    if (name == "selp") {
      set_operands(i);
      i.run = with_bits(type_, []<class T>() -> Handler { return &select<T>; });
      return true;
    }
    if (name == "testp") {
      set_operands(i);
      static constexpr std::string_view names[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
      for (std::uint8_t k = 0; k < 6; ++k) {
        if (has(names[k])) i.mode = k;
      }
      i.run = type_ == "f64" ? &test_property<double> : &test_property<float>;
      return true;
    }
    if (name != "setp" && name != "set") return false;
    static constexpr std::string_view names[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                                 "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
    static constexpr std::pair<std::string_view, std::uint8_t> unsigned_names[] = {
        {"lo", 2}, {"ls", 3}, {"hi", 4}, {"hs", 5}};
    for (std::uint8_t k = 0; k < 14; ++k) {
      if (parts_[1] == names[k]) i.mode = k;
    }
    for (const auto& [word, mode] : unsigned_names) {
      if (parts_[1] == word) i.mode = mode;
    }
    set_result_and_predicate(operands_.at(0), i);
    i.from[0] = source(operands_.at(1));
    i.from[1] = source(operands_.at(2));
    if (operands_.size() > 3) {
      bool is_negated = false;
      i.from[2] = source(without_not(operands_[3], is_negated));
      const int combination = has("and") ? 1 : has("or") ? 2 : 3;
      i.mode = static_cast<std::uint8_t>(i.mode | combination << 4 | (is_negated ? 0x40 : 0));
    }
    if (name == "setp") {
      i.run = with_number(type_, []<class T>() -> Handler { return &set_predicate<T>; });
    } else {
      if (has("f32") && parts_[parts_.size() - 2] == "f32") i.mode |= 0x80;
      i.run = with_number(type_, []<class T>() -> Handler { return &set_value<T>; });
    }
    return true;
  }

  bool decode_conversion(std::string_view name, Instruction& i) {
    if (name != "cvt") return false;
    set_operands(i);
    const std::string_view to = parts_[parts_.size() - 2];
    if (to == "f16x2" || to == "bf16x2") {
      if (has("relu") || has("rz")) return true;
      i.run = to == "f16x2" ? &convert_two<F16> : &convert_two<BF16>;
      return true;
    }
    const bool rounds_to_integer = has("rni") || has("rzi") || has("rmi") || has("rpi");
    i.mode = static_cast<std::uint8_t>(rounding() | (rounds_to_integer ? 0x10 : 0));
    i.run = with_number(to, [&]<class To>() -> Handler {
      return with_number(type_, []<class From>() -> Handler { return &convert_number<To, From>; });
    });
    return true;
  }

  bool decode_float(std::string_view name, Instruction& i) {
    set_operands(i);
    i.mode = rounding();
    const bool is_coarse = has("approx") && type_ == "f64";
    if (name == "add") {
      i.run = float_binary_of<Add>(type_);
    } else if (name == "sub") {
      i.run = float_binary_of<Subtract>(type_);
    } else if (name == "mul") {
      i.run = float_binary_of<Multiply>(type_);
    } else if (name == "div") {
      i.run = float_binary_of<Divide>(type_);
    } else if (name == "min") {
      i.run = has("NaN") ? float_binary_of<OrNan<Minimum>>(type_) : float_binary_of<Minimum>(type_);
    } else if (name == "max") {
      i.run = has("NaN") ? float_binary_of<OrNan<Maximum>>(type_) : float_binary_of<Maximum>(type_);
    } else if (name == "copysign") {
      i.run = float_binary_of<CopySign>(type_);
    } else if (name == "fma" || name == "mad") {
      i.run = type_ == "f16x2"    ? &packed_fma<F16>
              : type_ == "bf16x2" ? &packed_fma<BF16>
                                  : with_float(type_, []<class T>() -> Handler { return &float_fma<T>; });
    } else if (name == "neg") {
      i.run = float_unary_of<Negate>(type_);
    } else if (name == "abs") {
      i.run = float_unary_of<Absolute>(type_);
    } else if (name == "sqrt") {
      i.run = float_unary_of<Root>(type_);
    } else if (name == "rcp") {
      i.run = is_coarse ? &coarse_double<Reciprocal> : float_unary_of<Reciprocal>(type_);
    } else if (name == "rsqrt") {
      i.run = is_coarse ? &coarse_double<ReciprocalRoot> : float_unary_of<ReciprocalRoot>(type_);
    } else if (name == "sin") {
      i.run = float_unary_of<Sine>(type_);
    } else if (name == "cos") {
      i.run = float_unary_of<Cosine>(type_);
    } else if (name == "lg2") {
      i.run = float_unary_of<Log2>(type_);
    } else if (name == "ex2") {
      i.run = float_unary_of<Exp2>(type_);
    } else if (name == "tanh") {
      i.run = float_unary_of<Tanh>(type_);
    }
    return i.run != nullptr;
  }

  void decode_integer(std::string_view name, Instruction& i) {
    set_operands(i);
    const bool sets_carry = has("cc");
    const auto each = [&](const auto& make) { i.run = with_integer(type_, make); };
    if (name == "addc" || name == "subc" || ((name == "add" || name == "sub") && sets_carry)) {
      i.mode =
          static_cast<std::uint8_t>((sets_carry ? 1 : 0) | (name.back() == 'c' ? 2 : 0) | (name[0] == 's' ? 4 : 0));
      each([]<class T>() -> Handler { return &add_carry<T>; });
    } else if (name == "add") {
      each([]<class T>() -> Handler { return &integer_wrapping<T, Add>; });
    } else if (name == "sub") {
      each([]<class T>() -> Handler { return &integer_wrapping<T, Subtract>; });
    } else if (name == "mul") {
      i.mode = has("hi") ? 1 : 0;
      if (has("wide")) {
        each([]<class T>() -> Handler { return &multiply_wide<T>; });
      } else {
        each([]<class T>() -> Handler { return &multiply<T>; });
      }
    } else if (name == "mad" || name == "madc") {
      i.mode = static_cast<std::uint8_t>((has("hi") ? 1 : 0) | (sets_carry ? 2 : 0) | (name == "madc" ? 4 : 0));
      if (has("wide")) {
        each([]<class T>() -> Handler { return &multiply_add_wide<T>; });
      } else {
        each([]<class T>() -> Handler { return &multiply_add<T>; });
      }
    } else if (name == "div") {
      each([]<class T>() -> Handler { return &integer_binary<T, Quotient>; });
    } else if (name == "rem") {
      each([]<class T>() -> Handler { return &integer_binary<T, Remainder>; });
    } else if (name == "min") {
      each([]<class T>() -> Handler { return &integer_binary<T, Minimum>; });
    } else if (name == "max") {
      each([]<class T>() -> Handler { return &integer_binary<T, Maximum>; });
    } else if (name == "neg") {
      each([]<class T>() -> Handler { return &negate<T>; });
    } else if (name == "abs") {
      each([]<class T>() -> Handler { return &absolute<T>; });
    } else if (name == "and") {
      i.run = bitwise_of<And>(type_);
    } else if (name == "or") {
      i.run = bitwise_of<Or>(type_);
    } else if (name == "xor") {
      i.run = bitwise_of<Xor>(type_);
    } else if (name == "not" && type_ == "pred") {
      i.run = &logical_not<std::uint64_t>;
    } else if (name == "not") {
      each([]<class T>() -> Handler { return &bit_not<T>; });
    } else if (name == "cnot") {
      each([]<class T>() -> Handler { return &logical_not<T>; });
    } else if (name == "shl") {
      each([]<class T>() -> Handler { return &shift_left<T>; });
    } else if (name == "shr") {
      each([]<class T>() -> Handler { return &shift_right<T>; });
    } else if (name == "popc") {
      i.run = type_ == "b64" ? &count_ones<std::uint64_t> : &count_ones<std::uint32_t>;
    } else if (name == "clz") {
      i.run = type_ == "b64" ? &leading_zeros<std::uint64_t> : &leading_zeros<std::uint32_t>;
    } else if (name == "bfind") {
      i.mode = has("shiftamt") ? 1 : 0;
      each([]<class T>() -> Handler { return &find_bit<T>; });
    } else if (name == "brev") {
      each([]<class T>() -> Handler { return &reverse_bits<T>; });
    } else if (name == "bfe") {
      each([]<class T>() -> Handler { return &extract_bits<T>; });
    } else if (name == "bfi") {
      i.run = type_ == "b64" ? &insert_bits<std::uint64_t> : &insert_bits<std::uint32_t>;
    } else if (name == "lop3") {
      i.run = &logic3;
    } else if (name == "shf") {
      i.mode = static_cast<std::uint8_t>((has("r") ? 1 : 0) | (has("clamp") ? 2 : 0));
      i.run = &funnel_shift;
    } else if (name == "prmt") {
      static constexpr std::string_view names[] = {"", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
      for (std::uint8_t k = 1; k < 7; ++k) {
        if (has(names[k])) i.mode = k;
      }
      i.run = &permute;
    }
  }

  Module& module_;
  Function& function_;
  std::vector<std::unordered_map<std::string, Symbol>> scopes_;
  std::unordered_map<std::uint64_t, std::int32_t> constants_;
  std::unordered_map<std::string, std::int64_t> labels_;
  std::unordered_map<std::string, Strings> branch_targets_;
  std::vector<std::pair<std::size_t, std::string_view>> branches_;
  std::vector<std::pair<std::size_t, std::string_view>> indexed_branches_;
  std::string_view statement_, label_;
  std::uint32_t line_ = 0;
  Strings parts_, operands_;
  std::string_view type_;
};

void Module::decode(Function& function) {
  if (function.is_decoded) return;
  function.is_decoded = true;  // before its calls are decoded, which may be recursive
  Decoder(*this, function).run();
}

}  // namespace emulator
