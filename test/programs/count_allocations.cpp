// count_allocations MODEL EXPECTED: runs a program three times with its expected inputs, and prints how many blocks
// each run allocates: calls of operator new, and blocks that tensors take from the system. A fourth run finds the
// operators that call operator new. They are printed one per line, after the operators that call them.
#include <structured/base/error.h>
#include <structured/find_operator.h>
#include <structured/memory/allocator.h>
#include <structured/program/saved_program.h>

#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "counting_new.h"
#include "expectation.h"

using namespace structured;

namespace {

thread_local bool is_noting = false;
std::map<std::string, std::size_t> calls_by_operator;

// Notes which operators are running: messages of errors begin with them. Other threads run no operators.
void note_operators() {
  if (is_noting) return;
  is_noting = true;
  try {
    fail("allocates");
  } catch (const Error& error) {
    ++calls_by_operator[error.what()];
  }
  is_noting = false;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  SavedProgram program = SavedProgram::load(argv[1], {&find_operator});
  const NamedTensors given = run::read_tensors(argv[2]);
  std::vector<Value> outputs;
  for (int i = 0; i < 3; ++i) {
    const std::vector<Value> inputs = run::make_inputs(program, given);
    const std::size_t calls = test::new_calls;
    const uint64_t blocks = host_cache_statistics().system_allocations;
    program.run(inputs, outputs);
    std::printf("%zu %zu ", test::new_calls - calls,
                static_cast<std::size_t>(host_cache_statistics().system_allocations - blocks));
  }
  const std::vector<Value> inputs = run::make_inputs(program, given);
  test::on_new = note_operators;
  program.run(inputs, outputs);
  test::on_new = nullptr;
  const Arena::Statistics& memory = program.memory();
  std::printf("; arena of %zu bytes, %zu blocks in it, %zu elsewhere\n", memory.nbytes, memory.served_blocks,
              memory.other_blocks);
  for (const auto& [operators, calls] : calls_by_operator) std::printf("%zu %s\n", calls, operators.c_str());
} catch (const std::exception& error) {
  std::fprintf(stderr, "count_allocations: error: %s\n", error.what());
  return 1;
}
