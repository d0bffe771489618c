/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In each page of todomvc.py before all else: knows what the page waits for, finds what a person sees. A timer of more than a second,
 * or the ninth of timers that start each other, is a clock and not waited for. */
(() => {
  const later = setTimeout, never = clearTimeout, frame = requestAnimationFrame, drop = cancelAnimationFrame, waiting = new Set();
  let depth = 0, changes = 0;
  const run = (name, level, call) => { waiting.delete(name); const was = depth; depth = level; try { call(); } finally { depth = was; } };
  const await_ = (name, level, delay) => { if (level <= 8 && !(delay > 1000)) waiting.add(name); };
  window.setTimeout = function (call, delay, ...given) {
    const level = depth + 1;
    const id = later(() => run(id, level, () => typeof call === "function" ? call.apply(window, given) : (0, eval)(call)), delay);
    await_(id, level, delay);
    return id;
  };
  window.clearTimeout = (id) => { waiting.delete(id); never(id); };
  window.requestAnimationFrame = (call) => {
    const level = depth + 1, id = frame((now) => run("f" + id, level, () => call.call(window, now)));
    await_("f" + id, level, 0);
    return id;
  };
  window.cancelAnimationFrame = (id) => { waiting.delete("f" + id); drop(id); };
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...given) {
    waiting.add(this);
    this.addEventListener("loadend", () => waiting.delete(this));
    return send.apply(this, given);
  };
  const load = (script) => {
    waiting.add(script);
    for (const end of ["load", "error"]) script.addEventListener(end, () => waiting.delete(script));
  };
  new MutationObserver((all) => {
    changes++;
    for (const node of all.flatMap((change) => [...change.addedNodes]).filter((node) => node instanceof Element))
      for (const e of [node, ...node.querySelectorAll("script")])
        if (e.localName === "script" && e.src && /^$|javascript/.test(e.type)) load(e);
  }).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
  const turn = () => new Promise((done) => frame(() => later(done, 0)));
  const seen = (e) => !!e && e.getClientRects().length > 0 && getComputedStyle(e).visibility !== "hidden";
  const find = Document.prototype.querySelectorAll; /* before a page puts something in its place */
  const called = (name) => [...find.call(document, `#${name}, .${name}`)]; /* ids before 2015, classes since */
  const one = (name) => { const all = called(name); return all.find(seen) || all[0]; };
  const has_focus = (e) => !!e && e === document.activeElement;
  const text = (e) => e ? e.textContent.replace(/\s+/g, " ").trim() : "";
  const items = () => called("todo-list").flatMap((list) => [...list.querySelectorAll("li")])
    .filter((li) => seen(li) && (li.classList.contains("editing") || seen(li.querySelector("label"))));
  const field = (li) => [...li.querySelectorAll("input:not([type=checkbox]), textarea")].find(seen);
  const links = () => called("filters").flatMap((list) => [...list.querySelectorAll("a")]).filter(seen);
  window.corridorPage = {
    async settle(most) {
      const end = performance.now() + most;
      for (let calm = 0; calm < 2;) {
        if (performance.now() > end) return false;
        const before = changes;
        await turn();
        calm = waiting.size || changes !== before ? 0 : calm + 1;
      }
      return true;
    },
    async begin(most) {
      for (const end = performance.now() + most; performance.now() < end; await turn())
        if (await this.settle(20000), seen(one("new-todo"))) return true;
      return false;
    },
    place(what, number) {
      const li = items()[number - 1], names = {
        entry: () => one("new-todo"), click: () => li && li.querySelector("input[type=checkbox]"), item: () => li,
        destroy: () => li && li.querySelector(".destroy"), edit: () => li && li.querySelector("label"),
        toggle_all: () => one("toggle-all"), clear_completed: () => one("clear-completed"),
        all: () => links().find((a) => /all/i.test(a.textContent)), active: () => links().find((a) => /active/i.test(a.textContent)),
        completed: () => links().find((a) => /completed/i.test(a.textContent))};
      const e = names[what]();
      if (!seen(e)) return null;
      e.scrollIntoView({block: "nearest"});
      const r = e.getBoundingClientRect();
      return [what === "edit" ? r.left + Math.min(r.width / 2, 80) : r.left + r.width / 2, r.top + r.height / 2];
    },
    ready(what) { /* the field that is to be typed into; all of it chosen where that is to be replaced */
      const e = what === "type" ? one("new-todo") : items().map(field).find(has_focus);
      if (e && what === "edit_text") e.select();
      return has_focus(e);
    },
    show() {
      const all = items(), entry = one("new-todo"), clear = one("clear-completed"), toggle = one("toggle-all"), left = one("todo-count");
      const chosen = links().find((a) => a.classList.contains("selected")), name = text(chosen).toLowerCase();
      const counter = seen(left) ? left.innerText.replace(/\s+/g, " ").trim() : ""; /* parts of it may be hidden */
      const strong = seen(left) ? left.querySelector("strong") : null, ticks = all.map((li) => li.querySelector("input[type=checkbox]"));
      const list = all.map((li, n) => ({id: "i" + (n + 1), type: "item", in: "page", place: n + 1, text: text(li.querySelector("label")),
        done: !!ticks[n] && ticks[n].checked, struck: li.classList.contains("completed"), editing: li.classList.contains("editing"),
        edit: field(li) ? field(li).value : "", title: field(li) ? field(li).value.trim() : ""}));
      return [{id: "page", type: "page", filter: !chosen ? "none" : ["all", "active", "completed"].includes(name) ? name : "other",
        hash: location.hash, filters: links().map(text).join(" "), main: called("main").some(seen), footer: called("footer").some(seen),
        counter, left: strong && /^\d+/.test(text(strong)) ? parseInt(text(strong), 10) : -1, unit: counter.split(" ")[1] || "",
        toggle_all: seen(toggle), all_done: !!toggle && !!toggle.checked, clear: seen(clear), entry: entry ? entry.value : "",
        title: entry ? entry.value.trim() : "", editing: list.filter((i) => i.editing).length,
        focus: has_focus(entry) ? "entry" : all.some((li) => has_focus(field(li))) ? "edit" : "none",
        shown: all.length, ticked: list.filter((i) => i.done).length, texts: list.map((i) => i.text).join("\n")}, ...list];
    }};
})();
