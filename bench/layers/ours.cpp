// Times layers of networks with our operators. Prints a line with microseconds and name for each case. See
// bench/layers.py.
#include <structured/autograd/gradient.h>
#include <structured/iterator/copy.h>
#include <structured/ops/_softmax.h>
#include <structured/ops/addmm.h>
#include <structured/ops/avg_pool2d.h>
#include <structured/ops/batch_norm.h>
#include <structured/ops/bmm.h>
#include <structured/ops/cdist.h>
#include <structured/ops/conv2d.h>
#include <structured/ops/conv3d.h>
#include <structured/ops/conv_transpose2d.h>
#include <structured/ops/convolution_backward.h>
#include <structured/ops/group_norm.h>
#include <structured/ops/layer_norm.h>
#include <structured/ops/log_softmax.h>
#include <structured/ops/max_pool2d.h>
#include <structured/ops/max_pool2d_with_indices.h>
#include <structured/ops/max_pool2d_with_indices_backward.h>
#include <structured/ops/mm.h>
#include <structured/ops/mv.h>
#include <structured/ops/nll_loss.h>
#include <structured/ops/rand.h>
#include <structured/optim.h>
#include <structured/structured.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "examples/digits/network.h"
#include "shared/clock.h"

using structured::IntArrayRef;
using structured::Tensor;

namespace {

void measure(const char* name, const std::function<void()>& call) { bench::print_best(name, call); }

Tensor random(IntArrayRef sizes) { return structured::rand(sizes, structured::kFloat); }

Tensor channels_last(const Tensor& tensor) {
  const Tensor result = structured::empty(tensor.sizes(), tensor.options(), structured::MemoryFormat::ChannelsLast);
  structured::copy_into(result, tensor);
  return result;
}

void measure_convolution(const char* name, IntArrayRef input, IntArrayRef weight, int64_t stride, int64_t padding,
                         int64_t groups = 1) {
  const Tensor x = random(input);
  const Tensor w = random(weight);
  measure(name, [&] { structured::conv2d(x, w, std::nullopt, stride, padding, 1, groups); });
}

void measure_rows() {
  const Tensor few = random({128, 10});
  const Tensor rows = random({512, 512});
  const Tensor words = random({32, 50257});
  const Tensor image = random({16, 128, 56, 56});
  measure("softmax 128x10", [&] { structured::_softmax(few, 1, false); });
  measure("softmax 512x512", [&] { structured::_softmax(rows, 1, false); });
  measure("log_softmax 32x50257", [&] { structured::log_softmax(words, 1); });
  measure("softmax of channels", [&] { structured::_softmax(image, 1, false); });
  const Tensor tokens = random({512, 768});
  const Tensor weight = random({768});
  measure("layer_norm 512x768", [&] { structured::layer_norm(tokens, 768, weight, weight); });
}

void measure_products() {
  const Tensor square = random({512, 512});
  const Tensor bias = random({512});
  const Tensor batch = random({64, 64, 64});
  const Tensor large = random({2048, 2048});
  const Tensor vector = random({2048});
  const Tensor points = random({1000, 128});
  measure("mm 512", [&] { structured::mm(square, square); });
  measure("addmm 512", [&] { structured::addmm(bias, square, square); });
  measure("bmm 64 of 64x64", [&] { structured::bmm(batch, batch); });
  measure("mv 2048", [&] { structured::mv(large, vector); });
  measure("cdist 1000x128", [&] { structured::cdist(points, points); });
}

void measure_images() {
  const Tensor image = random({16, 64, 56, 56});
  const Tensor last = channels_last(image);
  const Tensor channel = random({64});
  for (const bool is_last : {false, true}) {
    const Tensor& x = is_last ? last : image;
    measure(is_last ? "batch_norm, channels last" : "batch_norm",
            [&] { structured::batch_norm(x, channel, channel, channel, channel, false, 0.1, 1e-5, false); });
    measure(is_last ? "batch_norm in training, channels last" : "batch_norm in training",
            [&] { structured::batch_norm(x, channel, channel, std::nullopt, std::nullopt, true, 0.1, 1e-5, false); });
    measure(is_last ? "max_pool2d 3x3, channels last" : "max_pool2d 3x3", [&] { structured::max_pool2d(x, 3, 2, 1); });
    measure(is_last ? "avg_pool2d 3x3, channels last" : "avg_pool2d 3x3", [&] { structured::avg_pool2d(x, 3, 2, 1); });
  }
  measure("group_norm", [&] { structured::group_norm(image, 8, channel, channel); });
  measure("group_norm, channels last",
          [&, x = channels_last(image)] { structured::group_norm(x, 8, channel, channel); });
}

void measure_convolutions() {
  measure_convolution("conv2d 7x7 stride 2, 3 to 64 on 224", {1, 3, 224, 224}, {64, 3, 7, 7}, 2, 3);
  measure_convolution("conv2d 3x3, 64 on 56", {1, 64, 56, 56}, {64, 64, 3, 3}, 1, 1);
  measure_convolution("conv2d 3x3 stride 2, 64 to 128 on 56", {1, 64, 56, 56}, {128, 64, 3, 3}, 2, 1);
  measure_convolution("conv2d 3x3, 256 on 14", {1, 256, 14, 14}, {256, 256, 3, 3}, 1, 1);
  measure_convolution("conv2d 3x3, 512 on 7", {1, 512, 7, 7}, {512, 512, 3, 3}, 1, 1);
  measure_convolution("conv2d 1x1, 256 to 1024 on 14", {1, 256, 14, 14}, {1024, 256, 1, 1}, 1, 0);
  measure_convolution("conv2d 3x3, each of 128 on 56", {1, 128, 56, 56}, {128, 1, 3, 3}, 1, 1, 128);
  measure_convolution("conv2d 3x3, 32 groups of 4 on 28", {1, 128, 28, 28}, {128, 4, 3, 3}, 1, 1, 32);
  const Tensor image = random({1, 128, 28, 28});
  const Tensor up = random({128, 64, 2, 2});
  measure("conv_transpose2d 2x2 stride 2, 128 to 64 on 28",
          [&] { structured::conv_transpose2d(image, up, std::nullopt, 2); });
  const Tensor volume = random({1, 16, 16, 32, 32});
  const Tensor cube = random({32, 16, 3, 3, 3});
  measure("conv3d 3x3x3, 16 to 32 on 16x32x32", [&] { structured::conv3d(volume, cube, std::nullopt, 1, 1); });
}

void measure_gradients(bool is_last) {
  const std::string suffix = is_last ? ", channels last" : "";
  const auto laid_out = [&](const Tensor& tensor) { return is_last ? channels_last(tensor) : tensor; };
  const auto run = [&](const std::string& name, int64_t inputs, int64_t outputs, int64_t stride, int64_t groups) {
    const Tensor x = laid_out(random({1, inputs, 56, 56}));
    const Tensor w = laid_out(random({outputs, inputs / groups, 3, 3}));
    const auto convolve = [&] { return structured::conv2d(x, w, std::nullopt, stride, 1, 1, groups); };
    if (is_last) measure(("conv2d " + name + suffix).c_str(), convolve);
    const Tensor g = convolve();
    const auto gradient = [&](const char* of, std::array<bool, 3> mask) {
      measure((std::string("gradient of the ") + of + " of conv2d " + name + suffix).c_str(),
              [&] { structured::convolution_backward(g, x, w, std::nullopt, stride, 1, 1, false, 0, groups, mask); });
    };
    gradient("input", {true, false, false});
    gradient("weight", {false, true, false});
  };
  run("3x3, 64 on 56", 64, 64, 1, 1);
  run("3x3 stride 2, 64 to 128 on 56", 64, 128, 2, 1);
  run("3x3, each of 128 on 56", 128, 128, 1, 128);
  const Tensor x = laid_out(random({16, 64, 56, 56}));
  const auto [y, places] = structured::max_pool2d_with_indices(x, 3, 2, 1);
  measure(("gradient of max_pool2d 3x3" + suffix).c_str(),
          [&] { structured::max_pool2d_with_indices_backward(y, x, 3, 2, 1, 1, false, places); });
}

// The gradients of `inputs` from that of `y`, which was recorded.
void measure_backward(const char* name, const Tensor& y, const std::vector<Tensor>& inputs) {
  const Tensor g = random(y.sizes());
  measure(name, [&] { structured::grad({y}, inputs, {g}, {.retain_graph = true}); });
}

void measure_backward_passes() {
  const auto leaf = [](IntArrayRef sizes) { return random(sizes).requires_grad_(); };
  const Tensor rows = leaf({512, 512});
  const Tensor words = leaf({32, 50257});
  const Tensor tokens = leaf({512, 768});
  const Tensor weight = leaf({768});
  measure_backward("gradient of softmax 512x512", structured::_softmax(rows, 1, false), {rows});
  measure_backward("gradient of log_softmax 32x50257", structured::log_softmax(words, 1), {words});
  measure_backward("gradients of layer_norm 512x768", structured::layer_norm(tokens, 768, weight, weight),
                   {tokens, weight});
  const Tensor other = leaf({512, 512});
  const Tensor batch = leaf({64, 64, 64});
  const Tensor points = leaf({1000, 128});
  measure_backward("gradients of mm 512", structured::mm(rows, other), {rows, other});
  measure_backward("gradient of bmm 64 of 64x64", structured::bmm(batch, batch), {batch});
  measure_backward("gradient of cdist 1000x128", structured::cdist(points, random({1000, 128})), {points});
  const Tensor channel = leaf({64});
  for (const bool is_last : {false, true}) {
    const Tensor image = random({16, 64, 56, 56});
    const Tensor x = (is_last ? channels_last(image) : image).requires_grad_();
    const auto name = [&](const char* of) { return std::string(of) + (is_last ? ", channels last" : ""); };
    measure_backward(name("gradients of batch_norm in training").c_str(),
                     structured::batch_norm(x, channel, channel, std::nullopt, std::nullopt, true, 0.1, 1e-5, false),
                     {x, channel});
    measure_backward(name("gradient of avg_pool2d 3x3").c_str(), structured::avg_pool2d(x, 3, 2, 1), {x});
    measure_backward(name("gradients of group_norm").c_str(), structured::group_norm(x, 8, channel, channel),
                     {x, channel});
  }
}

void measure_training() {
  const DigitsNetwork network(2024);
  structured::optim::Adam optimizer(network.tensors(), {.learning_rate = 3e-3});
  const Tensor images = random({32, 1, 8, 8});
  const Tensor labels = structured::zeros({32}, structured::kLong);
  measure("training step of examples/digits", [&] {
    optimizer.zero_grad();
    structured::nll_loss(structured::log_softmax(network.forward(images), 1), labels).backward();
    optimizer.step();
  });
}

}  // namespace

int main() {
  measure_rows();
  measure_products();
  measure_images();
  measure_convolutions();
  measure_gradients(false);
  measure_gradients(true);
  measure_backward_passes();
  measure_training();
}
