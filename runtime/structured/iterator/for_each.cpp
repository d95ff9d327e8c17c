// Runs loops over an iteration: in pieces of two dimensions, on several threads.
#include <algorithm>

#include "structured/base/error.h"
#include "structured/iterator/cast_loop.h"
#include "structured/iterator/tensor_iterator.h"

namespace structured {
namespace {

// Position in an iteration of any number of dimensions, advanced by blocks of at most two dimensions.
class Walker {
 public:
  Walker(const TensorIteratorBase& iterator, int64_t begin, int64_t end)
      : iterator_(iterator), position_(begin), end_(end) {
    int64_t rest = begin;
    for (const int64_t size : iterator.shape()) {
      index_.push_back(rest % size);
      rest /= size;
    }
    pointers_.resize(iterator.ntensors());
  }

  bool is_done() const { return position_ >= end_; }

  // Measures the largest block from here on. Whole rows form two dimensions; the rest of a row forms one.
  void measure() {
    const IntArrayRef shape = iterator_.shape();
    const int64_t left = end_ - position_;
    inner_ = std::min(shape[0] - index_[0], left);
    outer_ = inner_ < shape[0] || shape.size() < 2 ? 1 : std::min(shape[1] - index_[1], left / shape[0]);
    for (std::size_t i = 0; i < pointers_.size(); ++i) {
      int64_t offset = 0;
      for (std::size_t dim = 0; dim < shape.size(); ++dim) offset += index_[dim] * iterator_.stride(i, dim);
      pointers_[i] = iterator_.data()[i] + offset;
    }
  }

  void advance() {
    position_ += inner_ * outer_;
    std::size_t dim = 0;
    if (outer_ == 1) {
      index_[0] += inner_;
    } else {
      dim = 1;
      index_[1] += outer_;
    }
    for (; dim + 1 < index_.size() && index_[dim] == iterator_.shape()[dim]; ++dim) {
      index_[dim] = 0;
      ++index_[dim + 1];
    }
  }

  char* const* pointers() const { return pointers_.data(); }
  int64_t inner() const { return inner_; }
  int64_t outer() const { return outer_; }

 private:
  const TensorIteratorBase& iterator_;
  detail::InlineVector<int64_t, 6> index_;
  detail::InlineVector<char*, 8> pointers_;
  int64_t position_;
  int64_t end_;
  int64_t inner_ = 0;
  int64_t outer_ = 0;
};

void run(const TensorIteratorBase& iterator, Loop2d loop, int64_t begin, int64_t end) {
  if (begin == 0 && end == iterator.numel() && iterator.ndim() <= 2) {
    const IntArrayRef shape = iterator.shape();
    loop(iterator.data(), iterator.strides(), shape.empty() ? 1 : shape[0], shape.size() < 2 ? 1 : shape[1]);
    return;
  }
  for (Walker walker(iterator, begin, end); !walker.is_done(); walker.advance()) {
    walker.measure();
    loop(walker.pointers(), iterator.strides(), walker.inner(), walker.outer());
  }
}

}  // namespace

void TensorIteratorBase::for_each(Loop2d loop, int64_t grain) const {
  STRUCTURED_INTERNAL_ASSERT(!is_reduction());
  if (numel_ == 0) return;
  plan();  // before threads need it
  if (needs_cast() && numel_ <= detail::kFewElements && ndim() <= 1 && ntensors() <= detail::kFewOperands) {
    detail::cast_few_elements(plan_, noutputs(), numel_, loop);
  } else if (needs_cast()) {
    const detail::CastLoop cast_loop(*this, loop);
    parallel_for(0, numel_, grain, [&](int64_t begin, int64_t end) { run(*this, cast_loop, begin, end); });
  } else {
    parallel_for(0, numel_, grain, [&](int64_t begin, int64_t end) { run(*this, loop, begin, end); });
  }
}

void TensorIteratorBase::for_each_in_memory(Loop2d loop, int64_t grain) const {
  STRUCTURED_INTERNAL_ASSERT(!is_reduction());
  if (numel_ == 0) return;
  plan();  // before threads need it
  parallel_for(0, numel_, grain, [&](int64_t begin, int64_t end) { run(*this, loop, begin, end); });
}

void TensorIteratorBase::for_each(Loop1d loop, int64_t grain) const {
  const std::size_t count = ntensors();
  const auto rows = [loop, count](char* const* data, const int64_t* strides, int64_t inner, int64_t outer) {
    detail::InlineVector<char*, 8> row;
    row.resize(count);
    for (int64_t k = 0; k < outer; ++k) {
      for (std::size_t i = 0; i < count; ++i) row[i] = data[i] + k * strides[count + i];
      loop(row.data(), strides, inner);
    }
  };
  for_each(Loop2d(rows), grain);
}

void TensorIteratorBase::serial_for_each(Loop2d loop, int64_t begin, int64_t end) const {
  STRUCTURED_INTERNAL_ASSERT(0 <= begin && end <= numel_);
  if (begin >= end) return;
  if (needs_cast()) {
    const detail::CastLoop cast_loop(*this, loop);
    run(*this, cast_loop, begin, end);
  } else {
    run(*this, loop, begin, end);
  }
}

}  // namespace structured
