#!/usr/bin/env python3
"""Tests of writing.py: each rule with a text that breaks it and one that comes close."""
import sys
import unittest

sys.dont_write_bytecode = True
from writing import findings_in  # noqa: E402


def lines_of(path, text):
    return [line for line, _ in findings_in(path, text)]


class Openings(unittest.TestCase):
    def test_begins_with_a_word_that_is_no_subject(self):
        for opening in ("What it does.", "Of two.", "The same for one.", "Likewise.", "Those of it.", "Nothing if so.",
                        "It is the caller that frees.", "what it does"):
            self.assertEqual(lines_of("a.cpp", f"// {opening}\n"), [1], opening)
            self.assertEqual(lines_of("a.py", f"# {opening}\n"), [1], opening)
        self.assertEqual(lines_of("a.cpp", "// Offsets. It is late, so that nothing waits. Whatever they are, and what they do.\n"), [])

    def test_later_sentence_has_its_own_line(self):
        self.assertEqual(lines_of("a.h", "/// Returns a.\n/// It adds one. Nothing\n/// else.\nint a; // Those.\n"), [2, 4])

    def test_line_of_code_ends_a_sentence(self):
        self.assertEqual(lines_of("a.h", "// What is\nint a;\n// of two\n"), [1, 3])
        self.assertEqual(lines_of("a.h", "// A sum\n// of two.\n"), [])

    def test_quoted_code_is_no_prose(self):
        self.assertEqual(lines_of("a.h", "// `What` and `is written` are words.\n"), [])


class Phrases(unittest.TestCase):
    def test_phrases(self):
        for phrase in ("is no integer", "in both ways", "is written once", "tells of it", "of which one is", "whoever asks"):
            self.assertEqual(lines_of("a.md", f"Here {phrase}.\n"), [1], phrase)

    def test_correct_uses(self):
        for phrase in ("There is no kernel", "It is no longer used", "Two decimal places", "This is normal", "Always"):
            self.assertEqual(lines_of("a.md", f"{phrase}.\n"), [], phrase)


class Languages(unittest.TestCase):
    def test_cpp_messages(self):
        text = 'void f() {\n  say("a kernel "\n      "tells of it");\n  say("tells");  // fine\n  auto s = R"(it is\nof which)";\n}\n'
        self.assertEqual(lines_of("tool/a.cpp", text), [3, 6])
        self.assertEqual(lines_of("test/a.cpp", text), [])

    def test_cpp_digit_separators_and_characters(self):
        self.assertEqual(lines_of("a.cpp", "int a = 1'000; char c = '\"';  // What.\n"), [1])

    def test_lit_directives_quote_output(self):
        self.assertEqual(lines_of("test/a.cpp", "// CHECK-NEXT: What is written\n// RUN: of which\n// What.\n"), [3])

    def test_markdown(self):
        text = "# What is new\n\n```cpp\n// What.\n```\n\n| a | b |\n| --- | --- |\n| x | What. |\n- Of one\n"
        self.assertEqual(lines_of("a.md", text), [1, 9, 10])

    def test_python(self):
        text = '"""Does it.\n\nWhat it does."""\nx = "of which one"  # Nothing.\n'
        self.assertEqual(lines_of("a.py", text), [3, 4, 4])

    def test_cmake_and_shell(self):
        text = 'message("a # of which b")  # What.\n'
        self.assertEqual(lines_of("CMakeLists.txt", text), [1, 1])
        self.assertEqual(lines_of("dev", "cat <<'EOF'\nDoes it.\nNothing else.\nEOF\n"), [3])


if __name__ == "__main__":
    unittest.main()
