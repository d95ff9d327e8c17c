#!/usr/bin/env python3
"""Tests of check_layout.py: planted faults are found, and what only looks like one is not.

    check_layout_test.py [CHROMIUM]
"""
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from check_layout import Browser, check  # noqa: E402

HEAD = "<!DOCTYPE html><html><head><style>body { margin: 0 }</style></head><body><p>Some text.</p>"


def faults(body):
    """The widths at which a page has faults, and their texts."""
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder)
        (site / "page.html").write_text(HEAD + body)
        count, lines = check(browser, site)
    assert count == 1
    return sorted({int(line.split()[2]) for line in lines}), "\n".join(lines)


class Faults(unittest.TestCase):
    def test_wide_table(self):
        widths, text = faults("<table id='wide'><tr><td style='min-width: 500px'>cell</td></tr></table>")
        self.assertEqual(widths, [400])
        self.assertIn("the document is 5", text)
        self.assertIn("table#wide from 0 to 5", text)

    def test_wide_in_both_windows(self):
        self.assertEqual(faults("<pre style='width: 1500px'>code</pre>")[0], [400, 1400])

    def test_word_without_breaks(self):
        widths, text = faults(f"<p>{'structured' * 20}</p>")
        self.assertEqual(widths, [400, 1400])
        self.assertIn("text of p from 0", text)

    def test_cut_by_a_container_without_scroll_bar(self):
        widths, text = faults("<div style='overflow: hidden'><p class='cut' style='width: 600px'>text</p></div>")
        self.assertEqual(widths, [400])
        self.assertIn("p.cut from 0 to 600", text)
        self.assertNotIn("document", text)

    def test_left_of_the_window(self):
        widths, text = faults("<p style='margin-left: -50px'>text</p>")
        self.assertEqual(widths, [400, 1400])
        self.assertIn("from -50", text)

    def test_contents_of_an_open_drawer(self):
        drawer = ("<style>#drawer { position: fixed; left: -300px; width: 300px } #__navigation:checked ~ #drawer { left: 0 }"
                  "</style><input type='checkbox' id='__navigation'><div id='drawer'><p style='width: 450px'>text</p></div>")
        widths, text = faults(drawer)
        self.assertEqual(widths, [400])
        self.assertIn("with __navigation: p from 0 to 450", text)
        self.assertEqual(faults(drawer.replace("450px", "250px"))[0], [])


class NoFaults(unittest.TestCase):
    def assert_fine(self, body):
        self.assertEqual(faults(body), ([], ""))

    def test_container_with_scroll_bar(self):
        self.assert_fine("<div style='overflow-x: auto'><table style='width: 2000px'><tr><td>cell</td></tr></table></div>")

    def test_text_for_screen_readers(self):
        for style in ("clip: rect(0, 0, 0, 0)", "clip-path: inset(50%)", "width: 1px; height: 1px; overflow: hidden"):
            self.assert_fine(f"<div style='position: absolute; left: 0; {style}'><p style='width: 2000px'>text</p></div>"
                             if "1px" in style else
                             f"<p style='position: fixed; left: 0; width: 2000px; {style}'>text</p>")

    def test_hidden_elements(self):
        self.assert_fine("<p style='width: 2000px; display: none'>text</p>")
        self.assert_fine("<p style='position: fixed; width: 2000px; visibility: hidden'>text</p>")

    def test_closed_drawer(self):
        self.assert_fine("<div style='position: fixed; left: -300px; width: 300px'>text</div>")


if __name__ == "__main__":
    chromium = shutil.which(sys.argv.pop(1) if len(sys.argv) > 1 else "chromium")
    if not chromium:
        print("skipped: no chromium; on Debian, apt install chromium")
        sys.exit(77)
    browser = Browser(chromium)
    unittest.addModuleCleanup(browser.close)
    unittest.main()
