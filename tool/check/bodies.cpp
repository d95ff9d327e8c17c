// Rules for function bodies: outputs set by meta, preconditions of impls. They apply only to parsed bodies.
#include <algorithm>
#include <limits>
#include <set>

#include "check/rules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "model/signature_form.h"

namespace structured::gen {
namespace {

const BodyFacts* body_of(const OperatorRef& ref) { return ref.declaration().body ? &*ref.declaration().body : nullptr; }

// Returns the outputs of the first impl that has any. Another rule reports impls that disagree.
llvm::ArrayRef<Parameter> outputs_of(const DefinedOperator& op) {
  for (const OperatorRef& impl : op.impls) {
    const auto outputs = impl_outputs(impl.declaration(), op.definition.declaration());
    if (!outputs.empty()) return outputs;
  }
  return {};
}

const char* text_of(BranchNote::Kind kind) {
  switch (kind) {
    case BranchNote::Kind::when_true:
      return "taken when this is true";
    case BranchNote::Kind::when_false:
      return "taken when this is false";
    case BranchNote::Kind::loop_ends:
      return "taken when this loop ends";
    case BranchNote::Kind::case_applies:
      return "taken when this case applies";
    case BranchNote::Kind::no_case_applies:
      return "taken when no case applies";
    case BranchNote::Kind::throws:
      return "taken when this throws";
    case BranchNote::Kind::caught:
      return "taken when this catches an exception";
  }
  llvm_unreachable("every kind has a text");
}

// Returns std::nullopt if every path sets or may set the output.
std::optional<OutputFact> unset_output(const BodyFacts& body, std::size_t index) {
  for (const OutputFact& fact : body.outputs) {
    if (fact.index == static_cast<int64_t>(index)) return fact.unset_at ? std::optional(fact) : std::nullopt;
  }
  if (!body.others_unset_at) return std::nullopt;
  return OutputFact{static_cast<int64_t>(index), body.others_unset_at, std::nullopt, std::nullopt};
}

// Visits the impls of structured operators that have a parsed body.
template <typename Function>
void for_each_impl_body(const Checker& checker, Function function) {
  for (const DefinedOperator& op : checker.index().defined()) {
    for (const OperatorRef& impl : op.impls) {
      if (const BodyFacts* body = body_of(impl); body && op.is_structured()) function(op, impl, *body);
    }
  }
}

void add_call_note(DiagnosticBuilder& diagnostic, const std::optional<SourceRange>& called_at,
                   const OperatorRef& caller) {
  if (called_at) diagnostic.note(*called_at, "in a call by {} {} here", caller.role(), Code(caller.declaration().name));
}

void check_handles(Checker& checker, HandleChange::Kind change, DiagnosticKind kind, llvm::StringRef advice) {
  for_each_impl_body(checker, [&](const DefinedOperator& op, const OperatorRef& impl, const BodyFacts& body) {
    const auto outputs = impl_outputs(impl.declaration(), op.definition.declaration());
    for (const HandleChange& found : body.handle_changes) {
      const auto output = llvm::find_if(outputs, [&](const Parameter& p) { return p.name == found.parameter; });
      if (found.kind != change || output == outputs.end()) continue;
      DiagnosticBuilder diagnostic =
          checker.build(kind, found.range, "`impl` {} {}", Code(impl.declaration().name), Phrase(advice))
              .about(impl.declaration().name, output - outputs.begin())
              .note(output->name_range, "output {} declared here", Code(output->name));
      add_call_note(diagnostic, found.called_at, impl);
      diagnostic.emit();
    }
  });
}

// Whether the preconditions of `meta` imply `required`.
bool follows(const Constraint& required, const BodyFacts& meta) {
  int64_t low = std::numeric_limits<int64_t>::min();
  int64_t high = std::numeric_limits<int64_t>::max();
  for (const Precondition& precondition : meta.preconditions) {
    for (const Constraint& made : precondition.constraints) {
      if (made == required) return true;
      if (made.subject != required.subject || made.is_outside) continue;
      low = std::max(low, made.low);
      high = std::min(high, made.high);
    }
  }
  return required.is_outside ? high < required.low || low > required.high
                             : required.low <= low && high <= required.high;
}

bool are_among(const std::vector<std::string>& names, const std::vector<std::string>& all) {
  return llvm::all_of(names, [&](const std::string& name) { return llvm::is_contained(all, name); });
}

bool is_made_by(const Precondition& precondition, const BodyFacts& meta) {
  const bool is_repeated =
      llvm::all_of(precondition.constraints, [&](const Constraint& each) { return follows(each, meta); }) ||
      llvm::any_of(meta.preconditions, [&](const Precondition& p) { return p.text == precondition.text; });
  const std::vector<std::string>& tensors = precondition.tensors;
  return is_repeated || are_among(tensors, meta.checked_elsewhere) ||
         (tensors.size() > 1 && are_among(tensors, meta.given_to_base));
}

}  // namespace

void check_backward_memory(Checker& checker) {
  if (!checker.types().has_gradients() || !checker.types().has_torch_schemas()) return;
  for_each_reference(checker, [&](const OperatorRef& ref) {
    const BodyFacts* body = body_of(ref);
    if (!body || ref.role() != Role::backward) return;
    for (const MemoryAccess& access : body->memory_accesses) {
      DiagnosticBuilder diagnostic =
          checker
              .build(DiagnosticKind::backward_memory, access.range,
                     "`backward` for {} calls {}, and tensors of torch.compile have no memory; expected calls of "
                     "operators, such as a `kernel` of this library that computes the gradient",
                     ref.name, Code(access.function))
              .about(ref.declaration().name);
      add_call_note(diagnostic, access.called_at, ref);
      diagnostic.emit();
    }
  });
}

void check_outputs_are_set(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    const BodyFacts* body = body_of(op.definition);
    if (!body || !op.is_structured()) continue;
    const Declaration& meta = op.definition.declaration();
    for (const auto& [index, output] : llvm::enumerate(outputs_of(op))) {
      const auto unset = unset_output(*body, index);
      if (!unset) continue;
      DiagnosticBuilder diagnostic =
          checker
              .build(DiagnosticKind::output_unset, *unset->unset_at,
                     "a path through `meta` {} ends here without setting output {}; set it, or call "
                     "`set_output_undefined({})`",
                     Code(meta.name), index, index)
              .about(meta.name, static_cast<int64_t>(index));
      if (unset->unset_branch) {
        diagnostic.note(unset->unset_branch->range, "{}", Phrase(text_of(unset->unset_branch->kind)));
      }
      diagnostic.note(output.name_range, "output {} is {} of the impl", index, Code(output.name));
      diagnostic.emit();
    }
  }
}

void check_outputs_are_set_once(Checker& checker) {
  for (const DefinedOperator& op : checker.index().defined()) {
    const BodyFacts* body = body_of(op.definition);
    if (!body || !op.is_structured()) continue;
    for (const OutputFact& fact : body->outputs) {
      if (!fact.set_twice) continue;
      const SecondSetting& twice = *fact.set_twice;
      const std::string& meta = op.definition.declaration().name;
      const bool is_loop = twice.first == twice.second;
      if (is_loop) {
        checker
            .build(DiagnosticKind::output_set_twice, twice.second,
                   "a loop in `meta` {} sets output {} in each iteration; set each output once", Code(meta), fact.index)
            .about(meta, fact.index)
            .emit();
      } else {
        checker
            .build(DiagnosticKind::output_set_twice, twice.second,
                   "a path through `meta` {} sets output {} a second time here; set each output once", Code(meta),
                   fact.index)
            .about(meta, fact.index)
            .note(twice.first, "first set here")
            .emit();
      }
    }
  }
}

void check_impls_keep_sizes(Checker& checker) {
  check_handles(checker, HandleChange::Kind::resizes, DiagnosticKind::impl_resizes_output,
                "resizes its output, whose size `meta` sets; use the output as it is");
}

void check_impls_keep_handles(Checker& checker) {
  check_handles(
      checker, HandleChange::Kind::assigns, DiagnosticKind::impl_assigns_output,
      "assigns to its output's handle, which leaves the caller's tensor unchanged; write its elements instead");
}

void check_impl_preconditions(Checker& checker) {
  for_each_impl_body(checker, [&](const DefinedOperator& op, const OperatorRef& impl, const BodyFacts& body) {
    const BodyFacts* meta_body = body_of(op.definition);
    if (!meta_body) return;
    const Declaration& meta = op.definition.declaration();
    std::set<std::string> inputs;
    for (const Parameter* input : impl_inputs(meta)) inputs.insert(input->name);
    for (const Precondition& precondition : body.preconditions) {
      const bool is_about_inputs =
          llvm::all_of(precondition.tensors, [&](const std::string& name) { return inputs.count(name) != 0; });
      if (!precondition.is_check || !precondition.reads_shapes_only || !is_about_inputs ||
          is_made_by(precondition, *meta_body)) {
        continue;
      }
      DiagnosticBuilder diagnostic =
          checker
              .build(DiagnosticKind::impl_precondition, precondition.range,
                     "`impl` {} checks shapes or dtypes that `meta` does not check, so the Meta backend accepts them; "
                     "move the check to `meta`",
                     Code(impl.declaration().name))
              .about(impl.declaration().name)
              .note(meta.name_range, "`meta` declared here");
      add_call_note(diagnostic, precondition.called_at, impl);
      diagnostic.emit();
    }
  });
}

}  // namespace structured::gen
