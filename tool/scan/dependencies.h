// Collects the files that a parse reads.
#pragma once

#include "clang/Frontend/Utils.h"
#include "clang/Serialization/ASTReader.h"
#include "scan/placeholder_file_system.h"

namespace structured::gen {

class Dependencies final : public clang::DependencyCollector {
 public:
  Dependencies(const PlaceholderFileSystem& files, bool reads_pch_files)
      : files_(files), reads_pch_files_(reads_pch_files) {}

  void attachToASTReader(clang::ASTReader& reader) override {
    if (reads_pch_files_) DependencyCollector::attachToASTReader(reader);
  }

  bool needSystemDependencies() override { return true; }
  bool sawDependency(llvm::StringRef name, bool, bool, bool is_module_file, bool is_missing) override {
    if (name.starts_with("<") || is_missing || is_module_file) return false;
    if (files_.is_placeholder(name)) {
      used_placeholder_ = true;
      return false;
    }
    return !files_.is_virtual(name);
  }
  bool used_placeholder() const { return used_placeholder_; }

 private:
  const PlaceholderFileSystem& files_;
  const bool reads_pch_files_;
  bool used_placeholder_ = false;
};

}  // namespace structured::gen
