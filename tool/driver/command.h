// A subcommand of structured-gen. To add one, write a source in commands/ and name its function in commands.cpp.
#pragma once

#include <memory>
#include <string>

#include "driver/environment.h"
#include "driver/option_set.h"
#include "llvm/ADT/ArrayRef.h"

namespace structured::gen {

/// Holds the values of its options. Runs at most once.
class Command {
 public:
  virtual ~Command() = default;

  virtual void declare(OptionSet& options) = 0;
  /// Describes the first invalid combination of options; empty if there is none.
  virtual std::string misuse() const = 0;
  /// Returns the exit status.
  virtual int run(const Environment& environment) = 0;
};

struct CommandEntry {
  const char* name;
  const char* summary;
  std::unique_ptr<Command> (*make)();
};

/// All commands, in the order of the help text.
llvm::ArrayRef<CommandEntry> commands();

/// Parses a command line and runs its command. Returns the exit status. Ends the process after printing help or the
/// version. One thread at a time, since LLVM's parser is global.
int run_command_line(int argc, const char* const* argv, Environment environment);

}  // namespace structured::gen
