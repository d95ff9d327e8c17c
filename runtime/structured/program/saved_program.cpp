#include "structured/program/saved_program.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <ostream>

#include "structured/base/error.h"
#include "structured/format/files.h"
#include "structured/format/zip.h"
#include "structured/iterator/copy.h"
#include "structured/program/frame.h"
#include "structured/program/fuse_quantized.h"
#include "structured/program/graph.h"
#include "structured/program/plan.h"
#include "structured/program/pt2.h"

namespace structured {

using program::Frame;
using program::Graph;
using program::Instruction;
using program::Mutation;
using program::Operand;
using program::Slot;

struct SavedProgram::Impl {
  explicit Impl(Graph loaded) : graph(std::move(loaded)), frame(graph.slot_count) {
    node_count = graph.instructions.size();
    program::plan(graph, frame);
    is_kept.assign(graph.slot_count, false);
    for (Slot slot = 0; slot < graph.slot_count; ++slot) is_kept[slot] = !frame[slot].is(Value::Kind::none);
    number_symbols();
    for (const Operand& output : graph.outputs) clear_after_run(output);
    for (const Mutation& mutation : graph.mutations) {
      clear_after_run(mutation.source);
      clear_after_run(Operand::of_slot(mutation.destination));
    }
    // Inputs that no instruction reads are not released by one.
    for (const Slot slot : graph.input_slots) clear_after_run(Operand::of_slot(slot));
    mutation_sources.reserve(graph.mutations.size());
  }

  void clear_after_run(const Operand& operand) {
    operand.for_each([&](const Operand& part) {
      if (part.is_slot() && !is_kept[part.slot]) cleared.push_back(part.slot);
    });
  }

  // Numbers the distinct symbols of input sizes.
  void number_symbols() {
    std::map<std::string_view, std::size_t> numbers;
    for (const ProgramInput& input : graph.inputs) {
      for (const ProgramDim& dim : input.sizes) {
        const bool has_symbol = dim.size < 0 && !dim.symbol.empty();
        symbol_of_dim.push_back(has_symbol ? numbers.try_emplace(dim.symbol, numbers.size()).first->second : kNoSymbol);
      }
    }
    symbol_values.assign(numbers.size(), 0);
  }

  void set_inputs(ArrayRef<Value> inputs);
  void note_sizes(ArrayRef<Value> inputs);
  void run(std::vector<Value>& outputs);
  void check_tensor(std::size_t index, const Tensor& tensor, std::size_t first_dim);
  void write_mutations();
  // Describes an input in messages.
  std::string input_name(std::size_t index) const {
    return "input " + std::to_string(index) + " `" + graph.inputs[index].name + "`";
  }

  static constexpr std::size_t kNoSymbol = SIZE_MAX;
  static constexpr int64_t kUnknown = -1;

  Graph graph;
  Frame frame;
  std::size_t node_count;
  std::vector<bool> is_kept;               // by slot: keeps its value from run to run
  std::vector<Slot> cleared;               // slots that hold values at the end of a run
  std::vector<std::size_t> symbol_of_dim;  // for the dimensions of all inputs, in order
  std::vector<int64_t> symbol_values;
  std::vector<Tensor> mutation_sources;
  std::vector<int64_t> varying_sizes;  // sizes and integers of the last run that can differ in others
  bool repeats_sizes = true;           // the run has the sizes of the last one
  Arena arena;
};

namespace {

void print(std::ostream& out, const ProgramInput& input) {
  if (input.kind != Value::Kind::tensor) {
    out << to_string(input.kind);
    return;
  }
  out << input.dtype << '[';
  for (std::size_t d = 0; d < input.sizes.size(); ++d) {
    const ProgramDim& dim = input.sizes[d];
    out << (d == 0 ? "" : ", ");
    if (dim.size >= 0) {
      out << dim.size;
    } else {
      out << (dim.symbol.empty() ? "?" : dim.symbol);
    }
  }
  out << ']';
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------------- load

SavedProgram::SavedProgram(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SavedProgram::SavedProgram(SavedProgram&&) noexcept = default;
SavedProgram& SavedProgram::operator=(SavedProgram&&) noexcept = default;
SavedProgram::~SavedProgram() = default;

namespace {

Graph read_program(const std::shared_ptr<detail::FileBytes>& file, const std::string& name, std::string_view model,
                   const OperatorLookups& libraries) {
  const detail::ZipArchive archive(file->view(), name);
  STRUCTURED_CHECK(!program::pt2_root(archive).empty(), name,
                   ": expected a program that torch.export.save has written, found another zip archive");
  Graph graph = program::read_pt2(archive, file, model, libraries);
  program::fuse_quantized(graph, libraries);
  return graph;
}

}  // namespace

SavedProgram SavedProgram::load(const std::string& path, const OperatorLookups& libraries, std::string_view model) {
  return SavedProgram(std::make_unique<Impl>(read_program(detail::FileBytes::map(path), path, model, libraries)));
}

SavedProgram SavedProgram::load_bytes(std::string_view bytes, const OperatorLookups& libraries, std::string_view model,
                                      const std::string& name) {
  return SavedProgram(std::make_unique<Impl>(read_program(detail::FileBytes::copy(bytes), name, model, libraries)));
}

// ----------------------------------------------------------------------------------------------------------------- run

void SavedProgram::Impl::check_tensor(std::size_t index, const Tensor& tensor, std::size_t first_dim) {
  const ProgramInput& expected = graph.inputs[index];
  STRUCTURED_CHECK(tensor.defined(), input_name(index), ": expected a tensor, got an undefined one");
  const IntArrayRef sizes = tensor.sizes();
  bool is_match = tensor.dtype() == expected.dtype && sizes.size() == expected.sizes.size();
  for (std::size_t d = 0; is_match && d < sizes.size(); ++d) {
    const ProgramDim& dim = expected.sizes[d];
    is_match = dim.size >= 0 ? sizes[d] == dim.size : sizes[d] >= dim.min && sizes[d] <= dim.max;
    if (!is_match && dim.size < 0) {
      fail(input_name(index), ": expected a size from ", dim.min, " to ", dim.max, " of dimension ", d, ", got ",
           sizes[d]);
    }
    const std::size_t symbol = symbol_of_dim[first_dim + d];
    if (symbol == kNoSymbol) continue;
    int64_t& value = symbol_values[symbol];
    STRUCTURED_CHECK(value == kUnknown || value == sizes[d], input_name(index), ": expected size ", value,
                     " of dimension ", d, ", as other dimensions `", dim.symbol, "` have, got ", sizes[d]);
    value = sizes[d];
  }
  if (is_match) return;
  std::string text;
  for (const ProgramDim& dim : expected.sizes) {
    text += (text.empty() ? "" : ", ") + (dim.size >= 0        ? std::to_string(dim.size)
                                          : dim.symbol.empty() ? std::string("?")
                                                               : dim.symbol);
  }
  fail(input_name(index), ": expected a tensor ", expected.dtype, "[", text, "], got ", tensor.dtype(), sizes);
}

void SavedProgram::Impl::set_inputs(ArrayRef<Value> inputs) {
  STRUCTURED_CHECK(inputs.size() == graph.inputs.size(), "expected ", graph.inputs.size(), " inputs, got ",
                   inputs.size());
  std::fill(symbol_values.begin(), symbol_values.end(), kUnknown);
  std::size_t first_dim = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const ProgramInput& expected = graph.inputs[i];
    STRUCTURED_CHECK(inputs[i].kind() == expected.kind, input_name(i), ": expected a value of type `",
                     to_string(expected.kind), "`, got `", to_string(inputs[i].kind()), "`");
    if (expected.kind == Value::Kind::tensor) check_tensor(i, inputs[i].to_tensor(), first_dim);
    first_dim += expected.sizes.size();
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) frame[graph.input_slots[i]] = inputs[i];
  note_sizes(inputs);
}

// Programs whose sizes change from run to run use no arena. The first run is recorded as if it repeated another one.
void SavedProgram::Impl::note_sizes(ArrayRef<Value> inputs) {
  std::size_t position = 0;
  repeats_sizes = true;
  const auto note = [&](int64_t size) {
    if (position == varying_sizes.size()) varying_sizes.push_back(size);
    repeats_sizes &= varying_sizes[position] == size;
    varying_sizes[position++] = size;
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<ProgramDim>& dims = graph.inputs[i].sizes;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (dims[d].size < 0) note(inputs[i].to_tensor().size(static_cast<int64_t>(d)));
    }
    if (inputs[i].is(Value::Kind::integer)) note(inputs[i].to_int());
  }
  if (!repeats_sizes) arena.reset();
}

void SavedProgram::Impl::write_mutations() {
  if (graph.mutations.empty()) return;
  std::vector<Tensor>& sources = mutation_sources;
  for (const Mutation& mutation : graph.mutations) {
    Tensor source = frame.evaluate(mutation.source).to_tensor();
    // A source that shares memory with a destination would change before it is copied.
    const bool is_overwritten = std::any_of(graph.mutations.begin(), graph.mutations.end(), [&](const Mutation& other) {
      return frame[other.destination].to_tensor().storage().is_same(source.storage());
    });
    if (is_overwritten && !source.is_same(frame[mutation.destination].to_tensor())) {
      Tensor copy = empty_in_order_of(source, source.options());
      copy_into(copy, source);
      source = std::move(copy);
    }
    sources.push_back(std::move(source));
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Tensor& destination = frame[graph.mutations[i].destination].to_tensor();
    if (sources[i].is_same(destination)) continue;
    copy_into(destination, sources[i]);
    destination.bump_version();
  }
  sources.clear();
}

void SavedProgram::Impl::run(std::vector<Value>& outputs) {
  try {
    for (const Instruction& instruction : graph.instructions) frame.run(instruction);
    write_mutations();
    for (const Operand& output : graph.outputs) outputs.push_back(frame.evaluate(output));
  } catch (...) {
    mutation_sources.clear();
    for (Slot slot = 0; slot < graph.slot_count; ++slot) {
      if (!is_kept[slot]) frame[slot] = Value();
    }
    throw;
  }
  for (const Slot slot : cleared) frame[slot] = Value();
}

void SavedProgram::run(ArrayRef<Value> inputs, std::vector<Value>& outputs) {
  Impl& program = *impl_;
  outputs.clear();
  outputs.reserve(program.graph.outputs.size());
  program.set_inputs(inputs);
  if (program.repeats_sizes) {
    const Arena::Run run(program.arena);
    program.run(outputs);
  } else {
    program.run(outputs);
  }
}

std::vector<Value> SavedProgram::run(ArrayRef<Value> inputs) {
  std::vector<Value> outputs;
  run(inputs, outputs);
  return outputs;
}

// ---------------------------------------------------------------------------------------------------------- inspection

const std::vector<ProgramInput>& SavedProgram::inputs() const { return impl_->graph.inputs; }
std::size_t SavedProgram::output_count() const { return impl_->graph.outputs.size(); }
const std::vector<ProgramState>& SavedProgram::states() const { return impl_->graph.states; }
std::size_t SavedProgram::node_count() const { return impl_->node_count; }
std::size_t SavedProgram::instruction_count() const { return impl_->graph.instructions.size(); }
const Arena::Statistics& SavedProgram::memory() const { return impl_->arena.statistics(); }

namespace {

void count_operators(const std::vector<Instruction>& instructions, std::map<std::string, std::size_t>& counts) {
  for (const Instruction& instruction : instructions) {
    if (instruction.op != nullptr) ++counts[instruction.target];
    if (!instruction.branches) continue;
    count_operators(instruction.branches->when_true.instructions, counts);
    count_operators(instruction.branches->when_false.instructions, counts);
  }
}

}  // namespace

std::vector<std::pair<std::string, std::size_t>> SavedProgram::operators() const {
  std::map<std::string, std::size_t> counts;
  count_operators(impl_->graph.instructions, counts);
  return {counts.begin(), counts.end()};
}

std::ostream& operator<<(std::ostream& out, const SavedProgram& program) {
  for (const ProgramInput& input : program.inputs()) {
    out << "input " << input.name << ": ";
    print(out, input);
    out << '\n';
  }
  std::size_t nbytes = 0;
  for (const ProgramState& state : program.states()) nbytes += state.tensor.nbytes();
  out << program.states().size() << " parameters, buffers and constants with " << nbytes << " bytes\n";
  out << program.node_count() << " nodes, " << program.instruction_count() << " steps of a run, "
      << program.output_count() << " outputs\n";
  for (const auto& [name, count] : program.operators()) out << "  " << count << "  " << name << '\n';
  return out;
}

}  // namespace structured
