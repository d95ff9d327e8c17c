// PyTorch's program of bench/throughput.py, in its fastest mode, InferenceMode.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include "throughput/cases.h"

using at::Tensor;

struct Torch {
  using Sizes = at::IntArrayRef;
  static void set_threads(int count) { at::set_num_threads(count); }
  static Tensor floats(Sizes sizes) { return at::rand(sizes); }
  static Tensor wide_floats(Sizes sizes) { return floats(sizes) * 4 - 2; }
  static Tensor ints(Sizes sizes) { return at::ones(sizes, at::kInt); }
  static Tensor indices(long count) { return at::randint(count, {count}, at::kLong); }
  static float* data(const Tensor& tensor) { return tensor.data_ptr<float>(); }
  static Tensor transpose(const Tensor& a) { return a.t(); }

  static Tensor add(const Tensor& a, const Tensor& b) { return at::add(a, b); }
  static Tensor& add_out(Tensor& out, const Tensor& a, const Tensor& b) { return at::add_out(out, a, b); }
  static Tensor& copy_(Tensor& to, const Tensor& from) { return to.copy_(from); }
  static Tensor sum(const Tensor& a) { return at::sum(a); }
  static Tensor sum(const Tensor& a, long dim) { return at::sum(a, dim); }
  static Tensor& softmax_out(Tensor& out, const Tensor& a) { return at::_softmax_out(out, a, 1, false); }
  static Tensor& index_select_out(Tensor& out, const Tensor& a, long dim, const Tensor& index) {
    return at::index_select_out(out, a, dim, index);
  }
  static Tensor& cat_out(Tensor& out, const Tensor& half, long dim) { return at::cat_out(out, {half, half}, dim); }
  static Tensor& relu_out(Tensor& out, const Tensor& a) { return at::relu_out(out, a); }
  static Tensor& exp_out(Tensor& out, const Tensor& a) { return at::exp_out(out, a); }
  static Tensor& gelu_out(Tensor& out, const Tensor& a) { return at::gelu_out(out, a); }
  static Tensor& sigmoid_out(Tensor& out, const Tensor& a) { return at::sigmoid_out(out, a); }
  static Tensor& tanh_out(Tensor& out, const Tensor& a) { return at::tanh_out(out, a); }
  static Tensor& mm_out(Tensor& out, const Tensor& a, const Tensor& b) { return at::mm_out(out, a, b); }
  static Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    return at::conv2d(x, weight, bias, 1, 1);
  }
  static Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    return at::layer_norm(x, 1024, weight, bias);
  }
  static Tensor& upsample_nearest1d_out(Tensor& out, const Tensor& x) {
    return at::upsample_nearest1d_out(out, x, 8192);
  }
};

int main(int argc, char** argv) {
  const c10::InferenceMode mode;
  return throughput::run<Torch>(argc, argv);
}
