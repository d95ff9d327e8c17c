#include "structured/format/npy.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>

#include "structured/base/error.h"
#include "structured/core/dim_vector.h"
#include "structured/core/factory.h"
#include "structured/format/files.h"
#include "structured/format/npy_format.h"

namespace structured {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kMagic("\x93NUMPY", 6);
/// NumPy also rejects longer headers by default; headers of plain arrays take 128 bytes.
constexpr std::size_t kMaxHeaderBytes = 64 << 10;

/// The header's dictionary: `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  std::string descr;
  bool fortran_order = false;
  DimVector shape;

  void read() {
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !has_descr) {
        has_descr = true;
        descr = string();
      } else if (key == "fortran_order" && !has_order) {
        has_order = true;
        fortran_order = boolean();
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        read_shape();
      } else {
        fail_header("the keys descr, fortran_order and shape once each", "`" + key + "`");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (at_ != text_.size()) fail_header("nothing after the dictionary", found());
    if (!has_descr || !has_order || !has_shape)
      fail_header("descr, fortran_order and shape", "a dictionary without one");
  }

 private:
  [[noreturn]] void fail_header(const std::string& expected, const std::string& found) const {
    fail(name_, ": expected ", expected, " in the npy header, found ", found);
  }
  std::string found() const { return at_ < text_.size() ? "`" + std::string(text_.substr(at_, 16)) + "`" : "its end"; }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool accept(char token) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != token) return false;
    ++at_;
    return true;
  }
  void expect(char token) {
    if (!accept(token)) fail_header(std::string("`") + token + "`", found());
  }
  std::string string() {
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') fail_header("a string (structured dtypes are not supported)", found());
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail_header("the end of a string", "none");
    std::string result(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return result;
  }
  bool boolean() {
    skip_space();
    for (const std::string_view word : {"True", "False"}) {
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return word == "True";
      }
    }
    fail_header("True or False", found());
  }
  int64_t integer() {
    skip_space();
    int64_t value = 0;
    const std::size_t start = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text_[at_] - '0', &value)) {
        fail_header("a size that int64 holds", "a larger one");
      }
    }
    if (at_ == start) fail_header("a size", found());
    return value;
  }
  void read_shape() {
    expect('(');
    while (!accept(')')) {
      if (shape.size() == kMaxDims) fail_header("at most 64 dimensions", "more");
      shape.push_back(integer());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

void read_exactly(std::istream& in, char* to, std::size_t nbytes, const std::string& name) {
  in.read(to, static_cast<std::streamsize>(nbytes));
  STRUCTURED_CHECK(in.gcount() == static_cast<std::streamsize>(nbytes), name, ": expected ", nbytes,
                   " more bytes, found ", in.gcount());
}

/// Reverses the bytes of each number; a complex element has two numbers.
void swap_bytes(char* data, std::size_t nbytes, std::size_t number_bytes) {
  for (std::size_t at = 0; at < nbytes; at += number_bytes) std::reverse(data + at, data + at + number_bytes);
}

}  // namespace

Tensor detail::contiguous_on_host(const Tensor& tensor) {
  STRUCTURED_CHECK(tensor.is_cpu(), "save: expected a tensor on cpu, got ", tensor.device());
  if (tensor.is_contiguous()) return tensor;
  Tensor copy = empty(tensor.sizes(), tensor.dtype());
  elements_from_tensor(tensor, copy.data(), tensor.dtype());
  return copy;
}

std::string detail::npy_header(const Tensor& tensor) {
  const schema::Dtype* const type = dtype_row(tensor.dtype());
  STRUCTURED_CHECK(type != nullptr && type->numpy != nullptr, "save: expected a dtype that NumPy has, got ",
                   tensor.dtype());
  std::string text = std::string("{'descr': '") + (tensor.element_size() == 1 ? '|' : '<') + type->numpy +
                     "', 'fortran_order': False, 'shape': (";
  for (const int64_t size : tensor.sizes()) text += std::to_string(size) + ", ";
  // NumPy writes `(2, 3)` and `(2,)`.
  if (tensor.dim() == 1) {
    text.pop_back();
  } else if (tensor.dim() > 1) {
    text.resize(text.size() - 2);
  }
  text += "), }";
  const std::size_t before = kMagic.size() + 4;
  text.append((64 - (before + text.size() + 1) % 64) % 64, ' ');
  text += '\n';
  std::string header(kMagic);
  header += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

Tensor detail::read_npy_array(std::istream& in, std::size_t nbytes, const std::string& name) {
  char start[12];
  STRUCTURED_CHECK(nbytes >= 10, name, ": expected an npy header of at least 10 bytes, found ", nbytes, " bytes");
  read_exactly(in, start, 10, name);
  STRUCTURED_CHECK(std::string_view(start, 6) == kMagic, name,
                   ": expected an npy file, found other bytes at its start (an npz file is read by load_npz)");
  const int major = static_cast<unsigned char>(start[6]);
  STRUCTURED_CHECK(major >= 1 && major <= 3, name, ": expected npy version 1, 2 or 3, found ", major);
  std::size_t header_bytes = static_cast<unsigned char>(start[8]) | std::size_t{static_cast<unsigned char>(start[9])}
                                                                        << 8;
  std::size_t before = 10;
  if (major > 1) {
    STRUCTURED_CHECK(nbytes >= 12, name, ": expected an npy header of at least 12 bytes, found ", nbytes, " bytes");
    read_exactly(in, start + 10, 2, name);
    before = 12;
    header_bytes |= std::size_t{static_cast<unsigned char>(start[10])} << 16 |
                    std::size_t{static_cast<unsigned char>(start[11])} << 24;
  }
  STRUCTURED_CHECK(header_bytes <= std::min(kMaxHeaderBytes, nbytes - before), name,
                   ": expected an npy header of at most ", std::min(kMaxHeaderBytes, nbytes - before),
                   " bytes, found one of ", header_bytes);
  std::string text(header_bytes, '\0');
  read_exactly(in, text.data(), header_bytes, name);
  HeaderReader header(text, name);
  header.read();

  const char order = header.descr.empty() ? ' ' : header.descr[0];
  const bool has_order = std::string_view("<>|=").find(order) != std::string_view::npos;
  const schema::Dtype* const type = schema::find_dtype([&](const schema::Dtype& row) {
    return has_order && row.numpy != nullptr && header.descr.substr(1) == row.numpy;
  });
  STRUCTURED_CHECK(type != nullptr, name, ": expected a dtype that tensors have, found `", header.descr, "`");
  const ScalarType dtype = scalar_type_of_row(type);

  // Compare the sizes before anything is allocated.
  std::size_t expected = item_size(dtype);
  bool is_too_much = false;
  const bool is_empty = std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end();
  for (const int64_t size : header.shape) {
    if (!is_empty) is_too_much |= __builtin_mul_overflow(expected, static_cast<std::size_t>(size), &expected);
  }
  if (is_empty) expected = 0;
  const std::size_t left = nbytes - before - header_bytes;
  STRUCTURED_CHECK(!is_too_much && expected == left, name, ": expected ",
                   is_too_much ? std::string("more") : std::to_string(expected), " bytes of elements for shape ",
                   IntArrayRef(header.shape), " of `", header.descr, "`, found ", left);

  Tensor result;
  if (header.fortran_order) {
    DimVector strides(header.shape.size(), 1);
    for (std::size_t dim = 1; dim < strides.size(); ++dim) {
      strides[dim] = strides[dim - 1] * std::max<int64_t>(header.shape[dim - 1], 1);
    }
    result = empty_strided(header.shape, strides, dtype);
  } else {
    result = empty(header.shape, dtype);
  }
  char* const data = static_cast<char*>(result.data());
  read_exactly(in, data, expected, name);
  const std::size_t number_bytes = item_size(to_real(dtype));
  if (order == '>' && number_bytes > 1) swap_bytes(data, expected, number_bytes);
  if (dtype == kBool) {
    STRUCTURED_CHECK(std::all_of(data, data + expected, [](char byte) { return byte == 0 || byte == 1; }), name,
                     ": expected bytes of 0 or 1 for dtype bool, found others");
  }
  return result;
}

std::size_t detail::stream_size(std::istream& in) {
  in.seekg(0, std::ios::end);
  const auto size = static_cast<std::size_t>(std::max<std::streamoff>(in.tellg(), 0));
  in.seekg(0);
  return size;
}

void detail::read_file(const std::string& path, const std::function<void(std::istream&)>& read) {
  std::ifstream in(path, std::ios::binary);
  STRUCTURED_CHECK(in.is_open(), path, ": expected a file that can be read, got error \"", std::strerror(errno), "\"");
  read(in);
}

Tensor detail::read_npy(std::istream& in, const std::string& name) { return read_npy_array(in, stream_size(in), name); }

void save(const std::string& path, const Tensor& tensor) {
  const Tensor elements = detail::contiguous_on_host(tensor);
  const std::string header = detail::npy_header(elements);
  detail::replace_file(path, [&](std::ostream& out) {
    out.write(header.data(), static_cast<std::streamsize>(header.size()));
    out.write(static_cast<const char*>(elements.data()), static_cast<std::streamsize>(elements.nbytes()));
  });
}

Tensor load(const std::string& path) {
  Tensor result;
  detail::read_file(path, [&](std::istream& in) { result = detail::read_npy(in, path); });
  return result;
}

}  // namespace structured
