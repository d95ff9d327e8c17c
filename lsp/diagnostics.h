// Problems as the protocol has them.
#pragma once

#include <map>
#include <string>

#include "json_rpc.h"
#include "locations.h"
#include "workspace.h"

namespace structured::lsp {

Json diagnostic_json(const Problem& problem, Locations& locations);

/// Sends each file's problems when they differ from what was sent last.
class DiagnosticsSender {
 public:
  struct Message {
    std::string uri;
    Json params = nullptr;
  };
  std::vector<Message> changes(const Problems& problems, Locations& locations);
  /// Sends all again.
  void forget() { sent_.clear(); }

 private:
  std::map<std::string, std::string> sent_;  ///< text of the diagnostics, by URI
};

}  // namespace structured::lsp
