// Helpers shared by the tests of both type tables.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "model/type_table.h"

namespace structured::gen {

/// A C++ type and the expected classification.
struct Expectation {
  const char* canonical;
  const char* said;
};

/// Returns `int[]`; `Tensor, written`; `none`.
inline std::string argument_text(const TypeTable& table, llvm::StringRef canonical) {
  const std::optional<TypeTable::Classified> classified = table.argument(canonical);
  if (!classified) return "none";
  return to_string(classified->type) + (classified->is_mutable ? ", written" : "");
}

/// Returns `(Tensor, int)`; `(Tensor), by reference`; `none`.
inline std::string results_text(const TypeTable& table, llvm::StringRef canonical) {
  const std::optional<std::vector<Type>> types = table.results(canonical);
  if (!types) return table.result_is_reference(canonical) ? "none, by reference" : "none";
  std::string text = "(";
  llvm::interleave(*types, [&](const Type& type) { text += to_string(type); }, [&] { text += ", "; });
  return text + (table.result_is_reference(canonical) ? "), by reference" : ")");
}

inline void expect_arguments(const TypeTable& table, llvm::ArrayRef<Expectation> expectations) {
  for (const Expectation& expectation : expectations) {
    EXPECT_EQ(argument_text(table, expectation.canonical), expectation.said) << expectation.canonical;
    const bool is_supported = llvm::StringRef(expectation.said) != "none";
    if (is_supported) {
      EXPECT_EQ(table.suggestion(expectation.canonical), std::nullopt) << expectation.canonical;
    }
  }
}

inline void expect_results(const TypeTable& table, llvm::ArrayRef<Expectation> expectations) {
  for (const Expectation& expectation : expectations) {
    EXPECT_EQ(results_text(table, expectation.canonical), expectation.said) << expectation.canonical;
  }
}

/// Expects these suggestions for unsupported types.
inline void expect_suggestions(const TypeTable& table, llvm::ArrayRef<Expectation> expectations) {
  for (const Expectation& expectation : expectations) {
    EXPECT_EQ(argument_text(table, expectation.canonical), "none") << expectation.canonical;
    EXPECT_EQ(table.suggestion(expectation.canonical).value_or("nothing"), expectation.said) << expectation.canonical;
  }
}

inline void expect_result_suggestions(const TypeTable& table, llvm::ArrayRef<Expectation> expectations) {
  for (const Expectation& expectation : expectations) {
    EXPECT_EQ(results_text(table, expectation.canonical), "none") << expectation.canonical;
    EXPECT_EQ(table.result_suggestion(expectation.canonical).value_or("nothing"), expectation.said)
        << expectation.canonical;
  }
}

}  // namespace structured::gen
