// Converts problems to protocol diagnostics.
#pragma once

#include <map>
#include <string>

#include "json_rpc.h"
#include "locations.h"
#include "workspace.h"

namespace structured::lsp {

Json diagnostic_json(const Problem& problem, Locations& locations);

/// Sends the diagnostics of each file whenever they change.
class DiagnosticsSender {
 public:
  struct Message {
    std::string uri;
    Json params = nullptr;
  };
  std::vector<Message> changes(const Problems& problems, Locations& locations);
  /// Forces all diagnostics to be sent again.
  void forget() { sent_.clear(); }

 private:
  std::map<std::string, std::string> sent_;  ///< diagnostics last sent, as text, by URI
};

}  // namespace structured::lsp
