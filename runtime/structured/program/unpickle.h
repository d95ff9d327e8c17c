#pragma once
// Values of TorchScript archives from their pickles.
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "structured/format/files.h"
#include "structured/format/zip.h"
#include "structured/memory/storage.h"
#include "structured/program/dynamic_value.h"
#include "structured/program/object_state.h"
#include "structured/program/pickle.h"
#include "structured/program/read_budget.h"
#include "structured/program/saved_value.h"

namespace structured::program {

/// Storages of an archive by member, which the pickles of the archive share.
class ArchiveStorages {
 public:
  /// `archive` outlives the object.
  ArchiveStorages(const detail::ZipArchive& archive, std::shared_ptr<detail::FileBytes> file)
      : archive_(archive), file_(std::move(file)), budget_(file_->size()) {}

  const Storage& read(const std::string& member);
  /// Limit of what all pickles of the archive are converted to.
  ReadBudget& budget() { return budget_; }

 private:
  const detail::ZipArchive& archive_;
  std::shared_ptr<detail::FileBytes> file_;
  std::unordered_map<std::string, Storage> storages_;
  ReadBudget budget_;
};

/// Converts values of one pickle. Values that a pickle shares stay shared.
class Unpickler {
 public:
  /// All arguments outlive the object. `folder` is the folder of the storages that the pickle names. Without `restore`,
  /// objects have attributes only; `require_gradient` gets tensors that require gradients.
  Unpickler(const Pickle& pickle, ArchiveStorages& storages, std::string folder, RestoreObject restore = nullptr,
            RequireGradient require_gradient = nullptr)
      : pickle_(pickle),
        storages_(storages),
        folder_(std::move(folder)),
        restore_(std::move(restore)),
        require_gradient_(require_gradient) {}

  /// Throws Error for functions that PyTorch does not write, for damaged tensors, and for values that are too deep or
  /// contain themselves.
  DynamicValue read(PickleValue::Index index);

 private:
  DynamicValue make(PickleValue::Index index);
  DynamicValue call(const PickleValue& value);
  DynamicValue object(const PickleValue& value);
  Tensor tensor(const std::vector<PickleValue::Index>& arguments, ScalarTypeSet types);
  void mark(const Tensor& tensor, PickleValue::Index requires_grad) const;
  Tensor quantized_tensor(const std::vector<PickleValue::Index>& arguments);
  std::vector<DynamicValue> read_all(const std::vector<PickleValue::Index>& indices);
  /// Counts bytes of values whose size depends on other parts of the pickle.
  void take(std::size_t bytes) const;
  const PickleValue& expect(PickleValue::Index index, PickleValue::Kind kind, const char* what) const;
  std::vector<int64_t> dims(PickleValue::Index index) const;
  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const;

  const Pickle& pickle_;
  ArchiveStorages& storages_;
  std::string folder_;
  RestoreObject restore_;
  RequireGradient require_gradient_;
  std::unordered_map<PickleValue::Index, std::optional<DynamicValue>> made_;  // empty while a value is being made
  int depth_ = 0;
};

}  // namespace structured::program
