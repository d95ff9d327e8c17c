// Options of a subcommand: names, values and help. LLVM's CommandLine library parses them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace llvm::cl {
class Option;
}

namespace structured::gen {

/// The options that a command declares. An option of the command line sets the variable that it was declared with;
/// variables of other options keep their values. All strings must have static storage.
class OptionSet {
 public:
  OptionSet(const char* command, const char* summary);
  ~OptionSet();
  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;

  /// Declares the arguments that are no options; `usage` describes them in the help text.
  void inputs(std::vector<std::string>& values, const char* usage);
  /// Accepts compile flags after `--`. The optional stays empty if there is no `--`.
  void compile_flags(std::optional<std::vector<std::string>>& flags) { compile_flags_ = &flags; }

  void flag(const char* name, bool& value, const char* help);
  /// Also accepts `--name=false`.
  void flag(const char* name, std::optional<bool>& value, const char* help);
  void value(const char* name, std::string& value, const char* value_name, const char* help);
  void value(const char* name, std::optional<std::string>& value, const char* value_name, const char* help);
  void value(const char* name, unsigned& value, const char* value_name, const char* help);
  /// May be repeated.
  void values(const char* name, std::vector<std::string>& values, const char* value_name, const char* help);
  /// One or several values separated by commas.
  void comma_values(const char* name, std::vector<std::string>& values, const char* value_name, const char* help);

  /// Whether the command line chose this command.
  bool is_chosen() const;
  /// Stores the flags after `--`. Returns false if the command takes none.
  bool set_compile_flags(std::vector<std::string> flags);
  /// Leaves options that LLVM's libraries register out of the help text.
  void hide_others();

 private:
  struct Subcommand;

  template <class Option, class... Modifiers>
  void add(const Modifiers&... modifiers);

  std::unique_ptr<Subcommand> command_;
  std::vector<std::unique_ptr<llvm::cl::Option>> options_;
  std::optional<std::vector<std::string>>* compile_flags_ = nullptr;
};

/// As OptionSet::hide_others, in the help text of the program.
void hide_unrelated_options();

}  // namespace structured::gen
