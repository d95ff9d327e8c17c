// The canonical spelling of a type has no typedefs, inline namespaces or default template arguments, regardless of the
// spelling in the source and of explicit instantiations.
//
// RUN: %structured_gen scan --source-root %S -o - %s -- -I%runtime -I%S/../Inputs > %t.json
// RUN: FileCheck %s < %t.json

#include "mock.h"

template class structured::ArrayRef<std::int64_t>;
template class std::vector<structured::Tensor>;

namespace outer {
inline namespace v2 {
struct Options {};
template <class T, int N = 4>
struct Box {
  struct Inner {};
};
}  // namespace v2
}  // namespace outer

namespace demo {
using namespace structured;
using Number = double;

// CHECK:      "canonical": "const structured::Tensor &",
// CHECK-NEXT: "written": "Tensor const&"
// CHECK:      "canonical": "structured::Tensor &",
// CHECK-NEXT: "written": "Tensor /*written*/ &"
// CHECK:      "canonical": "structured::ArrayRef<long>",
// CHECK-NEXT: "written": "IntArrayRef"
// CHECK:      "canonical": "structured::OptionalIntArrayRef",
// CHECK-NEXT: "written": "OptionalIntArrayRef"
// CHECK:      "canonical": "structured::ArrayRef<std::optional<structured::Tensor>>",
// CHECK-NEXT: "written": "ArrayRef<std::optional<Tensor>>"
// CHECK:      "canonical": "std::basic_string_view<char>",
// CHECK-NEXT: "written": "std::string_view"
// CHECK:      "canonical": "double",
// CHECK-NEXT: "written": "const Number"
// CHECK:      "canonical": "std::array<bool, 3>",
// CHECK-NEXT: "written": "std::array<bool, 3>"
// CHECK:      "canonical": "const outer::Options &",
// CHECK:      "canonical": "outer::Box<int>::Inner",
// CHECK:      "canonical": "outer::Box<outer::Box<long, 3>>",
// CHECK:      "canonical": "const char *const &",
// CHECK:      "canonical": "structured::MemoryFormat",
// CHECK:      "canonical": "int (*)(int)",
// CHECK-NEXT: "written": "int (*callback)(int)"
// CHECK:      "canonical": "std::tuple<structured::Tensor, std::vector<structured::Tensor>, long>",
// CHECK-NEXT: "written": "std::tuple<Tensor, std::vector<Tensor>, int64_t>"
[[structured::kernel("f", "CPU")]]
std::tuple<Tensor, std::vector<Tensor>, int64_t> f(Tensor const& a, Tensor /*written*/ & b, IntArrayRef c,
                                                   OptionalIntArrayRef d, ArrayRef<std::optional<Tensor>> e,
                                                   std::string_view s, const Number n, std::array<bool, 3> m,
                                                   const outer::v2::Options& o, outer::Box<int>::Inner i,
                                                   outer::Box<outer::Box<long, 3>> nested, const char* const& p,
                                                   MemoryFormat format, int (*callback)(int));

// CHECK:      "canonical": "const T &",
// CHECK:      "canonical": "T",
// CHECK:      "template_parameters": [
// CHECK-NEXT:   "T"
template <typename T>
[[structured::pointwise("g")]] T g(const T& self);

}  // namespace demo
