// Splits a PTX module into functions and variables.
#include <cctype>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>

#include "ptx.h"
#include "ptx_text.h"

namespace emulator {

std::string Function::text_of(const Instruction& instruction) const {
  std::size_t begin = instruction.line;
  return std::string(trim(body.substr(begin, body.find(';', begin) - begin)));
}

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
        uint32_t threads = 1;
        std::string_view numbers = trim(attributes.substr(limit + 8));
        numbers = numbers.substr(0, numbers.find_first_of(".\n"));
        for (const std::string_view number : split_list(numbers)) threads *= static_cast<uint32_t>(integer(number));
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
    shared_bytes_ = aligned(shared_bytes_ + static_cast<int32_t>(declaration.size), 16);
    return;
  }
  const Address address = memory_.allocate(static_cast<std::size_t>(std::max<int64_t>(declaration.size, 1)), device_);
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
      uint64_t word = 0;
      if (value.starts_with("0f") || value.starts_with("0d") || value.starts_with("0F") || value.starts_with("0D")) {
        word = static_cast<uint64_t>(integer("0x" + std::string(value.substr(2))));
      } else if (std::isdigit(static_cast<unsigned char>(value.front())) != 0 || value.front() == '-') {
        word = static_cast<uint64_t>(integer(value));
      } else {
        std::string_view symbol = value;
        if (symbol.starts_with("generic(")) symbol = symbol.substr(8, symbol.size() - 9);
        const std::size_t plus = symbol.find('+');
        word = variable(symbol.substr(0, plus));
        if (word == 0) throw Fault("PTX: unknown address in an initialiser: " + std::string(value));
        if (plus != std::string_view::npos) word += static_cast<uint64_t>(integer(symbol.substr(plus + 1)));
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

}  // namespace emulator
