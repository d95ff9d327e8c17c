#include "lower/shared_bodies.h"

#include <algorithm>
#include <map>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "model/cpp_names.h"

namespace structured::gen {
namespace {

// Returns the identifiers of a C++ type without qualifiers and common namespaces: `optional_ScalarType` for
// `std::optional<::structured::ScalarType>`.
std::string words_of(llvm::StringRef type) {
  static const llvm::StringSet<> omitted{"const", "std", "structured", "at", "c10"};
  std::string words;
  while (!type.empty()) {
    type = type.drop_until(is_word_character);
    const llvm::StringRef word = type.take_while(is_word_character);
    type = type.drop_front(word.size());
    if (!word.empty() && !omitted.contains(word)) {
      words += (words.empty() ? "" : "_") + (word == "int64_t" || word == "long" ? "int" : word.str());
    }
  }
  return words;
}

std::string words_of(llvm::ArrayRef<std::string> types) {
  std::string words;
  for (const std::string& type : types) {
    words += "_" + words_of(llvm::StringRef(type));
  }
  return words.empty() ? "_nothing" : words;
}

std::string kind_words(const Body& body) {
  const char* kind = nullptr;
  switch (body.adaptor->kind) {
    case Variant::Kind::functional:
      kind = "functional";
      break;
    case Variant::Kind::inplace:
      kind = "inplace";
      break;
    case Variant::Kind::out:
      kind = "out";
      break;
  }
  switch (body.part) {
    case WrapperPart::call:
      return kind;
    case WrapperPart::via_out:
      return std::string(kind) + "_via_out";
    case WrapperPart::prepared:
      return "prepared_" + std::string(kind);
  }
  llvm_unreachable("all parts are handled");
}

// Returns one-based positions: `_1_3`.
std::string ordinals(const Positions& positions) {
  std::string words;
  for (const std::size_t position : positions) {
    words += "_" + std::to_string(position + 1);
  }
  return words;
}

// Returns the inputs that only meta receives.
Positions replaced_inputs(const Body& body, const CallImpl& call) {
  Positions replaced;
  for (std::size_t i = 0; i < body.meta->parameters.size() - 1; ++i) {
    if (!llvm::is_contained(call.arguments, Value{Value::Kind::parameter, i})) {
      replaced.push_back(i);
    }
  }
  return replaced;
}

// Describes deviations from the usual steps.
std::string step_words(const Body& body) {
  std::string words;
  bool is_device_checked = false;
  for (const Step& step : body.steps) {
    if (std::holds_alternative<CheckDevices>(step)) {
      is_device_checked = true;
    } else if (std::holds_alternative<GuardDevice>(step) && body.part != WrapperPart::via_out) {
      words += "_on_a_device";
    } else if (const auto* make = std::get_if<MakeAdaptor>(&step)) {
      const bool is_inplace = body.adaptor->kind == Variant::Kind::inplace;
      words += is_inplace && make->outputs != Positions{0} ? "_writing" + ordinals(make->outputs) : "";
    } else if (const auto* check = std::get_if<CheckOverlap>(&step)) {
      words += check->reusable ? "_reusing" + ordinals({*check->reusable}) : "";
    }
  }
  if (!is_device_checked && body.tensors > 1) {
    words += "_on_any_devices";
  }
  return words;
}

std::string impl_words(const Body& body) {
  const std::vector<Step>& steps = body.part == WrapperPart::prepared ? body.run_steps : body.steps;
  const auto found = llvm::find_if(steps, [](const Step& step) { return std::holds_alternative<CallImpl>(step); });
  if (found == steps.end()) {
    return body.part == WrapperPart::call ? "_for_Meta" : "";
  }
  const auto& call = std::get<CallImpl>(*found);
  std::string words;
  if (!body.precomputed.empty()) {
    words += "_precomputing_" + words_of(llvm::StringRef(body.precomputed));
    const Positions replaced = replaced_inputs(body, call);
    words += replaced.empty() ? "" : "_for" + ordinals(replaced);
  }
  // Most impls take their operator's base if and only if it is a class derived from MetaBase.
  const bool takes_base = llvm::is_contained(call.arguments, Value{Value::Kind::adaptor, 0});
  const bool is_expected = words_of(llvm::StringRef(body.adaptor->base)) != "MetaBase";
  if (takes_base != is_expected) {
    words += takes_base ? "_for_impl" : "_for_meta_alone";
  }
  return words;
}

}  // namespace

std::string body_name(const Body& body) {
  std::string name = kind_words(body) + "_of" + words_of(llvm::ArrayRef(body.type.parameters)) + "_with_" +
                     words_of(llvm::StringRef(body.adaptor->base));
  if (body.adaptor->outputs > 1) {
    name += "_and_" + std::to_string(body.adaptor->outputs) + "_outputs";
  }
  return name + impl_words(body) + step_words(body);
}

void share_bodies(LoweredLibrary& lowered) {
  struct Group {
    const Body* body = nullptr;
    bool is_ambiguous = false;  // different bodies have this name, so none is shared
    std::vector<LoweredFunction*> functions;
    std::size_t variant = 0;
    std::set<std::string> sources;
  };
  std::map<std::string, Group> groups;
  for (auto& [source, lowered_source] : lowered.sources) {
    for (const std::size_t index : lowered_source.wrappers) {
      LoweredWrapper& wrapper = lowered.wrappers[index];
      for (LoweredFunction& function : wrapper.functions) {
        if (!function.can_share) {
          continue;
        }
        Group& group = groups[body_name(function.body)];
        if (group.body == nullptr) {
          group.body = &function.body;
          group.variant = wrapper.variant;
        }
        group.is_ambiguous = group.is_ambiguous || *group.body != function.body;
        group.functions.push_back(&function);
        group.sources.insert(source);
      }
    }
  }
  for (auto& [name, group] : groups) {
    if (group.is_ambiguous || group.functions.size() < 2) {
      continue;
    }
    for (LoweredFunction* function : group.functions) {
      function->shared = name;
    }
    for (const std::string& source : group.sources) {
      lowered.sources[source].shared_bodies.push_back(lowered.shared_bodies.size());
    }
    lowered.shared_bodies.push_back({name, *group.body, group.variant, std::move(group.sources)});
  }
}

}  // namespace structured::gen
