// schema_round_trip FILE.yaml: parses every `- func:` line of PyTorch's native_functions.yaml as a schema, prints the
// schema, and compares. Prints each line that differs and the count. Exits with 1 if a line differs or there are none,
// with 2 if the file cannot be read or the command line is wrong.
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "model/schema.h"

namespace {

// Whether the schema round-trips; prints the difference if not.
bool round_trips(llvm::StringRef text) {
  llvm::Expected<structured::gen::Schema> schema = structured::gen::parse_schema(text);
  if (!schema) {
    llvm::outs() << text << "\n  " << llvm::toString(schema.takeError()) << '\n';
    return false;
  }
  const std::string printed = to_string(*schema);
  if (printed != text) {
    llvm::outs() << text << "\n  printed as " << printed << '\n';
    return false;
  }
  llvm::Expected<structured::gen::Schema> again = structured::gen::parse_schema(printed);
  if (!again) {
    llvm::outs() << text << "\n  second time: " << llvm::toString(again.takeError()) << '\n';
    return false;
  }
  if (*again != *schema) {
    llvm::outs() << text << "\n  is another schema when it is read again\n";
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    llvm::errs() << "usage: schema_round_trip FILE.yaml\n";
    return 2;
  }
  const llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file = llvm::MemoryBuffer::getFile(argv[1]);
  if (!file) {
    llvm::errs() << argv[1] << ": " << file.getError().message() << '\n';
    return 2;
  }
  unsigned lines = 0;
  unsigned good = 0;
  llvm::StringRef rest = (*file)->getBuffer();
  while (!rest.empty()) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (!line.consume_front("- func: ")) continue;
    ++lines;
    if (round_trips(line.rtrim())) ++good;
  }
  llvm::outs() << good << " of " << lines << " lines round-trip\n";
  return lines > 0 && good == lines ? 0 : 1;
}
