#include "emit/native/shared_bodies.h"

#include <cstddef>

#include "lower/calling_convention.h"
#include "emit/native/source_text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace structured::gen {
namespace {

// What a debugger shows in place of the wrapper.
std::string body_name(const PlannedVariant& planned, WrapperPart part, llvm::StringRef text) {
  const Variant::Kind kind = planned.variant->kind;
  const std::string variant = kind == Variant::Kind::functional ? "functional"
                              : kind == Variant::Kind::inplace  ? "inplace"
                                                                : "out";
  return "shared_" +
         (part == WrapperPart::call     ? variant
          : part == WrapperPart::common ? "common_" + variant
                                        : "prepare") +
         "_" + llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true);
}

}  // namespace

SharedBodies::SharedBodies(const Plan& plan) {
  struct User {
    const PlannedWrapper* wrapper;
    WrapperPart part;
    const std::string* source;
  };
  std::map<std::string, std::vector<User>> by_text;
  std::vector<const std::string*> in_order;
  for (const auto& [source, planned] : plan.sources) {
    for (const std::size_t index : planned.wrappers) {
      for (const WrapperPart part : {WrapperPart::call, WrapperPart::common, WrapperPart::prepared}) {
        const PlannedWrapper& wrapper = plan.wrappers[index];
        if (can_share(plan, wrapper, part)) {
          Writer text;
          write_shared_body(text, plan, wrapper, part, "body");
          const auto [place, is_new] = by_text.try_emplace(text.text());
          place->second.push_back({&wrapper, part, &source});
          if (is_new) {
            in_order.push_back(&place->first);
          }
        }
      }
    }
  }
  for (const std::string* text : in_order) {
    const std::vector<User>& users = by_text[*text];
    if (users.size() > 1) {
      const User& first = users.front();
      Body body{body_name(plan.variant_of(*first.wrapper), first.part, *text), first.wrapper, first.part, {}};
      for (const User& user : users) {
        places_[{user.wrapper, user.part}] = bodies_.size();
        body.sources.insert(*user.source);
      }
      bodies_.push_back(std::move(body));
    }
  }
}

void SharedBodies::write(Writer& writer, const Plan& plan, llvm::StringRef source) const {
  std::vector<const Body*> own;
  std::vector<const Body*> elsewhere;
  for (const Body& body : bodies_) {
    if (body.sources.count(source.str()) != 0) {
      (body.is_for_many() ? elsewhere : own).push_back(&body);
    }
  }
  if (!elsewhere.empty()) {
    writer.blank();
    writer.comment("//", "Bodies that wrappers of other sources have, too.");
    for (const Body* body : elsewhere) {
      declare_shared_body(writer, plan, *body->first, body->part, body->name);
    }
  }
  if (!own.empty()) {
    writer.blank();
    writer.comment("//", "Wrappers that differ in nothing but the functions they call have one body.");
    const Writer::Scope scope = writer.in_namespace("");
    for (const Body* body : own) {
      write_shared_body(writer, plan, *body->first, body->part, body->name);
    }
  }
}

std::string SharedBodies::source_for_many(const Plan& plan) const {
  std::vector<const Body*> bodies;
  std::set<std::string> headers;
  for (const Body& body : bodies_) {
    if (body.is_for_many()) {
      bodies.push_back(&body);
      const PlannedVariant& planned = plan.variant_of(*body.first);
      add_headers(*plan.cpp_types, *planned.op, *planned.variant, headers);
      add_body_headers(plan, *body.first, body.part, headers);
    }
  }
  // In an order that has nothing to do with that of sources, so that others do not move when one comes or goes.
  llvm::sort(bodies, [](const Body* a, const Body* b) { return a->name < b->name; });
  Writer writer;
  write_banner(writer, "");
  if (bodies.empty()) {
    writer.line("// No two sources have wrappers that are alike.");
    return writer.text();
  }
  write_includes(writer, headers);
  {
    const HiddenVisibility hidden(writer);
    const Writer::Scope scope = writer.in_namespace(plan.hidden_namespace);
    for (const Body* body : bodies) {
      write_shared_body(writer, plan, *body->first, body->part, body->name);
    }
  }
  return writer.text();
}

const SharedBodies::Body* SharedBodies::find_body(const PlannedWrapper& wrapper, WrapperPart part) const {
  const auto found = places_.find({&wrapper, part});
  return found == places_.end() ? nullptr : &bodies_[found->second];
}

std::string SharedBodies::find(const PlannedWrapper& wrapper, WrapperPart part) const {
  const Body* body = find_body(wrapper, part);
  return body == nullptr ? "" : body->name;
}

bool SharedBodies::has_body_here(const PlannedWrapper& wrapper, WrapperPart part) const {
  const Body* body = find_body(wrapper, part);
  return body == nullptr || !body->is_for_many();
}

}  // namespace structured::gen
