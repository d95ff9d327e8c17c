#pragma once
// Programs that PyTorch has saved: loading, inspection, and runs.
#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "structured/core/array_ref.h"
#include "structured/dispatch/value.h"
#include "structured/memory/arena.h"
#include "structured/program/export.h"
#include "structured/program/operator_lookup.h"
#include "structured/program/signature.h"

namespace structured {

/// A program from a `.pt2` file, as `torch.export.save` of PyTorch 2.9 or later writes it, of either kind: as exported,
/// or decomposed by `run_decompositions()`.
///
///     SavedProgram program = SavedProgram::load("model.pt2", {&structured::find_operator});
///     std::vector<Value> outputs = program.run({image});
///
/// Weights are a private mapping of the file. A program that writes to its buffers keeps them from run to run, and does
/// not change the file. Belongs to one thread at a time; distinct programs are independent.
class STRUCTURED_PROGRAM_API SavedProgram {
 public:
  /// Loads a program from a file, which must not shrink while the program lives. Operators are those of `libraries`,
  /// which are searched in order. `model` is the name of the program in files with several ones. Throws Error, with the
  /// file and the position in it, for damaged files, features that are not supported, and missing operators, which it
  /// lists.
  static SavedProgram load(const std::string& path, const OperatorLookups& libraries, std::string_view model = {});
  /// Loads a program from a copy of `bytes`; `name` stands for the file in errors. Throws Error as `load` does.
  static SavedProgram load_bytes(std::string_view bytes, const OperatorLookups& libraries, std::string_view model = {},
                                 const std::string& name = "program");
  SavedProgram(SavedProgram&&) noexcept;
  SavedProgram& operator=(SavedProgram&&) noexcept;
  ~SavedProgram();

  /// Runs the program with one value for each of `inputs()`, in order, and returns its outputs in order: tensors,
  /// numbers or `None`. A program that changes its inputs changes the tensors that are passed. Throws Error, with the
  /// input, for a wrong number, kind, dtype or size of inputs; rethrows errors of operators with the name of the node.
  /// After an error, buffers and inputs may have been changed.
  std::vector<Value> run(ArrayRef<Value> inputs);
  /// Runs the program, as the other overload does, and replaces `outputs`. Frees their previous values first, so that
  /// runs with inputs of equal sizes allocate no memory from the second on, or from the third if the sizes changed.
  void run(ArrayRef<Value> inputs, std::vector<Value>& outputs);

  const std::vector<ProgramInput>& inputs() const;
  std::size_t output_count() const;
  /// Parameters, buffers and constants. Writes to their elements are seen by later runs, except for values that were
  /// computed from them at load.
  const std::vector<ProgramState>& states() const;

  /// Names of the operators that a run calls, and how many calls it makes of each, sorted by name.
  std::vector<std::pair<std::string, std::size_t>> operators() const;
  /// Number of nodes in the file.
  std::size_t node_count() const;
  /// Number of steps of a run, after constant ones were computed at load and unused ones were removed.
  std::size_t instruction_count() const;
  /// Memory of the values inside of runs. Runs with inputs of equal sizes share one arena, which is planned after the
  /// first one, or after the second one if the sizes changed. Outputs are not in the arena.
  const Arena::Statistics& memory() const;

 private:
  struct Impl;
  explicit SavedProgram(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

/// Prints the inputs with dtypes and sizes, the number and bytes of states, and the operators.
STRUCTURED_PROGRAM_API std::ostream& operator<<(std::ostream& out, const SavedProgram& program);

}  // namespace structured
