// Storage of C++ types and members in fragments and libraries.
#pragma once

#include "model/cpp_type.h"

namespace structured::gen {

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<CppType> type) {
  archive.required("canonical", type.canonical);
  archive.field("written", type.written);
}

template <class Archive>
void describe(Archive& archive, typename Archive::template Value<Member> member) {
  archive.required("name", member.name);
  archive.required("type", member.type);
}

}  // namespace structured::gen
