"""Checks the layout of the documentation site in headless Chromium, in wide and narrow windows.

    check_layout.py [--chromium PROGRAM] [--screenshots FOLDER] SITE [PAGE...]

In a window of 1400 and of 400 pixels, no page scrolls sideways, and no visible element or text sticks out of the window,
unless a container with a scroll bar holds it. Drawers are looked at when they are open, too. Without PAGEs, which are
paths in SITE, all pages are checked. --screenshots keeps a picture of each checked page and width.
"""
import argparse
import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

WIDTHS = (1400, 400)
HEIGHT = 900
MOST_FAULTS = 3  # printed for each page and width

# Returns descriptions of the outermost elements and texts that stick out of the window. Styles are computed only for
# elements that do, because that takes most of the time.
FIND_FAULTS = """
(() => {
  const width = document.documentElement.clientWidth;
  const faults = [];
  const scrolled = document.scrollingElement.scrollWidth;
  if (scrolled > width) faults.push(`the document is ${scrolled} pixels wide`);

  // Text for screen readers is clipped to nothing, or to a box of one pixel. A closed drawer is beside the window.
  const isHidden = element => {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    return style.clip !== 'auto' || style.clipPath !== 'none' ||
        (style.overflowX === 'hidden' && box.width <= 1 && box.height <= 1) ||
        (style.position === 'fixed' && (box.right <= 0 || box.left >= width));
  };
  const scrolls = element => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);

  // Whether the contents of an element are hidden, can be scrolled to, or belong to a fault.
  const known = new Map([[document.body, false]]);
  const isExcused = element => {
    if (!known.has(element))
      known.set(element, element.localName === 'svg' || isHidden(element) || scrolls(element) ||
                             isExcused(element.parentElement));
    return known.get(element);
  };

  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const isText = node.nodeType === Node.TEXT_NODE;
    if (isText) range.selectNodeContents(node);
    const box = (isText ? range : node).getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || (box.left >= -1 && box.right <= width + 1)) continue;
    const element = isText ? node.parentElement : node;
    const text = node.textContent.trim().replace(/\\s+/g, ' ').slice(0, 50);
    if ((isText && !text) || isExcused(node.parentElement) || getComputedStyle(element).visibility !== 'visible') continue;
    if (!isText && isHidden(node)) continue;
    known.set(node, true);
    const name = element.localName + (element.id ? '#' + element.id : '') +
        [...element.classList].map(each => '.' + each).join('');
    faults.push(`${isText ? 'text of ' : ''}${name} from ${Math.round(box.left)} to ${Math.round(box.right)}: "${text}"`);
  }
  return faults;
})()
"""

# Elements move at once.
STOP_TRANSITIONS = "document.head.insertAdjacentHTML('beforeend', '<style>* { transition: none !important }</style>')"

# Opens or closes the drawer of a checkbox, and returns whether the page has it.
SET_DRAWER = """
(() => {
  const box = document.getElementById('%s');
  if (box) box.checked = %s;
  return Boolean(box);
})()
"""
DRAWERS = ("__navigation", "__toc")


class Browser:
    """Chromium, controlled by the DevTools protocol: messages in JSON, each ended by a null character, through pipes."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()
        arguments = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe", "about:blank"]
        # Chromium reads from descriptor 3 and writes to 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "bash", *arguments],
            pass_fds=(to_browser, from_browser), stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.read, self.last_id, self.session = b"", 0, {}
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = {"sessionId": self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        self.call("Page.enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.profile.cleanup()

    def message(self):
        while b"\0" not in self.read:
            part = os.read(self.answers, 1 << 16)
            if not part:
                sys.exit("error: Chromium has closed the connection")
            self.read += part
        text, self.read = self.read.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.last_id += 1
        text = json.dumps({"id": self.last_id, "method": method, "params": parameters, **self.session})
        os.write(self.commands, text.encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.last_id:
                if "error" in message:
                    sys.exit(f"error: Chromium answers to {method}: {message['error']['message']}")
                return message["result"]

    def open(self, page):
        self.call("Page.navigate", url=page.as_uri())
        while self.message().get("method") != "Page.loadEventFired":
            pass
        self.evaluate(STOP_TRANSITIONS)

    def resize(self, width):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=HEIGHT, deviceScaleFactor=1, mobile=False)

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in answer:
            sys.exit(f"error: a script failed: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))


def faults_at(browser, width, picture=None):
    """Faults of the open page in a window of this width."""
    browser.resize(width)
    found = browser.evaluate(FIND_FAULTS)
    if picture:
        browser.screenshot(picture)
    for drawer in DRAWERS:
        if browser.evaluate(SET_DRAWER % (drawer, "true")):
            found += [f"with {drawer}: {fault}" for fault in browser.evaluate(FIND_FAULTS) if fault not in found]
            browser.evaluate(SET_DRAWER % (drawer, "false"))
    return found


def check(browser, site, names=(), screenshots=None):
    """Returns the number of pages and the faults, as lines."""
    pages = [site / name for name in names] or sorted(site.rglob("*.html"))
    lines = []
    for page in pages:
        name = page.relative_to(site)
        browser.open(page)
        for width in WIDTHS:
            picture = screenshots / f"{'_'.join(name.with_suffix('').parts)}_{width}.png" if screenshots else None
            faults = faults_at(browser, width, picture)
            lines += [f"{name} at {width} pixels: {fault}" for fault in faults[:MOST_FAULTS]]
    return len(pages), lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("site", type=pathlib.Path)
    parser.add_argument("pages", nargs="*")
    options = parser.parse_args()
    chromium = shutil.which(options.chromium)
    if not chromium:
        sys.exit(f"error: no program {options.chromium}; on Debian, apt install chromium")
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    browser = Browser(chromium)
    try:
        count, lines = check(browser, options.site.resolve(), options.pages, options.screenshots)
    finally:
        browser.close()
    print("\n".join(lines) or f"{count} pages at {' and '.join(map(str, WIDTHS))} pixels")
    return bool(lines) or not count


if __name__ == "__main__":
    sys.exit(main())
