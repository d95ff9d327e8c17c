#include "language_server.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>

#include "command_line.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "message_reader.h"
#include "program/resource_dir.h"
#include "server.h"

namespace structured::lsp {
namespace {

constexpr llvm::StringLiteral help = R"(usage: structured-lsp [--compile-commands-dir=DIR] [--resource-dir=DIR]
       structured-gen lsp [--compile-commands-dir=DIR] [--resource-dir=DIR]

Language server for kernels with [[structured::...]] attributes. An editor starts it and uses the Language Server Protocol
over standard input and output. It runs beside clangd, which handles C++.

  --compile-commands-dir=DIR   folder of compile_commands.json (default: search the project)
  --resource-dir=DIR           Clang's resource folder (default: beside this program)
  --version, --help
)";

/// Whether a failed read or write may be retried. Waits first if the descriptor is non-blocking, which an editor may
/// cause by sharing a socket.
bool can_retry(int file, short event) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  pollfd wanted{file, event, 0};
  poll(&wanted, 1, -1);
  return true;
}

void write_all(llvm::StringRef text) {
  while (!text.empty()) {
    ssize_t count = write(STDOUT_FILENO, text.data(), text.size());
    if (count < 0 && !can_retry(STDOUT_FILENO, POLLOUT)) return;
    if (count > 0) text = text.drop_front(static_cast<std::size_t>(count));
  }
}

/// Reads messages until the input ends.
void read_input(EventQueue& events) {
  MessageReader reader;
  char buffer[1 << 16];
  while (true) {
    ssize_t count = read(STDIN_FILENO, buffer, sizeof(buffer));
    if (count < 0 && can_retry(STDIN_FILENO, POLLIN)) continue;
    if (count <= 0) break;
    reader.feed({buffer, static_cast<std::size_t>(count)});
    while (std::optional<MessageReader::Item> item = reader.next()) {
      events.push(item->is_malformed ? Message(BadMessage{nullptr, ErrorCode::parse_error, std::move(item->text)})
                                     : parse_message(item->text));
    }
  }
  events.push(EndOfInput());
}

int serve(Settings settings) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed client also ends the input
  EventQueue events;
  auto send = [](const std::string& body) { write_all(framed(body)); };
  // Detached: the thread may still wait for input when the server ends, and needs no cleanup.
  std::thread(read_input, std::ref(events)).detach();
  int status = Server(events, std::move(settings), send).run();
  std::_Exit(status);
}

}  // namespace

int run(int argc, const char* const* argv) {
  Settings settings;
  settings.resource_dir = gen::default_resource_dir(argv[0]);
  std::string build_dir;
  CommandLine line("structured-lsp", help.str());
  line.version("structured-lsp " STRUCTURED_VERSION);
  line.value("--compile-commands-dir", "a folder", build_dir);
  line.value("--resource-dir", "a folder", settings.resource_dir);
  if (const std::optional<int> status = line.parse(argc, argv)) return *status;
  if (!build_dir.empty()) settings.build_dir = real_path(build_dir);
  if (!llvm::sys::fs::exists(settings.resource_dir + "/include/stddef.h")) {
    return line.misuse("no headers of Clang in `" + settings.resource_dir + "`");
  }
  return serve(std::move(settings));
}

}  // namespace structured::lsp
