#pragma once
// The command lines of our own programs: structured-run, structured-replay, structured-lsp and the benchmarks, which
// are C++17. structured-gen uses LLVM's parser.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace structured {

/// Options of a program, `--name`, `--name VALUE` or `--name=VALUE`, and at most one other argument.
/// `--help` and `-h` print the usage.
class CommandLine {
 public:
  /// `program` is the name in errors; `usage` is the help text.
  CommandLine(std::string program, std::string usage, std::ostream& out = std::cout, std::ostream& err = std::cerr)
      : program_(std::move(program)), usage_(std::move(usage)), out_(out), err_(err) {}

  /// Accepts `--version`, which prints the text.
  void version(std::string text) { version_ = std::move(text); }

  void flag(std::string name, bool& value) {
    known_.push_back({std::move(name), "", [&value](const std::string&) { return value = true; }});
  }
  /// `expected` describes the value in errors: "a file". The option may be repeated; `accept` says whether the value is
  /// one.
  void value(std::string name, std::string expected, std::function<bool(const std::string&)> accept) {
    known_.push_back({std::move(name), std::move(expected), std::move(accept)});
  }
  void value(std::string name, std::string expected, std::string& value) {
    this->value(std::move(name), std::move(expected), [&value](const std::string& text) {
      value = text;
      return true;
    });
  }
  /// A number from `least` to `most`.
  void number(std::string name, std::string expected, double least, double most, std::optional<double>& value) {
    this->value(std::move(name), std::move(expected), [=, &value](const std::string& text) {
      char* end = nullptr;
      const double number = std::strtod(text.c_str(), &end);
      if (text.empty() || *end != '\0' || !(number >= least && number <= most)) return false;
      value = number;
      return true;
    });
  }
  /// An argument that is not an option; `expected` describes it in errors.
  void input(std::string expected, std::string& value, bool is_required = true) {
    input_ = &value;
    expected_input_ = std::move(expected);
    is_input_required_ = is_required;
  }

  /// Sets the values. Returns the exit status of a program that has nothing to do: 0 after `--help` or `--version`, 2
  /// after an error, which is printed.
  std::optional<int> parse(int argc, const char* const* argv) const {
    bool has_input = false;
    for (int i = 1; i < argc; ++i) {
      const std::string argument = argv[i];
      if (argument == "--help" || argument == "-h") return print(usage_);
      if (argument == "--version" && !version_.empty()) return print(version_ + "\n");
      const std::size_t equals = argument.rfind("--", 0) == 0 ? argument.find('=') : std::string::npos;
      const Option* const option = find(argument.substr(0, equals));
      if (option == nullptr) {
        if (argument.rfind('-', 0) == 0 || input_ == nullptr || has_input) {
          return misuse("unknown argument `" + argument + "`");
        }
        *input_ = argument;
        has_input = true;
        continue;
      }
      const bool has_value = equals != std::string::npos;
      if (option->expected.empty()) {
        if (has_value) return misuse("expected no value after `" + option->name + "`");
        option->accept("");
        continue;
      }
      const std::string problem = "expected " + option->expected + " after `" + option->name + "`";
      if (!has_value && ++i == argc) return misuse(problem);
      const std::string value = has_value ? argument.substr(equals + 1) : argv[i];
      if (!option->accept(value)) return misuse(problem + ", got `" + value + "`");
    }
    if (input_ != nullptr && is_input_required_ && !has_input) return misuse("expected " + expected_input_);
    return std::nullopt;
  }

  /// Prints an error about the command line. Returns the exit status.
  int misuse(const std::string& problem) const {
    err_ << program_ << ": error: " << problem << "; see `" << program_ << " --help`\n";
    return 2;
  }

 private:
  struct Option {
    std::string name;
    std::string expected;  ///< empty for a flag
    std::function<bool(const std::string&)> accept;
  };

  const Option* find(const std::string& name) const {
    for (const Option& option : known_) {
      if (option.name == name) return &option;
    }
    return nullptr;
  }

  int print(const std::string& text) const {
    out_ << text;
    return 0;
  }

  std::string program_;
  std::string usage_;
  std::string version_;
  std::ostream& out_;
  std::ostream& err_;
  std::vector<Option> known_;
  std::string* input_ = nullptr;
  std::string expected_input_;
  bool is_input_required_ = false;
};

}  // namespace structured
