// Operators with arguments and results of every type: test_types.py calls them. A text describes the arguments.
#include <structured/structured.h>

#include <array>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace every {
namespace {

using namespace structured;

template <class T>
void write(std::ostream& out, const T& value) {
  out << value;
}
void write(std::ostream& out, const Tensor& tensor) {
  if (tensor.defined()) {
    out << "Tensor" << tensor.sizes();
  } else {
    out << "undefined";
  }
}
void write(std::ostream& out, const Generator& generator) { out << "Generator(" << generator.current_seed() << ")"; }
void write(std::ostream& out, const Storage&) { out << "Storage"; }
void write(std::ostream& out, const Stream&) { out << "Stream"; }
template <class T>
void write(std::ostream& out, const std::optional<T>& value);
template <class T>
void write(std::ostream& out, ArrayRef<T> list) {
  out << "[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i != 0) out << ", ";
    write(out, list[i]);
  }
  out << "]";
}
template <std::size_t count>
void write(std::ostream& out, const std::array<bool, count>& list) {
  write(out, ArrayRef<bool>(list.data(), count));
}
template <class T>
void write(std::ostream& out, const std::optional<T>& value) {
  if (value) {
    write(out, *value);
  } else {
    out << "none";
  }
}
void write(std::ostream& out, OptionalIntArrayRef list) {
  write(out, list ? std::optional<IntArrayRef>(*list) : std::nullopt);
}

// Texts of the values, separated by `; `.
template <class... T>
std::string described(const T&... values) {
  std::ostringstream out;
  out << std::boolalpha;
  std::size_t place = 0;
  ((out << (place++ == 0 ? "" : "; "), write(out, values)), ...);
  return out.str();
}

}  // namespace

namespace kernels {

[[structured::composite("tensors")]]
std::string tensors(const Tensor& one, const std::optional<Tensor>& maybe, TensorList list,
                    ArrayRef<std::optional<Tensor>> optional_items, std::optional<TensorList> optional_list,
                    std::optional<ArrayRef<std::optional<Tensor>>> optional_both = std::nullopt) {
  return described(one, maybe, list, optional_items, optional_list, optional_both);
}

[[structured::composite("scalars")]]
std::string scalars(const Scalar& one, const std::optional<Scalar>& maybe, ArrayRef<Scalar> list,
                    std::optional<ArrayRef<Scalar>> optional_list = std::nullopt) {
  return described(one, maybe, list, optional_list);
}

[[structured::composite("ints")]]
std::string ints(int64_t one, std::optional<int64_t> maybe, IntArrayRef list,
                 OptionalIntArrayRef optional_list = std::nullopt) {
  return described(one, maybe, list, optional_list);
}

[[structured::composite("floats")]]
std::string floats(double one, std::optional<double> maybe, ArrayRef<double> list,
                   std::optional<ArrayRef<double>> optional_list = std::nullopt) {
  return described(one, maybe, list, optional_list);
}

[[structured::composite("bools")]]
std::string bools(bool one, std::optional<bool> maybe, ArrayRef<bool> list, std::array<bool, 2> pair,
                  std::optional<ArrayRef<bool>> optional_list = std::nullopt,
                  std::optional<std::array<bool, 2>> optional_pair = std::nullopt) {
  return described(one, maybe, list, pair, optional_list, optional_pair);
}

[[structured::composite("strs")]]
std::string strs(std::string_view one, std::optional<std::string_view> maybe, ArrayRef<std::string_view> list,
                 std::optional<ArrayRef<std::string_view>> optional_list = std::nullopt) {
  return described(one, maybe, list, optional_list);
}

[[structured::composite("names")]]
std::string names(Dimname one, std::optional<Dimname> maybe, DimnameList list,
                  std::optional<DimnameList> optional_list = std::nullopt) {
  return described(one, maybe, list, optional_list);
}

[[structured::composite("plain")]]
std::string plain(ScalarType dtype, Layout layout, Device device, MemoryFormat format, Generator generator,
                  QScheme scheme) {
  return described(dtype, layout, device, format, generator, scheme);
}

[[structured::composite("maybe_plain")]]
std::string maybe_plain(std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                        std::optional<MemoryFormat> format, std::optional<Generator> generator,
                        std::optional<QScheme> scheme, std::optional<Storage> storage = std::nullopt,
                        std::optional<Stream> stream = std::nullopt) {
  return described(dtype, layout, device, format, generator, scheme, storage, stream);
}

[[structured::composite("objectless")]]
std::string objectless(Storage storage, Stream stream) {
  return described(storage, stream);
}

[[structured::composite("defaults")]]
std::string defaults(MemoryFormat format = MemoryFormat::ChannelsLast, std::string_view text = "a \"b\", 'c'\n\\",
                     std::string_view other = "d, e", double number = 0.5, const Scalar& scalar = 2,
                     std::optional<ScalarType> dtype = std::nullopt) {
  return described(format, text, other, number, scalar, dtype);
}

// Each result is present if `is_given`.
[[structured::composite("results"), structured::returns("tensor", "maybe", "list", "items", "number")]]
std::tuple<Tensor, std::optional<Tensor>, std::vector<Tensor>, std::vector<std::optional<Tensor>>, int64_t> results(
    const Tensor& self, bool is_given) {
  return {is_given ? self : Tensor(),
          is_given ? std::optional<Tensor>(self) : std::nullopt,
          is_given ? std::vector<Tensor>{self} : std::vector<Tensor>(),
          {std::nullopt, is_given ? std::optional<Tensor>(self) : std::nullopt},
          7};
}

[[structured::composite("maybe")]]
std::optional<Tensor> maybe(const Tensor& self, bool is_given) {
  return is_given ? std::optional<Tensor>(self) : std::nullopt;
}

[[structured::composite("maybe_list")]]
std::optional<std::vector<Tensor>> maybe_list(const Tensor& self, bool is_given) {
  if (!is_given) return std::nullopt;
  return std::vector<Tensor>{self, self};
}

[[structured::composite("values")]]
std::tuple<bool, double, std::string, Scalar, ScalarType, QScheme, std::vector<int64_t>, std::vector<double>,
           std::vector<std::string>, std::vector<Scalar>> values() {
  return {true,   0.5,   "text",     Scalar(Complex<double>(1, 2)), kHalf, QScheme::per_tensor_symmetric,
          {1, 2}, {0.5}, {"a", "b"}, {Scalar(1), Scalar(0.5)}};
}

[[structured::composite("maybe_values")]]
std::tuple<std::optional<bool>, std::optional<int64_t>, std::optional<std::string>, std::optional<Scalar>,
           std::optional<ScalarType>, std::optional<std::vector<std::string>>> maybe_values(bool is_given) {
  if (!is_given) return {};
  return {false, 3, "text", Scalar(1), kInt, std::vector<std::string>{"a"}};
}

// Adds 1 to the tensors that are given.
[[structured::kernel("increment", "CPU", "Meta")]]
void increment([[structured::alias("a!")]] std::optional<TensorList> list,
               [[structured::alias("b!")]] const std::optional<Tensor>& one = std::nullopt) {
  const auto increment = [](const Tensor& tensor) {
    for (int64_t i = 0; i < tensor.numel(); ++i) tensor.data_ptr<float>()[i] += 1;
  };
  if (list) {
    for (const Tensor& tensor : *list) increment(tensor);
  }
  if (one) increment(*one);
}

}  // namespace kernels
}  // namespace every
