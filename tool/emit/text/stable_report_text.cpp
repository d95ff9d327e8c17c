#include "emit/text/stable_report_text.h"

#include <cstddef>
#include <set>

namespace structured::gen {

std::string stable_report_text(const std::string& name, const StableReport& report) {
  std::set<std::string> impossible;
  for (const StableReport::Obstacle& obstacle : report.obstacles) impossible.insert(obstacle.operator_name);
  const std::size_t count = report.operators + impossible.size();
  std::string text = name + ": " + std::to_string(report.operators) + " of " + std::to_string(count) +
                     (count == 1 ? " operator" : " operators") + " can be in a library for PyTorch's stable ABI\n";
  if (!report.possible.empty()) {
    text += "\nPyTorch " + report.first_version + " and later:\n";
    for (const std::string& possible : report.possible) text += "  " + possible + "\n";
  }
  for (const StableReport::Addition& addition : report.additions) {
    text += "\nPyTorch " + addition.version + " adds " + addition.what + "\n";
  }
  if (!report.obstacles.empty()) text += "\nNo version has what these need:\n";
  for (const StableReport::Obstacle& obstacle : report.obstacles) {
    text += "  " + obstacle.operator_name + ": " + obstacle.what;
    text += (obstacle.remedy.empty() ? "" : "; " + obstacle.remedy) + "\n";
  }
  return text;
}

}  // namespace structured::gen
