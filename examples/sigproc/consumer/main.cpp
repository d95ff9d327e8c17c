#include <acme/sigproc/operators.h>
#include <structured/operators.h>
#include <structured/structured.h>

#include <iostream>

namespace dsp = acme::sigproc;
using structured::Tensor;

int main() {
  // Two channels, a step and a ramp.
  const Tensor signal = structured::tensor<float>({{0, 0, 1, 1, 1, 1}, {0, 1, 2, 3, 4, 5}});
  std::cout << "smooth     " << dsp::smooth(signal) << "\n";

  // Filtering block by block gives the same as filtering at once.
  const Tensor taps = structured::tensor<float>({0.5, 0.25, 0.25});
  const auto [whole, end] = dsp::fir(signal, taps);
  const auto [first, state] = dsp::fir(structured::slice(signal, 1, 0, 3), taps);
  const auto [second, rest] = dsp::fir(structured::slice(signal, 1, 3, 6), taps, state);
  std::cout << "blocks     " << structured::equal(structured::cat({first, second}, 1), whole) << "\n";
  std::cout << "every 2nd  " << std::get<0>(dsp::fir(signal, taps, {}, 2)) << "\n";

  std::cout << "frames     " << dsp::frame(signal, 4, 2).sizes() << "\n";
  std::cout << "window     " << dsp::window(4, structured::kFloat, {}, {}, {}) << "\n";
  std::cout << "decibel    " << dsp::decibel(structured::tensor<float>({1, 0.1, 0})) << "\n";
  std::cout << "gate       "
            << dsp::gate(structured::tensor<float>({1, 2}), structured::tensor<bool>({true, false}), 0.5) << "\n";
  const Tensor one = structured::ones({2}, structured::kFloat);
  const Tensor two = structured::full({2}, 2.0, structured::kFloat);
  std::cout << "crossfade  " << dsp::crossfade(one, two, 1) << " "
            << dsp::crossfade(one, two, structured::tensor<float>({0, 1})) << "\n";
  std::cout << "peaks      " << std::get<0>(dsp::peaks(structured::tensor<float>({0, 3, 1, 2, 0}), 2.5)) << "\n";

  Tensor silence = structured::zeros({1000}, structured::kFloat);
  dsp::dither_(silence, 8, structured::Generator(structured::kCPU, 1));
  std::cout << "dither     " << structured::max(structured::abs(silence)).item<float>() * 128 << " steps at most\n";

  Tensor left = structured::ones({2}, structured::kFloat), right = structured::ones({1}, structured::kFloat);
  dsp::_foreach_gain_({left, right}, 3);
  std::cout << "gain       " << left << " " << right << "\n";
}
