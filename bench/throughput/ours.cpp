// Our program of bench/throughput.py.
#include <structured/operators.h>
#include <structured/structured.h>

#include "throughput/cases.h"

using structured::Tensor;

struct Ours {
  using Sizes = structured::IntArrayRef;
  static void set_threads(int count) { structured::set_num_threads(count); }
  static Tensor floats(Sizes sizes) { return structured::rand(sizes); }
  static Tensor wide_floats(Sizes sizes) { return structured::sub(structured::mul(floats(sizes), 4), 2); }
  static Tensor ints(Sizes sizes) { return structured::full(sizes, 1, structured::kInt); }
  static Tensor indices(long count) { return structured::randint(count, {count}, structured::kLong); }
  static float* data(const Tensor& tensor) { return tensor.data_ptr<float>(); }
  static Tensor transpose(const Tensor& a) { return structured::transpose(a, 0, 1); }

  static Tensor add(const Tensor& a, const Tensor& b) { return structured::add(a, b); }
  static Tensor& add_out(Tensor& out, const Tensor& a, const Tensor& b) { return structured::add_out(out, a, b); }
  static Tensor& copy_(Tensor& to, const Tensor& from) { return structured::copy_(to, from); }
  static Tensor sum(const Tensor& a) { return structured::sum(a); }
  static Tensor sum(const Tensor& a, long dim) { return structured::sum(a, dim); }
  static Tensor& softmax_out(Tensor& out, const Tensor& a) { return structured::_softmax_out(out, a, 1, false); }
  static Tensor& index_select_out(Tensor& out, const Tensor& a, long dim, const Tensor& index) {
    return structured::index_select_out(out, a, dim, index);
  }
  static Tensor& cat_out(Tensor& out, const Tensor& half, long dim) {
    return structured::cat_out(out, {half, half}, dim);
  }
  static Tensor& relu_out(Tensor& out, const Tensor& a) { return structured::relu_out(out, a); }
  static Tensor& exp_out(Tensor& out, const Tensor& a) { return structured::exp_out(out, a); }
  static Tensor& gelu_out(Tensor& out, const Tensor& a) { return structured::gelu_out(out, a); }
  static Tensor& sigmoid_out(Tensor& out, const Tensor& a) { return structured::sigmoid_out(out, a); }
  static Tensor& tanh_out(Tensor& out, const Tensor& a) { return structured::tanh_out(out, a); }
  static Tensor& mm_out(Tensor& out, const Tensor& a, const Tensor& b) { return structured::mm_out(out, a, b); }
  static Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    return structured::conv2d(x, weight, bias, 1, 1);
  }
  static Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    return structured::layer_norm(x, 1024, weight, bias);
  }
  static Tensor& upsample_nearest1d_out(Tensor& out, const Tensor& x) {
    return structured::upsample_nearest1d_out(out, x, 8192);
  }
};

int main(int argc, char** argv) { return throughput::run<Ours>(argc, argv); }
