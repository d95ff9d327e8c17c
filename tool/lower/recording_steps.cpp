#include "lower/recording_steps.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "lower/calling_convention.h"

namespace structured::gen {
namespace {

class RecordingBuilder {
 public:
  RecordingBuilder(const LoweredNode& node, const Variant& variant) : node_(node), variant_(variant) {}

  std::vector<RecordingStep> build() {
    if (const Positions written = overwritten(/*with_constants=*/true); !written.empty()) {
      add(CheckOverwritten{written});
    }
    is_inplace() ? build_inplace() : build_functional();
    return std::move(steps_);
  }

 private:
  using Kind = RecordedValue::Kind;

  template <class T>
  void add(T step) {
    steps_.emplace_back(std::move(step));
  }

  bool is_inplace() const { return variant_.kind == Variant::Kind::inplace; }

  void build_functional() {
    add(CallBackend{Result::kept});
    add(ReturnUnrecorded{recorded_inputs(), Result::kept});
    add_node();
    const bool has_tensor = variant_.schema.returns.front().type.is(Type::Base::Tensor);
    connect(has_tensor ? std::optional(result(0)) : std::nullopt);
    save_inputs();
    if (node_.returns_list) {
      if (node_.constant_results.empty()) add(SetHistory{{Kind::result, 0}, 0, is_view(), /*is_last=*/false});
    } else {
      save_outputs();
      set_histories();
    }
    add_failure();
    add(ReturnRecorded{{Kind::result, 0}});
  }

  void build_inplace() {
    add(ReturnUnrecorded{recorded_inputs(), Result::returned});
    add(CheckInplace{0});
    add_node();
    connect(RecordedValue{Kind::parameter, 0});
    save_inputs();
    add(CallBackend{Result::ignored});
    save_outputs();
    add(RebaseHistory{0});
    add_failure();
    add(ReturnRecorded{{Kind::parameter, 0}});
  }

  RecordedValue result(std::size_t index) const {
    return node_.results == 1 ? RecordedValue{Kind::result, 0} : RecordedValue{Kind::element, index};
  }

  Positions input_parameters() const {
    Positions parameters;
    for (const NodeInput& input : node_.inputs) parameters.push_back(input.parameter);
    return parameters;
  }

  // A call that overwrites a tensor with a history is recorded, too.
  Positions recorded_inputs() const {
    Positions inputs = input_parameters();
    if (is_inplace() && inputs.front() != 0) inputs.insert(inputs.begin(), 0);
    return inputs;
  }

  void add_node() {
    MakeNode make;
    if (node_.is_dynamic()) {
      NodeCounts& counts = make.counts.emplace();
      counts.inputs = node_.inputs.size();
      if (const NodeInput& last = node_.inputs.back(); last.is_list) {
        --counts.inputs;
        counts.list = last.parameter;
      }
      counts.results = is_inplace() ? 1 : node_.results;
      counts.has_list_result = !is_inplace() && node_.returns_list;
    }
    add(make);
  }

  void connect(const std::optional<RecordedValue>& of) {
    for (const auto& [position, input] : llvm::enumerate(node_.inputs)) {
      add(ConnectInput{position, input.parameter, of});
    }
  }

  void save_inputs() {
    for (const auto& [position, value] : llvm::enumerate(node_.saved)) {
      if (value.kind == SavedValue::Kind::output) continue;
      const bool is_copied = is_inplace() && value.index == 0 && value.kind == SavedValue::Kind::input;
      add(SaveValue{position, {is_copied ? Kind::copy : Kind::parameter, value.index}, std::nullopt});
    }
  }

  void save_outputs() {
    for (const auto& [position, value] : llvm::enumerate(node_.saved)) {
      if (value.kind != SavedValue::Kind::output) continue;
      add(SaveValue{position, is_inplace() ? RecordedValue{Kind::parameter, 0} : result(value.index), value.index});
    }
  }

  bool has_history(std::size_t index) const {
    return node_.is_tensor[index] && !llvm::is_contained(node_.constant_results, index);
  }

  bool is_view() const {
    return llvm::any_of(variant_.schema.returns,
                        [](const Return& each) { return each.alias && !each.alias->is_write; });
  }

  void set_histories() {
    std::size_t last = node_.results;
    while (last > 0 && !has_history(last - 1)) --last;
    for (std::size_t i = 0; i < last; ++i) {
      if (has_history(i)) add(SetHistory{result(i), i, is_view(), i + 1 == last});
    }
  }

  // Returns the arguments that the call overwrites and that the derivative does not cover. The derivative of an
  // in-place variant covers its first argument.
  Positions overwritten(bool with_constants) const {
    const std::vector<const Argument*> inputs = inputs_of(variant_.schema);
    Positions result;
    for (std::size_t i = is_inplace() ? 1 : 0; i < inputs.size(); ++i) {
      const bool is_constant = llvm::is_contained(node_.constant_arguments, i);
      if (inputs[i]->is_mutable() && (with_constants || !is_constant)) result.push_back(i);
    }
    return result;
  }

  void add_failure() {
    Positions written = overwritten(/*with_constants=*/false);
    if (!written.empty()) add(FailInBackward{input_parameters(), std::move(written)});
  }

  const LoweredNode& node_;
  const Variant& variant_;
  std::vector<RecordingStep> steps_;
};

}  // namespace

std::vector<RecordingStep> lower_recording(const LoweredNode& node, const Variant& variant) {
  return RecordingBuilder(node, variant).build();
}

}  // namespace structured::gen
