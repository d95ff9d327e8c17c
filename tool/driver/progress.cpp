#include "driver/progress.h"

#include <cmath>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Process.h"

namespace structured::gen {
namespace {

std::string time_text(double seconds) {
  auto whole = static_cast<long>(std::ceil(seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
}

}  // namespace

Progress::Progress(std::size_t count, llvm::raw_ostream& out)
    : out_(out), count_(count), is_terminal_(out.is_displayed()) {}

void Progress::begin(const std::string& source) {
  std::size_t done = done_++;
  std::chrono::duration<double> elapsed = Clock::now() - start_;
  if (!is_terminal_ || done == 0 || elapsed.count() < 1) return;
  double left = elapsed.count() / static_cast<double>(done) * static_cast<double>(count_ - done);
  std::string text = "[" + std::to_string(done) + "/" + std::to_string(count_) + "] " + time_text(left) + " left, now ";
  unsigned columns = llvm::sys::Process::StandardErrColumns();
  llvm::StringRef name = source;
  // A line wider than the terminal could not be erased, so the path is truncated at its beginning.
  if (columns > text.size() + 1) name = name.take_back(columns - text.size() - 1);
  clear();
  out_ << text << name;
  is_shown_ = true;
}

void Progress::clear() {
  if (is_shown_) out_ << "\r\x1b[K";
  is_shown_ = false;
}

}  // namespace structured::gen
