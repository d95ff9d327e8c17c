#include "emit/shared_bodies.h"

namespace structured::gen {
namespace {

// What a debugger shows in place of the wrapper.
std::string body_name(const PlannedVariant& planned, WrapperPart part) {
  const Variant::Kind kind = planned.variant->kind;
  const std::string variant = kind == Variant::Kind::functional ? "functional"
                              : kind == Variant::Kind::inplace  ? "inplace"
                                                                : "out";
  return "shared_" + (part == WrapperPart::call     ? variant
                      : part == WrapperPart::common ? "common_" + variant
                                                    : "prepare");
}

}  // namespace

SharedBodies::SharedBodies(const Plan& plan, llvm::ArrayRef<std::size_t> wrappers) {
  std::map<std::string, std::vector<std::pair<const PlannedWrapper*, WrapperPart>>> by_text;
  std::vector<const std::string*> in_order;
  for (const std::size_t index : wrappers) {
    for (const WrapperPart part : {WrapperPart::call, WrapperPart::common, WrapperPart::prepared}) {
      const PlannedWrapper& wrapper = plan.wrappers[index];
      if (can_share(plan, wrapper, part)) {
        Writer text;
        write_shared_body(text, plan, wrapper, part, "body");
        const auto [place, is_new] = by_text.try_emplace(text.text());
        place->second.emplace_back(&wrapper, part);
        if (is_new) {
          in_order.push_back(&place->first);
        }
      }
    }
  }
  for (const std::string* text : in_order) {
    const auto& users = by_text[*text];
    if (users.size() > 1) {
      const auto [first, part] = users.front();
      bodies_.push_back({body_name(plan.variant_of(*first), part) + "_" + std::to_string(bodies_.size()), first, part});
      for (const auto& user : users) {
        places_[user] = bodies_.size() - 1;
      }
    }
  }
}

void SharedBodies::write(Writer& writer, const Plan& plan) const {
  if (bodies_.empty()) {
    return;
  }
  writer.blank();
  writer.comment("//", "Wrappers that differ in nothing but the functions they call have one body.");
  const Writer::Scope scope = writer.in_namespace("");
  for (const Body& body : bodies_) {
    write_shared_body(writer, plan, *body.first, body.part, body.name);
  }
}

std::string SharedBodies::find(const PlannedWrapper& wrapper, WrapperPart part) const {
  const auto found = places_.find({&wrapper, part});
  return found == places_.end() ? "" : bodies_[found->second].name;
}

}  // namespace structured::gen
