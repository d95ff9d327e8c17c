"""Tests of names.py: each kind of name that sources do not have is reported."""
import pathlib
import unittest

import names

KNOWN = {
    "functions": {"structured_add_library": ["NAMESPACE", "BACKENDS", "SHARED"]},
    "options": {name: {"output-dir"} for name in names.PROGRAMS},
    "commands": {"structured-gen": {"emit"}, "./dev": {"test"}},
    "tiers": {"torch"},
    "kinds": {"structured-known"},
    "variables": {"STRUCTURED_KNOWN"},
}


class Names(unittest.TestCase):
    def test_known_names_are_accepted(self):
        text = """`structured_add_library(x SHARED a.cpp NAMESPACE x BACKENDS CPU CUDA)` [structured-known] STRUCTURED_KNOWN
```sh
structured-gen emit --output-dir x a.json -- --unknown
./dev test --only=torch
```
""".replace("--only=torch", "--output-dir --help")
        self.assertEqual(list(names.page_faults(text, KNOWN)), [])

    def test_unknown_names_are_reported(self):
        for text, fault in {
                "`structured_add_parts`": "names structured_add_parts",
                "structured_add_library(x STATIK a.cpp)": "passes STATIK to structured_add_library",
                "STRUCTURED_GONE": "names STRUCTURED_GONE",
                "`structured-gen emit --gone x`": "passes --gone to structured-gen",
                "```sh\nbin/structured-gen emit \\\n  --gone\n```": "passes --gone to structured-gen",
                "`structured-gen merge x`": "runs structured-gen merge",
                "`./dev tests`": "runs ./dev tests",
                "--only=gone": "names the tests gone",
                "error [structured-gone]": "names the diagnostic structured-gone",
        }.items():
            with self.subTest(text):
                found = list(names.page_faults(text, KNOWN))
                self.assertTrue(any(fault in each for each in found), found)

    def test_sources_have_names_of_each_kind(self):
        known = names.read_known(pathlib.Path(__file__).resolve().parents[2])
        self.assertIn("FLAVOUR", known["functions"]["structured_add_library"])
        self.assertIn("depfile", known["options"]["structured-gen"])
        self.assertIn("tolerance", known["options"]["structured-run"])
        self.assertIn("aten-signatures", known["commands"]["structured-gen"])
        self.assertIn("new", known["commands"]["./dev"])
        self.assertIn("torch-target", known["tiers"])
        self.assertIn("structured-template-function", known["kinds"])


if __name__ == "__main__":
    unittest.main(argv=["names_test"])
