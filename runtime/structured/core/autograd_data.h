#pragma once
// The link from a tensor to its gradient data. A tensor owns the data; structured/autograd defines them.

namespace structured::detail {

/// Gradient data of one tensor: the node that computed it, or its own gradient.
class AutogradData {
 public:
  AutogradData(const AutogradData&) = delete;
  AutogradData& operator=(const AutogradData&) = delete;

  /// Gives up the reference of a tensor, which is being destroyed or gets other data.
  virtual void drop_tensor() noexcept = 0;

 protected:
  AutogradData() = default;
  ~AutogradData() = default;
};

}  // namespace structured::detail
