#include "scan/terms.h"

#include <limits>
#include <utility>

namespace structured::gen {
namespace {

constexpr std::int64_t max_number = std::numeric_limits<std::int64_t>::max();

Reads reads_of(const Term* left, const Term* right) { return Reads(left->reads).add(right->reads); }

std::string joined(const Term* left, llvm::StringRef op, const Term* right) {
  return "(" + left->text + op.str() + right->text + ")";
}

}  // namespace

Reads& Reads::add(const Reads& other) {
  only_shapes &= other.only_shapes && !is_tensor && !other.is_tensor;
  is_tensor = false;
  tensors.insert(other.tensors.begin(), other.tensors.end());
  return *this;
}

const Term* Terms::add(Term term) {
  const std::string key = term.text;
  return &terms_.try_emplace(key, std::move(term)).first->second;
}

const Term* Terms::constant(std::int64_t number) {
  Term term;
  term.kind = Term::Kind::constant;
  term.text = std::to_string(number);
  term.number = number;
  term.is_truth = number == 0 || number == 1;
  return add(std::move(term));
}

const Term* Terms::opaque(Opaque value) {
  Term term;
  term.text = std::move(value.text);
  term.is_truth = value.is_truth;
  term.is_count = value.is_count;
  term.reads = std::move(value.reads);
  return add(std::move(term));
}

const Term* Terms::unknown(bool is_truth) {
  return opaque({"?" + std::to_string(++unknowns_), is_truth, false, Reads::anything()});
}

const Term* Terms::truth(const Term* term) { return term->is_truth ? term : negation(equal(term, constant(0))); }

const Term* Terms::negation(const Term* truth) {
  if (truth->kind == Term::Kind::constant) return constant(truth->number == 0);
  if (truth->kind == Term::Kind::negation) return truth->left;
  Term term;
  term.kind = Term::Kind::negation;
  term.text = "!" + truth->text;
  term.left = truth;
  term.is_truth = true;
  term.reads = truth->reads;
  return add(std::move(term));
}

const Term* Terms::conjunction(const Term* left, const Term* right) {
  if (left->kind == Term::Kind::constant) return left->number != 0 ? right : left;
  if (right->kind == Term::Kind::constant) return right->number != 0 ? left : right;
  if (right->text < left->text) std::swap(left, right);
  Term term;
  term.kind = Term::Kind::conjunction;
  term.text = joined(left, " && ", right);
  term.left = left;
  term.right = right;
  term.is_truth = true;
  term.reads = reads_of(left, right);
  return add(std::move(term));
}

const Term* Terms::disjunction(const Term* left, const Term* right) {
  if (left->kind == Term::Kind::constant) return left->number != 0 ? left : right;
  if (right->kind == Term::Kind::constant) return right->number != 0 ? right : left;
  if (right->text < left->text) std::swap(left, right);
  Term term;
  term.kind = Term::Kind::disjunction;
  term.text = joined(left, " || ", right);
  term.left = left;
  term.right = right;
  term.is_truth = true;
  term.reads = reads_of(left, right);
  return add(std::move(term));
}

std::pair<const Term*, bool> Terms::difference(const Term* left, const Term* right) {
  const bool is_swapped = right->text < left->text;
  if (is_swapped) std::swap(left, right);
  return {opaque({joined(left, " - ", right), false, false, reads_of(left, right)}), is_swapped};
}

const Term* Terms::compare(Term::Kind kind, const Term* left, std::int64_t number) {
  Term term;
  term.kind = kind;
  term.text = "(" + left->text + (kind == Term::Kind::equality ? " == " : " < ") + std::to_string(number) + ")";
  term.number = number;
  term.left = left;
  term.is_truth = true;
  term.reads = left->reads;
  return add(std::move(term));
}

const Term* Terms::equal(const Term* left, const Term* right) {
  if (left->kind == Term::Kind::constant) std::swap(left, right);
  if (left->kind == Term::Kind::constant) return constant(left->number == right->number);
  if (left == right) return constant(1);
  if (right->kind == Term::Kind::constant) {
    if (left->is_truth && right->is_truth) return right->number != 0 ? left : negation(left);
    return compare(Term::Kind::equality, left, right->number);
  }
  return compare(Term::Kind::equality, difference(left, right).first, 0);
}

const Term* Terms::less(const Term* left, const Term* right) {
  if (left == right) return constant(0);
  if (left->kind == Term::Kind::constant && right->kind == Term::Kind::constant) {
    return constant(left->number < right->number);
  }
  if (right->kind == Term::Kind::constant) return compare(Term::Kind::order, left, right->number);
  if (left->kind == Term::Kind::constant) {
    if (left->number == max_number) return constant(0);
    return negation(compare(Term::Kind::order, right, left->number + 1));
  }
  const auto [sign, is_swapped] = difference(left, right);
  return is_swapped ? negation(compare(Term::Kind::order, sign, 1)) : compare(Term::Kind::order, sign, 0);
}

}  // namespace structured::gen
