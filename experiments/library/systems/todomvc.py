#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""TodoMVC in a real browser as a world program: one published specification, in 70 frameworks. A line of JSON in, a line out.

todomvc.py FOLDER [--chromium PROGRAM] [--pictures DIRECTORY]
  FOLDER is that of an implementation: node_modules/todomvc/examples/backbone after npm install --ignore-scripts todomvc, or any
  folder with an index.html that keeps to the ids, or classes, of the specification. Wants Debian's chromium; uses no network.

README.md lists what is seen and what can be done. Answers do not depend on the clock: they wait for the page's own timers, frames
and requests, and then for a frame without a change; after 20 seconds the page is as it is, and "quiet" says so."""
import argparse
import base64
import contextlib
import fcntl
import http.server
import json
import os
import pathlib
import re
import select
import shutil
import signal
import sys
import tempfile
import threading
import time

FLAGS = """--headless=new --remote-debugging-pipe --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --lang=en
--disable-background-networking --disable-component-update --disable-extensions --disable-renderer-backgrounding
--disable-background-timer-throttling --disable-frame-rate-limit --disable-ipc-flooding-protection""".split() + ["--host-resolver-rules=MAP *.localhost 127.0.0.1, MAP * ~NOTFOUND"]
TYPES = {"page": {"string": "filter hash filters counter unit entry title focus texts did given", "int": "left shown ticked editing",
                  "bool": "main footer toggle_all all_done clear quiet"},
         "item": {"string": "text edit title", "int": "place", "bool": "done struck editing", "page": "in"}}
TYPES = {type: {name: kind for kind, names in kinds.items() for name in names.split()} for type, kinds in TYPES.items()}
ACTIONS = {"type": {"text": "string"}, "key": {"name": ["Enter", "Escape"]}, "click": {"on": "entity"}, "destroy": {"on": "entity"},
           "edit": {"on": "entity"}, "edit_text": {"text": "string"}, "blur": {}, "filter": {"name": ["all", "active", "completed"]},
           "toggle_all": {}, "clear_completed": {}, "reload": {}, "back": {}, "wait": {}, "look": {}}
MARK = ".keeper-of-todomvc"
CODES = {"Enter": 13, "Escape": 27, "Backspace": 8, **{chr(code): code for code in (32, *range(48, 58), *range(65, 91))}}


class Browser:
    """Chromium by two pipes, descriptors 3 and 4, a NUL behind each message. Whatever ends this program, a keeper of its own sees the
    pipe to it close, and then ends all of chromium and removes its folder; where the keeper was killed, too, the next one does. A tab that is not drawn has no picture, and is faster."""

    def __init__(self, program, is_drawn, scripts=("todomvc.js",)):
        self.numbers, self.rest, self.session, self.events, self.answered = iter(range(1, 1 << 31)), b"", {}, set(), {}
        self.sweep()
        self.folder = tempfile.mkdtemp(prefix="corridor-todomvc-")
        self.mark = os.open(f"{self.folder}/begun", os.O_CREAT | os.O_WRONLY)
        fcntl.flock(self.mark, fcntl.LOCK_EX)  # this program's and its keeper's, as long as one of them lives
        os.rename(f"{self.folder}/begun", f"{self.folder}/{MARK}")
        watched, self.kept = os.pipe()
        group, told = os.pipe()
        self.keeper = os.fork()
        if self.keeper == 0:
            self.keep(watched, group, told)
        ends = (*os.pipe(), *os.pipe())  # never 3 and 4: those above are four
        files = [(os.POSIX_SPAWN_OPEN, end, os.devnull, os.O_RDWR, 0) for end in range(3)]
        files += [(os.POSIX_SPAWN_DUP2, ends[0], 3), (os.POSIX_SPAWN_DUP2, ends[3], 4)]
        child = os.posix_spawnp(program, [program, *FLAGS, f"--user-data-dir={self.folder}", "about:blank"],
                                {**os.environ, "HOME": self.folder}, file_actions=files, setpgroup=0)
        os.write(told, b"%d" % child)
        self.requests, self.answers = os.fdopen(ends[1], "wb", 0), os.fdopen(ends[2], "rb", 0)
        list(map(os.close, (watched, group, told, ends[0], ends[3])))
        page = self.ask("Target.createTarget", url="about:blank", hidden=not is_drawn)
        self.session = {"sessionId": self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]}
        self.ask_all([("Page.enable", {}), ("Emulation.setFocusEmulationEnabled", {"enabled": True}),
                      ("Emulation.setDeviceMetricsOverride", {"width": 900, "height": 1400, "deviceScaleFactor": 1, "mobile": False}),
                      ("Page.addScriptToEvaluateOnNewDocument", {"source": "".join((pathlib.Path(__file__).parent / name).read_text() for name in scripts)})])

    @staticmethod
    def sweep():
        """Folders of those that were killed with their keepers, as all of a world that hangs: they carry the mark, and nobody holds it."""
        for old in pathlib.Path(tempfile.gettempdir()).glob("corridor-todomvc-*"):
            with contextlib.suppress(OSError):
                mark = os.open(old / MARK, os.O_WRONLY | os.O_NOFOLLOW)
                try:
                    fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(old, ignore_errors=True)
                finally:
                    os.close(mark)

    def keep(self, watched, group, told):
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it ends by itself
        list(map(os.close, (0, 1, 2, self.kept, told)))
        child = int(os.read(group, 20) or 0)
        os.read(watched, 1)  # until nobody holds the other end
        try:
            if child:
                os.killpg(child, signal.SIGKILL)
        finally:
            while os.path.exists(self.folder):  # what dies may still write
                shutil.rmtree(self.folder, ignore_errors=True)
            os._exit(0)

    def hear(self):
        while b"\0" not in self.rest:
            if not (more := select.select([self.answers], [], [], 120)[0] and self.answers.read(1 << 16)):
                raise ChildProcessError("chromium ended, or was silent for 120 s")
            self.rest += more
        line, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(line)
        self.events.add(message.get("method"))
        self.answered[message.get("id")] = message
        if message.get("method") == "Page.javascriptDialogOpening":
            self.ask("Page.handleJavaScriptDialog", accept=True)

    def ask(self, method, **given):
        return self.ask_all([(method, given)])

    def ask_all(self, asked):
        """In this order, all at once: chromium does one after the other. What the last one has answered."""
        asked = [(next(self.numbers), method, given) for method, given in asked]
        self.requests.write(b"".join(json.dumps({"id": number, "method": method, "params": given, **self.session}).encode() + b"\0"
                                     for number, method, given in asked))
        for number, method, _ in asked:
            while number not in self.answered:
                self.hear()
            message = self.answered.pop(number)
            if "error" in message and not re.search("navigated|context|active page", message["error"]["message"]):
                raise ChildProcessError(f"{method}: {message['error']['message']}")
        return message.get("result", {})

    def run(self, script):
        for _ in range(100):
            found = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
            if found and "exceptionDetails" not in found:
                return found["result"].get("value")
            time.sleep(0.05)  # the page became another one meanwhile
        raise ChildProcessError("the page does not answer")

    def wait_for(self, events, method, **given):
        self.events.clear()
        self.ask(method, **given)
        while not self.events & set(events):
            self.hear()

    def open(self, address):
        self.click((1, 1), 0)  # away from where the page before left the mouse
        self.wait_for(["Page.loadEventFired"], "Page.navigate", url=address)
        while self.ask("Page.getNavigationHistory").get("currentIndex", 1):  # this is the first page
            self.ask("Page.resetNavigationHistory")

    def press(self, names):
        """Keys; of a character what a keyboard would send."""
        keys = [({"key": name, "windowsVirtualKeyCode": CODES.get(name) or CODES.get(name.upper(), 0)},
                 "\r" if name == "Enter" else name[:len(name) == 1]) for name in names]
        self.ask_all([("Input.dispatchKeyEvent", {**key, **event}) for key, text in keys
                      for event in ({"type": "keyDown", "text": text}, {"type": "keyUp"})])

    def click(self, where, times=1):
        """As a mouse does that is moved there; not a click where there are no times."""
        kinds = [("mouseMoved", 0)] + [(kind, count) for count in range(1, times + 1) for kind in ("mousePressed", "mouseReleased")]
        self.ask_all([("Input.dispatchMouseEvent", {"type": kind, "x": where[0], "y": where[1], "clickCount": count,
                                                    "button": "left" if count else "none"}) for kind, count in kinds])


class World:
    kind, scripts, actions, entity = "todomvc", ("todomvc.js",), ACTIONS, "page|i[1-9][0-9]{0,5}"

    def __init__(self, folder, program, pictures):
        self.browser, self.program, self.pictures = None, program, pictures
        package = next((above for above in folder.parents if (above / "learn.json").is_file()), None)  # npm's
        self.name, root = folder.name, package or folder
        self.version = json.loads((root / "package.json").read_text())["version"] if package else "1"
        page = next((folder / place for place in ("", "public", "web", "www") if (folder / place / "index.html").is_file()), None)
        if not page or not shutil.which(program):
            raise FileNotFoundError(f"{program}: no such program" if page else f"{folder}: no index.html in it, its public, web or www")
        files = type("Files", (http.server.SimpleHTTPRequestHandler,), {"protocol_version": "HTTP/1.1", "log_message": lambda *_: None})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *given: files(*given, directory=str(root)))
        self.resets, self.address = 0, f"localhost:{self.server.server_port}/{page.relative_to(root).as_posix()}/index.html"

    def hello(self, _):
        return {"types": TYPES, "entities": {"page": "page"}}

    def reset(self, number):
        if not self.browser:
            self.browser = Browser(self.program, bool(self.pictures), self.scripts)
            threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.tick, self.resets = 0, self.resets + 1
        self.browser.open(f"http://{self.resets}.todomvc.{self.address}")  # of a host that has stored nothing
        self.begin()
        return self.view(number, "reset")

    def begin(self):
        if not self.browser.run("corridorPage.begin(30000)"):
            raise ChildProcessError(f"{self.name}: the page shows no field for a new todo within 30 s")

    def click(self, what, number=0, times=1):
        if where := self.browser.run(f"corridorPage.place({json.dumps(what)}, {number})"):
            self.browser.click(where, times)

    def act(self, name, value=""):
        browser, number = self.browser, int(value[1:]) if "on" in ACTIONS[name] and value != "page" else 0
        if name in ("type", "edit_text"):
            if name == "type" and not browser.run("corridorPage.ready('type')"):
                self.click("entry")
            if browser.run(f"corridorPage.ready('{name}')"):
                browser.press(value or ["Backspace"] * (name == "edit_text"))
        elif name == "key":
            browser.press([value])
        elif number:
            if name == "destroy":
                self.click("item", number, 0)  # shows the button
            self.click(name, number, 2 if name == "edit" else 1)
        elif name == "blur":
            browser.click((5, 1395))
        elif name == "reload":
            browser.wait_for(["Page.loadEventFired"], "Page.reload")
        elif name == "back":
            past = browser.ask("Page.getNavigationHistory")
            for entry in past["entries"][:past["currentIndex"]][-1:]:
                browser.wait_for(["Page.loadEventFired", "Page.navigatedWithinDocument"], "Page.navigateToHistoryEntry", entryId=entry["id"])
        elif name in ("filter", "toggle_all", "clear_completed"):
            self.click(value or name)
        self.tick += name != "look"

    def look(self, did, given):
        is_quiet, page, *items = self.browser.run("corridorPage.show(20000)")
        return [{**page, "did": did, "given": given, "quiet": is_quiet}, *items]

    def view(self, number, did, given="", *_):
        seen = {"tick": self.tick, "entities": self.look(did, given), "gone": [], "all": True}
        if self.pictures:
            seen["picture"] = f"{number}.png"
            (self.pictures / seen["picture"]).write_bytes(base64.b64decode(self.browser.ask("Page.captureScreenshot")["data"]))
        return seen


def answer(world, request):
    if "hello" in request:
        return {"world": f"{world.kind}/{world.name}", "version": world.version, "actions": world.actions, **world.hello(request["hello"]),
                "can": ["pictures" if world.pictures else "reset"]}
    if "reset" in request:
        return world.reset(request["id"])
    name = request.get("do")
    if name not in list(world.actions):
        raise ValueError(f"no action {json.dumps(name)}, but {', '.join(world.actions)}")
    for key, kind in world.actions[name].items():
        forms = {"string": "(?s:.*)", "entity": world.entity}[kind] if isinstance(kind, str) else "|".join(kind)
        if not isinstance(request.get(key), str) or not re.fullmatch(forms, request[key]):
            raise ValueError(f'"{name}" wants "{key}": {kind if isinstance(kind, str) else " or ".join(kind)}')
    if not world.browser:
        raise ValueError("an action before a reset")
    given = [request[key] for key in world.actions[name]]
    world.act(name, *given)
    return world.view(request["id"], name, *given)


def main(kind=World, text=__doc__):
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--pictures", type=pathlib.Path)
    given = parser.parse_args()
    if given.pictures:
        given.pictures.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    world, number = None, 0
    try:
        world = kind(given.folder.resolve(), given.chromium, given.pictures)
        for number, line in enumerate(sys.stdin, 1):
            request = json.loads(line)
            if not isinstance(request, dict) or not isinstance(request.get("id"), int):
                raise ValueError('a request is an object with an "id"')
            if "bye" in request:
                break
            print(json.dumps({"id": request["id"], **answer(world, request)}), flush=True)
    except (OSError, ValueError) as wrong:
        walls = "; a browser wants no sandbox (--isolate never)" if isinstance(wrong, PermissionError) else ""
        sys.stderr.write(f"{kind.kind}.py: request {number}: {wrong}{walls}\n")
        sys.exit(1 if isinstance(wrong, OSError) else 2)
    finally:
        if world and world.browser:
            os.close(world.browser.kept)
            os.waitpid(world.browser.keeper, 0)


if __name__ == "__main__":
    main()
