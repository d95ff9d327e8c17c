"""A client of the language server for tests: sends requests, waits for answers and prints them in short form.

    from client import Client
    client = Client(sys.argv[1], folder)     # the server, and the project's root
    client.initialize()
    client.open("add.cpp")
    client.diagnostics("add.cpp")            # prints them
    client.exit()

Paths are relative to the root. Positions are zero-based `(line, character)`, or `"text"` for its first occurrence.
"""
import json
import os
import queue
import subprocess
import sys
import threading
import time
import urllib.parse

TIMEOUT = 120


class Client:
    def __init__(self, server, root, arguments=()):
        self.root = os.path.realpath(root)
        self.process = subprocess.Popen([server, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.next_id = 1
        self.texts = {}
        self.versions = {}
        self.published = {}
        self.notifications = []
        self.requests = []
        self.responses = {}
        self.messages = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    # messages

    def _read(self):
        stream = self.process.stdout
        while True:
            length = None
            while line := stream.readline().strip():
                name, value = line.split(b":", 1)
                if name.lower() == b"content-length":
                    length = int(value)
            if length is None:
                self.messages.put(None)
                return
            self.messages.put(json.loads(stream.read(length)))

    def send_raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, params=None):
        self.send({"method": method, "params": params or {}})

    def begin(self, method, params=None):
        """Sends a request and gives its id."""
        id = self.next_id
        self.next_id += 1
        self.send({"id": id, "method": method, "params": params or {}})
        return id

    def request(self, method, params=None):
        """The whole response."""
        return self.finish(self.begin(method, params))

    def finish(self, id):
        self._until(lambda: id in self.responses, f"the answer to request {id}")
        return self.responses.pop(id)

    def result(self, method, params=None):
        response = self.request(method, params)
        if "error" in response:
            raise RuntimeError(f"{method}: {response['error']}")
        return response["result"]

    def _until(self, condition, what):
        while not condition():
            try:
                message = self.messages.get(timeout=TIMEOUT)
            except queue.Empty:
                sys.exit(f"no message for {TIMEOUT} s while waiting for {what}")
            if message is None:
                sys.exit(f"the server ended while waiting for {what}")
            self._take(message)

    def _take(self, message):
        if "method" not in message:
            self.responses[message["id"]] = message
        elif "id" in message:
            self.requests.append(message)
            self.send({"id": message["id"], "result": None})
        else:
            self.notifications.append(message)
            if message["method"] == "textDocument/publishDiagnostics":
                self.published[message["params"]["uri"]] = message["params"]

    # a session

    def uri(self, path):
        return "file://" + urllib.parse.quote(os.path.join(self.root, path))

    def initialize(self, capabilities=None, options=None, root=True):
        result = self.result("initialize", {
            "processId": os.getpid(),
            "rootUri": self.uri("").rstrip("/") if root else None,
            "capabilities": capabilities or {},
            "initializationOptions": options or {},
        })
        self.notify("initialized")
        return result

    def settle(self):
        """Waits until every source has been read and all that follows from it has been said."""
        while self.result("structured/status")["waiting"] > 0:
            time.sleep(0.05)

    def open(self, path, text=None):
        if text is None:
            with open(os.path.join(self.root, path), encoding="utf-8") as file:
                text = file.read()
        self.texts[path] = text
        self.versions[path] = 1
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(path), "languageId": "cpp", "version": 1, "text": text}})

    def close(self, path):
        del self.texts[path]
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(path)}})

    def save(self, path):
        with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
            file.write(self.texts[path])
        self.notify("textDocument/didSave", {"textDocument": {"uri": self.uri(path)}})

    def place(self, path, place, end=False):
        if not isinstance(place, str):
            return {"line": place[0], "character": place[1]}
        text = self.texts[path]
        assert text.count(place) >= 1, f"no `{place}` in {path}"
        offset = text.index(place) + (len(place) if end else 0)
        line = text.count("\n", 0, offset)
        before = text[text.rfind("\n", 0, offset) + 1:offset]
        return {"line": line, "character": len(before.encode("utf-16-le")) // 2}

    def change(self, path, old, new):
        """Replaces the first `old`, as somebody who types would."""
        range = {"start": self.place(path, old), "end": self.place(path, old, end=True)}
        self.texts[path] = self.texts[path].replace(old, new, 1)
        self._changed(path, [{"range": range, "text": new}])

    def replace(self, path, text):
        self.texts[path] = text
        self._changed(path, [{"text": text}])

    def _changed(self, path, changes):
        self.versions[path] += 1
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri(path), "version": self.versions[path]}, "contentChanges": changes})

    def at(self, path, place, **more):
        return {"textDocument": {"uri": self.uri(path)}, "position": self.place(path, place), **more}

    def actions(self, path, begin, end=None, **context):
        range = {"start": self.place(path, begin), "end": self.place(path, end or begin)}
        return self.result("textDocument/codeAction", {
            "textDocument": {"uri": self.uri(path)}, "range": range, "context": {"diagnostics": [], **context}})

    def apply(self, edit):
        """Changes open files as an editor would, and others on disk."""
        for uri, edits in edit["changes"].items():
            path = self.short(uri)
            if path not in self.texts:
                with open(os.path.join(self.root, path), encoding="utf-8") as file:
                    text = file.read()
            else:
                text = self.texts[path]
            for each in sorted(edits, key=lambda each: position(each["range"]["start"]), reverse=True):
                begin, end = (offset(text, each["range"][name]) for name in ("start", "end"))
                text = text[:begin] + each["newText"] + text[end:]
            if path in self.texts:
                self.replace(path, text)
            else:
                with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
                    file.write(text)
                self.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})

    def short(self, uri):
        return os.path.relpath(urllib.parse.unquote(uri.removeprefix("file://")), self.root)

    def diagnostics(self, path):
        """Prints what is wrong with the file."""
        self.settle()
        published = self.published.get(self.uri(path))
        found = published["diagnostics"] if published else []
        if not found:
            print(f"{path}: nothing is wrong")
        for each in found:
            severity = {1: "error", 2: "warning", 3: "information"}[each["severity"]]
            code = f" [{each['code']}]" if "code" in each else ""
            print(f"{path}:{span(each['range'])}: {severity}: {each['message']}{code}")
            for note in each.get("relatedInformation", []):
                place = note["location"]
                print(f"  {self.short(place['uri'])}:{span(place['range'])}: {note['message']}")

    def exit(self):
        self.result("shutdown")
        self.notify("exit")
        status = self.process.wait(TIMEOUT)
        print(f"exit status {status}")


def position(place):
    return place["line"], place["character"]


def span(range):
    begin, end = range["start"], range["end"]
    return f"{begin['line']}:{begin['character']}-{end['line']}:{end['character']}"


def offset(text, place):
    lines = text.split("\n")
    before = sum(len(line) + 1 for line in lines[:place["line"]])
    line = lines[place["line"]].encode("utf-16-le")[:2 * place["character"]].decode("utf-16-le")
    return before + len(line)


def compile_commands(root, sources, runtime, flags=""):
    """Writes compile_commands.json for these sources."""
    root = os.path.realpath(root)
    entries = [{"directory": root, "file": source, "command": f"c++ -std=c++20 -I{runtime} -I{runtime}/../schema {flags} -c {source}"}
               for source in sources]
    with open(os.path.join(root, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump(entries, file)
