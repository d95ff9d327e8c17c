// Reads the statements of a PTX function: declarations, labels, operands.
#include "decoder.h"

namespace emulator {

void Decoder::run() {
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
    for (int32_t& slot : instruction.from) {
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
      function_.code[at].targets.push_back(static_cast<int32_t>(target(label)));
    }
  }
}

void Decoder::fail(const std::string& what) const {
  throw Fault("PTX of " + function_.name + ": " + what + ": `" + std::string(statement_) + "`");
}

int64_t Decoder::target(std::string_view label) const {
  const auto found = labels_.find(std::string(label));
  if (found == labels_.end()) throw Fault("PTX of " + function_.name + ": unknown label " + std::string(label));
  return found->second;
}

void Decoder::add_parameters(std::string_view text, std::vector<Parameter>& parameters) {
  int32_t kernel_offset = 0;
  for (std::string_view each : split_list(text)) {
    const std::string_view word = first_word(each);
    const bool is_register = word == ".reg";
    const Declaration declaration = read_declaration(trim(each.substr(word.size())));
    if (is_register) fail("a parameter in a register");
    Parameter parameter;
    parameter.size = static_cast<int32_t>(declaration.size);
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

int32_t Decoder::add_parameter_memory(const Declaration& declaration) {
  const int32_t offset = aligned(function_.parameter_bytes, std::max(declaration.align, 8));
  function_.parameter_bytes = offset + static_cast<int32_t>(declaration.size);
  return offset;
}

void Decoder::read_statements() {
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
      labels_[std::string(label_)] = static_cast<int64_t>(function_.code.size());
      at = colon + 1;
      continue;
    }
    end = std::min(body.find(';', at), body.size());
    statement_ = trim(body.substr(at, end - at));
    line_ = static_cast<uint32_t>(at);
    read_statement(statement_);
    at = end + 1;
  }
}

void Decoder::read_statement(std::string_view text) {
  const std::string_view word = first_word(text);
  if (word == ".reg") {
    text = trim(text.substr(4));
    const std::string_view type = first_word(text);
    for (std::string_view name : split_list(text.substr(type.size()))) {
      const std::size_t open = name.find('<');
      if (open == std::string_view::npos) {
        scopes_.back()[std::string(name)] = {Symbol::Kind::register_, function_.register_count++, 0};
      } else {
        const auto count = static_cast<int32_t>(integer(name.substr(open + 1, name.find('>') - open - 1)));
        scopes_.back()[std::string(name.substr(0, open))] = {Symbol::Kind::registers, function_.register_count, count};
        function_.register_count += count;
      }
    }
    return;
  }
  if (word == ".local" || word == ".param" || word == ".shared") {
    for (std::string_view each : split_list(trim(text.substr(word.size())))) {
      const Declaration declaration = read_declaration(each);
      Symbol symbol{Symbol::Kind::parameter, 0, static_cast<int32_t>(declaration.size)};
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

const Decoder::Symbol* Decoder::find_symbol(std::string_view name) const {
  const std::string text(name);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->find(text);
    if (found != scope->end()) return &found->second;
  }
  return nullptr;
}

std::optional<int32_t> Decoder::register_slot(std::string_view name) const {
  if (name == "_") return static_cast<int32_t>(sink);
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
  const auto index = static_cast<int32_t>(integer(name.substr(digits)));
  if (index >= symbol->size) return std::nullopt;
  return symbol->at + index;
}

int32_t Decoder::constant(uint64_t value) {
  const auto [found, is_new] = constants_.try_emplace(value, static_cast<int32_t>(function_.constants.size()));
  if (is_new) function_.constants.push_back(value);
  return kFirstConstant - found->second;
}

std::optional<Address> Decoder::symbol_address(std::string_view name) const {
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

uint64_t Decoder::literal(std::string_view text) const {
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D')) {
    return static_cast<uint64_t>(integer("0x" + std::string(text.substr(2))));
  }
  return static_cast<uint64_t>(integer(text));
}

int32_t Decoder::source(std::string_view text) {
  text = trim(text);
  if (const auto slot = register_slot(text)) return *slot;
  if (std::isdigit(static_cast<unsigned char>(text.front())) != 0 || text.front() == '-')
    return constant(literal(text));
  fail("unknown operand `" + std::string(text) + "`");
}

int32_t Decoder::destination(std::string_view text) const {
  if (const auto slot = register_slot(trim(text))) return *slot;
  fail("unknown register `" + std::string(text) + "`");
}

std::string_view Decoder::without_not(std::string_view text, bool& is_negated) const {
  is_negated = text.front() == '!';
  return is_negated ? trim(text.substr(1)) : text;
}

void Decoder::read_address(std::string_view text, Instruction& i) {
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
    i.offset += static_cast<int64_t>(*address);
    return;
  }
  if (std::isdigit(static_cast<unsigned char>(base.front())) != 0) {
    i.offset += integer(base);
    return;
  }
  fail("unknown address");
}

Strings Decoder::vector_parts(std::string_view text) const {
  text = trim(text);
  if (text.front() != '{') return {text};
  return split_list(text.substr(1, text.size() - 2));
}

void Decoder::read_instruction(std::string_view text) {
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

uint8_t Decoder::rounding() const {
  return has("rz") || has("rzi") ? to_zero : has("rm") || has("rmi") ? down : has("rp") || has("rpi") ? up : nearest;
}

void Decoder::set_operands(Instruction& i) {
  i.to[0] = destination(operands_.at(0));
  for (std::size_t k = 1; k < operands_.size() && k < 6; ++k) i.from[k - 1] = source(operands_[k]);
}

void Decoder::decode(std::string_view name, Instruction& i) {
  if (decode_memory(name, i) || decode_control(name, i) || decode_warp(name, i)) return;
  if (decode_comparison(name, i) || decode_conversion(name, i)) return;
  if (name == "mov") return decode_move(i);
  if (is_float() && decode_float(name, i)) return;
  decode_integer(name, i);
}

void Module::decode(Function& function) {
  if (function.is_decoded) return;
  function.is_decoded = true;  // before its calls are decoded, which may be recursive
  Decoder(*this, function).run();
}

}  // namespace emulator
