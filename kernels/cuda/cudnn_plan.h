#pragma once
// Plans of convolutions by cuDNN's backend API: which engine of the library computes a shape.
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "cuda/cudnn_api.h"

namespace structured::kernels::cudnn {

/// A convolution from a wide to a narrow tensor, or one of its gradients. Axes are those of ConvGeometry from the
/// first that the convolution has; with one spatial dimension, height has one element.
struct Convolution {
  Kind kind = Kind::forward;
  DataType dtype = DataType::float32;
  bool is_channels_last = false;  ///< order of all three tensors, which are dense
  int64_t rank = 2;               ///< spatial dimensions: 2 or 3
  int64_t samples = 0;
  int64_t groups = 1;
  int64_t wide_channels = 0;  ///< in all groups together
  int64_t narrow_channels = 0;
  std::array<int64_t, 3> wide{};  ///< sizes along the axes
  std::array<int64_t, 3> narrow{};
  std::array<int64_t, 3> kernel{};
  std::array<int64_t, 3> stride{};
  std::array<int64_t, 3> padding{};
  std::array<int64_t, 3> dilation{};
  std::array<int64_t, 3> alignments{};  ///< addresses of wide tensor, weight and narrow tensor: bytes

  friend auto operator<=>(const Convolution&, const Convolution&) = default;
};

/// An owned descriptor of the library.
class OwnedDescriptor {
 public:
  OwnedDescriptor() = default;
  /// Throws Error if the library cannot make one.
  OwnedDescriptor(const Api& api, Kind kind);
  OwnedDescriptor(OwnedDescriptor&& other) noexcept
      : api_(other.api_), descriptor_(std::exchange(other.descriptor_, nullptr)) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~OwnedDescriptor() {
    if (descriptor_ != nullptr) api_->destroy_descriptor(descriptor_);
  }
  Descriptor get() const { return descriptor_; }

 private:
  const Api* api_ = nullptr;
  Descriptor descriptor_ = nullptr;
};

/// A prepared convolution: everything but addresses.
struct Plan {
  OwnedDescriptor config;
  OwnedDescriptor plan;  ///< null if the library does not support the convolution
  std::size_t workspace_bytes = 0;
};

/// Returns the plan that the library's heuristics prefer among those that compute in full precision (Float without
/// TF32), give the same result in every run and need at most 1 GiB of workspace. `api` must outlive it.
std::unique_ptr<Plan> make_plan(const Api& api, Handle handle, const Convolution& convolution);

/// Enqueues a convolution in the stream of `handle`. Throws Error if the library fails.
void execute(const Api& api, Handle handle, const Plan& plan, const void* wide, const void* weight, const void* narrow,
             void* workspace);

/// Throws Error that names the function and the status unless `status` is a success.
void check(const Api& api, Status status, const char* function);

}  // namespace structured::kernels::cudnn
