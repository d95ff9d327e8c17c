#pragma once
// Autocast: within torch.autocast, calls of an operator whose author chose a rule convert their tensors first.
#include <ATen/autocast_mode.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/DeviceType.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <utility>

namespace structured::torch {

/// To which dtype floating-point tensors are converted; doubles and tensors on other devices are left as they are.
enum class AutocastRule {
  lower_precision,  ///< the dtype of the autocast region, such as bfloat16
  fp32,             ///< float
  promote,          ///< the widest dtype among the tensors
};

/// The kernel of a functional operator for the Autocast key of a device.
template <class F>
class AutocastKernel;

template <class R, class... A>
class AutocastKernel<R(A...)> final : public c10::OperatorKernel {
 public:
  using Function = R(A...);

  AutocastKernel(const c10::OperatorHandle& op, AutocastRule rule, c10::DeviceType device)
      : op_(op.typed<Function>()), rule_(rule), device_(device) {}

  R operator()(A... arguments) const {
    // The operators that this one calls are not converted once more.
    const c10::impl::ExcludeDispatchKeyGuard guard(
        c10::DispatchKeySet({c10::DispatchKey::AutocastCPU, c10::DispatchKey::AutocastCUDA}));
    const at::ScalarType dtype = dtype_for(arguments...);
    return op_.call(at::autocast::cached_cast(dtype, arguments, device_)...);
  }

 private:
  at::ScalarType dtype_for(const A&... arguments) const {
    if (rule_ == AutocastRule::fp32) return at::kFloat;
    const at::ScalarType lower = at::autocast::get_lower_precision_fp_from_device_type(device_);
    return rule_ == AutocastRule::promote ? at::autocast::promote_type(lower, device_, arguments...) : lower;
  }

  c10::TypedOperatorHandle<Function> op_;
  AutocastRule rule_;
  c10::DeviceType device_;
};

}  // namespace structured::torch
