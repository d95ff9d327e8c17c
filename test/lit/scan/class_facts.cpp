// Class facts of operator bases and of classes of precomputed values.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: %structured_gen scan --source-root %t -o - %t/a.cpp -- -I%runtime -I%S/../Inputs -I%t/include > %t.json
// RUN: FileCheck %s < %t.json

//--- include/bases.h
#pragma once
#include "mock.h"
namespace demo {
class Base : public structured::TensorIteratorBase {};
struct Hidden {
 private:
  Hidden();
};
class Final final : public structured::MetaBase {
 public:
  Final(int n = 0);
};
template <class T>
class Generic : public structured::MetaBase, private Hidden, protected structured::Device {};
struct Abstract : structured::MetaBase {
  virtual void work() = 0;
};
struct Common {
  int64_t dim;
};
}  // namespace demo
//--- beside.h
#pragma once
namespace demo {
class Beside : public structured::MetaBase {};
}  // namespace demo
//--- a.cpp
#include "bases.h"
#include "beside.h"
namespace demo {
using namespace structured;

struct Precomputed : Common {
  IntArrayRef sizes;
  const bool keep = true;

 private:
  int secret;
};

// CHECK:      "base_class": {
// CHECK-NEXT:  "bases": [
// CHECK-NEXT:   "structured::TensorIteratorBase",
// CHECK-NEXT:   "structured::MetaBase"
// CHECK-NEXT:  ],
// CHECK-NEXT:  "header": "bases.h",
// CHECK-NEXT:  "is_default_constructible": true,
// CHECK-NEXT:  "is_visible_from_header": true,
// CHECK-NEXT:  "name": "demo::Base",
// CHECK-NEXT:  "range": "include/bases.h:4:7-4:11"
// CHECK:      "result_class": {
// CHECK-NEXT:  "bases": [
// CHECK-NEXT:   "demo::Common"
// CHECK-NEXT:  ],
// CHECK-NEXT:  "is_default_constructible": true,
// CHECK-NEXT:  "members": [
// CHECK-NEXT:   {
// CHECK-NEXT:    "name": "dim",
// CHECK:        "name": "sizes",
// CHECK-NEXT:    "type": {
// CHECK-NEXT:     "canonical": "structured::ArrayRef<long>",
// CHECK-NEXT:     "written": "IntArrayRef"
// CHECK:        "name": "keep",
// CHECK-NOT:     secret
// CHECK:       "name": "demo::Precomputed",
[[structured::meta("a")]] Precomputed a(Base& op, const Tensor& self);

// CHECK:      "base_class": {
// CHECK:       "is_default_constructible": true,
// CHECK-NEXT:  "is_final": true,
// CHECK:       "name": "demo::Final",
// CHECK:      "name": "demo::b",
[[structured::meta("b")]] void b(Final& op, const Tensor& self);

// A private base hides its deleted constructor; non-public base classes are not listed.
// CHECK:      "base_class": {
// CHECK-NEXT:  "bases": [
// CHECK-NEXT:   "structured::MetaBase"
// CHECK-NEXT:  ],
// CHECK-NEXT:  "header": "bases.h",
// CHECK-NEXT:  "is_visible_from_header": true,
// CHECK-NEXT:  "name": "demo::Generic<long>",
[[structured::meta("c")]] void c(Generic<int64_t>& op, const Tensor& self);

// CHECK:      "base_class": {
// CHECK:       "header": "bases.h",
// CHECK-NEXT:  "is_abstract": true,
// CHECK:       "name": "demo::Abstract",
[[structured::meta("abstract")]] void abstract(Abstract& op, const Tensor& self);

// A template argument that emitted code cannot name hides the specialization.
// CHECK:      "base_class": {
// CHECK-NOT:   "is_visible_from_header"
// CHECK:       "name": "demo::Generic<std::vector<demo::InSource *>>",
struct InSource;
[[structured::meta("hidden")]] void hidden(Generic<std::vector<InSource*>>& op, const Tensor& self);

// CHECK:       "header": "beside.h",
// CHECK:       "name": "demo::Beside",
[[structured::meta("d")]] void d(Beside& op, const Tensor& self);

// CHECK:      "base_class": {
// CHECK-NEXT:  "bases": [
// CHECK-NEXT:   "structured::MetaBase"
// CHECK-NEXT:  ],
// CHECK-NEXT:  "is_default_constructible": true,
// CHECK-NEXT:  "name": "demo::Local",
class Local : public MetaBase {};
[[structured::meta("e")]] void e(Local& op, const Tensor& self);

// CHECK:      "base_class": {
// CHECK-NEXT:  "name": "demo::Incomplete",
class Incomplete;
[[structured::meta("f")]] void f(Incomplete& op, const Tensor& self);

}  // namespace demo
