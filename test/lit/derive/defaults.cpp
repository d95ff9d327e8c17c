// Default values in schemas and in the emitted C++ API, for each spelling in C++.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %structured_gen scan --namespace=acme --source-root %S -o %t/a.json %s -- -std=c++20 -I%runtime
// RUN: %structured_gen list --namespace=acme %t/a.json | FileCheck --match-full-lines %s
// RUN: %structured_gen emit --namespace=acme --output-dir %t/out %t/a.json
// RUN: for source in src/defaults src/defaults.tables src/defaults.boxed operators; do \
// RUN:   %gxx -fsyntax-only -Wall -Wextra -Werror -I%t/out/include %t/out/$source.cpp && \
// RUN:   %clangxx -fsyntax-only -Wall -Wextra -Werror -I%t/out/include %t/out/$source.cpp || exit 1; done
// RUN: cat %t/out/include/acme/ops/*.h | FileCheck --check-prefix=API %s

#include <structured/structured.h>

namespace own {
enum Mode : int64_t { kFast = 2, kSlow = 3 };
struct Reduction {
  static constexpr int64_t Best = 4;
  static constexpr int64_t Mean = 9;
};
struct Nine {
  constexpr Nine(int) {}
  constexpr operator int64_t() const { return 9; }
};
}  // namespace own

using namespace structured;

constexpr int64_t square(int64_t x) { return x * x; }
constexpr int64_t one = 1;
constexpr ScalarType kAccumulate = kDouble;
constexpr Scalar kHalfway = 0.5;
constexpr std::string_view kMode = "constant";
using Maybe = std::optional<int64_t>;
#define TINY 1e-5
#define NOTHING std::nullopt

// CHECK-DAG: numbers(Tensor x, int a=9, float b=2.0, float c=0.10000000149011612, float d=1.5, int e=97, float f=1e-05, int g=9, Scalar h=0.5, Scalar i=1.0, float j=18446744073709551615.0, Scalar k=2) -> Tensor
// API-DAG: double j = 18446744073709551615.0
[[structured::kernel("numbers", "CPU", "Meta")]]
Tensor numbers(const Tensor& x, int64_t a = square(3), double b = int(2.7), double c = 0.1f, double d = 1.5f,
               int64_t e = 'a', double f = TINY, int64_t g = own::Nine(3), const Scalar& h = kHalfway,
               const Scalar& i = Scalar(double(1)), double j = 18446744073709551615.0, const Scalar& k = int(2.7));

// CHECK-DAG: enumerators(Tensor x, int a=Mean, int b=0, int c=9, int d=4, int e=3, ScalarType f=double, ScalarType g=complex_float, Layout h=mkldnn, Device i=cuda, ScalarType? j=long) -> Tensor
// API-DAG: int64_t a = ::structured::Reduction::Mean, int64_t b = 0,
// API-DAG: ::structured::ScalarType g = ::structured::ScalarType::ComplexFloat,
// API-DAG: ::structured::Layout h = ::structured::Layout::Mkldnn,
[[structured::kernel("enumerators", "CPU", "Meta")]]
Tensor enumerators(const Tensor& x, int64_t a = Reduction::Mean, int64_t b = Reduction::None,
                   int64_t c = own::Reduction::Mean, int64_t d = own::Reduction::Best, int64_t e = own::kSlow,
                   ScalarType f = kAccumulate, ScalarType g = kComplexFloat, Layout h = Layout::Mkldnn,
                   Device i = Device(kCUDA), std::optional<ScalarType> j = static_cast<ScalarType>(4));

// CHECK-DAG: optionals(Tensor x, int[]? a=[], int? b=0, float? c=0.0, Scalar? d=0, int? e=None, int? f=None, int[]? g=None, int[]? h=[1,2], float[]? i=[], float[]? j=[1.5]) -> Tensor
// API-DAG: ::structured::OptionalIntArrayRef a = ::structured::IntArrayRef{},
// API-DAG: ::structured::OptionalIntArrayRef h = ::structured::IntArrayRef{1, 2},
[[structured::kernel("optionals", "CPU", "Meta")]]
Tensor optionals(const Tensor& x, OptionalIntArrayRef a = IntArrayRef{}, std::optional<int64_t> b = int64_t{},
                 std::optional<double> c = double(), const std::optional<Scalar>& d = Scalar(), Maybe e = Maybe{},
                 Maybe f = Maybe(NOTHING), OptionalIntArrayRef g = OptionalIntArrayRef(),
                 OptionalIntArrayRef h = {{1, 2}}, std::optional<ArrayRef<double>> i = ArrayRef<double>(),
                 std::optional<ArrayRef<double>> j = ArrayRef<double>{1.5});

// CHECK-DAG: lists(Tensor x, bool[3] a=[True,False,True], bool[3] b=[True,False,False], bool[2] c=[False,False], int[] d=[1,-2,16], int[] e=[1,2], int[] f=[5], Scalar[] g=[1,2.5], str[] h=["a,b","c"]) -> Tensor
// API-DAG: ::structured::ArrayRef<std::string_view> h = {"a,b", "c"}
[[structured::kernel("lists", "CPU", "Meta")]]
Tensor lists(const Tensor& x, std::array<bool, 3> a = {{true, false, true}}, std::array<bool, 3> b = {true},
             std::array<bool, 2> c = {}, IntArrayRef d = {1, -2, 0x10}, IntArrayRef e = {one, 2}, IntArrayRef f = {5},
             ArrayRef<Scalar> g = {1, 2.5}, ArrayRef<std::string_view> h = {"a,b", "c"});

// CHECK-DAG: strings(Tensor x, str a="constant", str b="ab", str c="say \"no\"", str d="a\tb", str e="") -> Tensor
[[structured::kernel("strings", "CPU", "Meta")]]
Tensor strings(const Tensor& x, std::string_view a = kMode, std::string_view b = "a" "b",
               std::string_view c = R"(say "no")", std::string_view d = "a\tb", std::string_view e = {});

// Its schema is split into several string literals.
// CHECK-DAG: long_string(Tensor x, str a="xüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü") -> Tensor
[[structured::kernel("long_string", "CPU", "Meta")]]
Tensor long_string(const Tensor& x,
    std::string_view a = "xüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü");
