#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Any page in a real browser as a world program: its elements are called by role, text, id and class, within each other, in "setup".

page.py FOLDER [--chromium PROGRAM] [--pictures DIRECTORY]
  FOLDER holds the pages; the first is its index.html. Wants Debian's chromium; uses no network, and todomvc.py beside this file.

  "system": {"program": ["python3", "page.py", "shop"], "setup": [{
    "basket": {"id": "basket"},
    "thing": {"in": "basket", "role": "listitem", "all": true},
    "empty": {"role": "button", "text": "Empty the basket"}}]}

README.md lists what is seen and what can be done."""
import json
import re

import todomvc

SEEN = {"text": "string", "value": "string", "shown": "bool", "enabled": "bool", "focus": "bool", "checked": "bool"}
ACTIONS = {"open": {"path": "string"}, "click": {"on": "entity"}, "double_click": {"on": "entity"}, "hover": {"on": "entity"}, "type": {"text": "string"},
           "fill": {"on": "entity", "text": "string"}, "key": {"name": ["Enter", "Escape", "Tab", "Backspace"]}, "blur": {}, "reload": {}, "back": {},
           "wait": {}, "look": {}}
LEAVES = {"Page.frameRequestedNavigation", "Page.frameStartedNavigating", "Page.frameStartedLoading"}
CALLED = {"role": str, "text": str, "id": str, "class": str, "in": str, "all": bool, "hidden": bool}


def declared(setup):
    """[name, what, within or None], what others are in first."""
    setup = setup[0] if isinstance(setup, list) and len(setup) == 1 else None
    if not isinstance(setup, dict) or not setup:
        raise ValueError('"setup" names elements: [{"empty": {"role": "button", "text": "Empty"}}]')
    for name, what in setup.items():
        if not re.fullmatch(r"[A-Za-z_]\w*", name) or name in ("page", "string", "int", "float", "bool", "entity", "cycle", "reward"):
            raise ValueError(f'"setup": {json.dumps(name)} is no name for elements: letters, digits and _, a letter first, and no type of worlds')
        if not isinstance(what, dict) or not set(what) & {"role", "text", "id", "class"}:
            raise ValueError(f'"setup": {name} is called by none of role, text, id, class')
        for key, value in what.items():
            if not isinstance(value, CALLED.get(key, ())):
                known = "; known: " + ", ".join(CALLED) if key not in CALLED else f": is to be a {'text' if CALLED[key] is str else 'truth value'}"
                raise ValueError(f'"setup": {name}: {json.dumps(key)}{known}')
        for other, its in setup.items():
            if isinstance(its, dict) and its.get("all") and re.fullmatch(re.escape(other) + "[1-9][0-9]*", name):
                raise ValueError(f'"setup": {name} is what one of {other} is called: call it otherwise')
        if "in" in what and what["in"] not in setup:
            raise ValueError(f'"setup": {name} is in {json.dumps(what["in"])}, which is not called; known: {", ".join(setup)}')
    order = []
    while len(order) < len(setup):
        before = len(order)
        for name in setup:
            if name not in order and setup[name].get("in") in (None, *order):
                order.append(name)
        if len(order) == before:
            raise ValueError(f'"setup": {", ".join(name for name in setup if name not in order)} are in each other, in a ring')
    return [[name, {key: value for key, value in setup[name].items() if key != "in"}, setup[name].get("in")] for name in order]


class World(todomvc.World):
    kind, scripts, actions, entity = "page", ("todomvc.js", "page.js"), ACTIONS, r"[A-Za-z_]\w*"

    def hello(self, said):
        self.elements = declared(said.get("setup"))
        page = {"title": "string", "path": "string", "quiet": "bool", **{f"{name}_count": "int" for name, *_ in self.elements}}
        types = {"page": page, **{name: {**SEEN, "in": within or "page"} for name, _, within in self.elements}}
        return {"types": types, "entities": {"page": "page", **{name: name for name, what, _ in self.elements if not what.get("all")}}}

    def begin(self):
        self.home = re.sub("[^/]*$", "", self.address)

    def act(self, name, *values):
        browser = self.browser
        browser.events.clear()
        if name == "open":
            browser.wait_for(["Page.loadEventFired", "Page.navigatedWithinDocument"], "Page.navigate",
                             url=f"http://{self.resets}.todomvc.{self.home}{values[0].lstrip('/')}")
        elif name in ("click", "double_click", "hover", "fill"):
            if where := browser.run(f"corridorElements.place({json.dumps(values[0])})"):
                browser.click(where, {"hover": 0, "double_click": 2}.get(name, 1))
                if name == "fill" and browser.run(f"corridorElements.choose({json.dumps(values[0])})"):
                    browser.press(values[1] or ["Backspace"])
        elif name in ("type", "key"):
            browser.press(values[0] if name == "type" else [values[0]])
        else:
            return super().act(name)
        self.tick += 1
        return None

    def look(self, *_):
        browser, is_quiet = self.browser, False
        while True:  # a click, or a timer of the page, may lead to another page
            is_quiet = browser.run("corridorPage.settle(20000)")
            if not browser.events & LEAVES:
                break
            while "Page.frameStoppedLoading" not in browser.events:
                browser.hear()
            browser.events.clear()
        page, *elements = self.browser.run(f"corridorElements.show({json.dumps(self.elements)})")
        return [{**page, "quiet": is_quiet}, *elements]


if __name__ == "__main__":
    todomvc.main(World, __doc__)
