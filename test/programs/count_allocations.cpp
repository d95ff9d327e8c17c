// count_allocations MODEL EXPECTED: runs a program three times with its expected inputs, and prints how many blocks
// each run allocates: calls of operator new, and blocks that tensors take from the system.
#include <structured/core/allocator.h>
#include <structured/find_operator.h>
#include <structured/program/saved_program.h>

#include <cstdio>
#include <exception>
#include <vector>

#include "counting_new.h"
#include "expectation.h"

using namespace structured;

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  SavedProgram program = SavedProgram::load(argv[1], {&find_operator});
  const NamedTensors given = run::read_tensors(argv[2]);
  std::vector<Value> outputs;
  for (int i = 0; i < 3; ++i) {
    const std::vector<Value> inputs = run::make_inputs(program, given);
    const std::size_t calls = test::new_calls;
    const std::uint64_t blocks = host_cache_statistics().system_allocations;
    program.run(inputs, outputs);
    std::printf("%zu %zu ", test::new_calls - calls,
                static_cast<std::size_t>(host_cache_statistics().system_allocations - blocks));
  }
  const Arena::Statistics& memory = program.memory();
  std::printf("; arena of %zu bytes, %zu blocks in it, %zu elsewhere\n", memory.nbytes, memory.served_blocks,
              memory.other_blocks);
} catch (const std::exception& error) {
  std::fprintf(stderr, "count_allocations: error: %s\n", error.what());
  return 1;
}
