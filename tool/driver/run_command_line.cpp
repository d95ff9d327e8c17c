#include <deque>
#include <vector>

#include "driver/command.h"
#include "language/nearest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"

namespace structured::gen {
namespace {

constexpr const char* overview =
    "structured-gen derives a tensor library's operators from annotated C++ functions.\n\n"
    "  structured-gen scan -o add.fragment.json add.cpp -- -std=c++20 -Iinclude\n"
    "  structured-gen emit --output-dir out add.fragment.json\n\n"
    "`structured-gen COMMAND --help` describes one command. `structured-gen lsp` is the language server.\n";

void print_version(llvm::raw_ostream& out) {
  out << "structured-gen " STRUCTURED_VERSION " (Clang " LLVM_VERSION_STRING ")\n";
}

/// Returns the error message for an unknown command.
std::string unknown_command(llvm::StringRef word) {
  std::vector<std::string> names;
  for (const CommandEntry& entry : commands()) names.push_back(entry.name);
  std::string hint = did_you_mean(word, names);
  if (!hint.empty()) return "unknown command `" + word.str() + "`" + hint;
  std::string last = names.back();
  names.pop_back();
  return "unknown command `" + word.str() + "`; expected " + llvm::join(names, ", ") + " or " + last;
}

/// A command and its options.
struct Declared {
  explicit Declared(const CommandEntry& which)
      : entry(which), command(which.make()), options(which.name, which.summary) {
    command->declare(options);
    options.flag("color", colors, "Colour the messages (default: on a terminal)");
    options.hide_others();
  }

  const CommandEntry& entry;
  std::unique_ptr<Command> command;
  std::optional<bool> colors;
  OptionSet options;
};

}  // namespace

int run_command_line(int argc, const char* const* argv, Environment environment) {
  // Arguments after `--` are for Clang; LLVM's parser would treat them as inputs.
  int own_count = 0;
  while (own_count < argc && llvm::StringRef(argv[own_count]) != "--") ++own_count;

  if (own_count > 1 && !llvm::StringRef(argv[1]).starts_with("-") &&
      llvm::none_of(commands(), [&](const CommandEntry& entry) { return llvm::StringRef(entry.name) == argv[1]; })) {
    return environment.fail(unknown_command(argv[1]), exit_misuse);
  }
  std::deque<Declared> declared;
  for (const CommandEntry& entry : commands()) declared.emplace_back(entry);
  hide_unrelated_options();
  llvm::cl::SetVersionPrinter(print_version);
  if (!llvm::cl::ParseCommandLineOptions(own_count, argv, overview, &environment.err)) return exit_misuse;

  const auto chosen = llvm::find_if(declared, [](const Declared& each) { return each.options.is_chosen(); });
  if (chosen == declared.end()) {
    if (own_count > 1) return environment.fail("no command given", exit_misuse);
    llvm::cl::PrintHelpMessage();
    return exit_misuse;
  }
  environment.colors = chosen->colors.value_or(environment.colors);
  std::string misuse;
  if (own_count < argc && !chosen->options.set_compile_flags({argv + own_count + 1, argv + argc})) {
    misuse = "`" + std::string(chosen->entry.name) + "` takes no compile flags; found `--`";
  } else {
    misuse = chosen->command->misuse();
  }
  if (!misuse.empty()) {
    return environment.fail(misuse + "; see `structured-gen " + chosen->entry.name + " --help`", exit_misuse);
  }
  return chosen->command->run(environment);
}

}  // namespace structured::gen
