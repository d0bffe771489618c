/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In each page of todomvc.py before all else: knows what the page waits for, finds what a person sees.
 * A timer of at most a second is waited for. Timers that start each other, or an interval, are a clock from the ninth on and after a
 * second: that one runs for ever, and all that is waited for is its next turn, in which it may notice what was done. */
(() => {
  if (performance.getEntriesByType("navigation")[0]?.type === "navigate") window.name = ""; /* the page before may have left something there */
  let drawn = 0; /* chance: the same after each reset, another when the page is loaded again, since it may have kept what it drew */
  try { drawn = sessionStorage.corridor = (+sessionStorage.corridor || 0) + 1; } catch { /* a page without an address keeps nothing */ }
  drawn = Math.imul(drawn, 0x9E3779B9);
  Math.random = () => { /* mulberry32 */
    drawn = (drawn + 0x6D2B79F5) | 0;
    let t = Math.imul(drawn ^ (drawn >>> 15), 1 | drawn);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const later = setTimeout, never = clearTimeout, again = setInterval, frame = requestAnimationFrame, drop = cancelAnimationFrame;
  const waiting = new Set(), clocks = new Set(), due = new Set();
  let chain = {links: 0, time: 0}, changes = 0;
  const link = (last, delay) => ({links: last.links + 1, time: last.time + Math.max(4, delay || 0)}); /* 4: what becomes of 0 in the end */
  const forget = (id) => { for (const ids of [waiting, clocks, due]) ids.delete(id); };
  const expect = (id, made, delay) => { if (!(delay > 1000)) (made.links > 8 && made.time > 1000 ? clocks : waiting).add(id); };
  const run = (made, call, given) => {
    const was = chain;
    chain = made;
    try { typeof call === "function" ? call.apply(window, given) : (0, eval)(call); } finally { chain = was; }
  };
  window.setTimeout = function (call, delay, ...given) {
    const made = link(chain, delay), id = later(() => { forget(id); run(made, call, given); }, delay);
    expect(id, made, delay);
    return id;
  };
  window.setInterval = function (call, delay, ...given) {
    let made = link(chain, delay);
    const id = again(() => {
      const now = made;
      forget(id);
      expect(id, made = link(made, delay), delay);
      run(now, call, given);
    }, delay);
    expect(id, made, delay);
    return id;
  };
  window.clearTimeout = window.clearInterval = (id) => { forget(+id); never(id); };
  window.requestAnimationFrame = (call) => {
    const made = link(chain, 16), id = frame((now) => { forget("f" + id); run(made, call, [now]); });
    expect("f" + id, made, 0);
    return id;
  };
  window.cancelAnimationFrame = (id) => { forget("f" + id); drop(id); };
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
    clocks.forEach((id) => due.add(id));
    for (const node of all.flatMap((change) => [...change.addedNodes]).filter((node) => node instanceof Element))
      for (const e of [node, ...node.querySelectorAll("script")])
        if (e.localName === "script" && e.src && /^$|javascript/.test(e.type)) load(e);
  }).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
  const pause = (delay) => new Promise((done) => later(done, delay));
  const idle = scheduler.postTask.bind(scheduler, () => {}, {priority: "background"}); /* when nothing else is there to do */
  const turn = async () => { await new Promise(frame); await idle(); await idle(); };
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
  const chosen_link = () => { /* by the specification's class; where no link has it, by what that class makes of it: it is bold */
    const bold = links().filter((a) => getComputedStyle(a).fontWeight >= 600);
    return links().find((a) => a.classList.contains("selected")) || (bold.length === 1 ? bold[0] : undefined);
  };
  window.corridorPage = {
    async settle(most) {
      clocks.forEach((id) => due.add(id));
      for (const end = performance.now() + most; performance.now() < end;) {
        const before = changes, works = waiting.size || due.size;
        await (works ? pause(4) : turn());
        if (!works && !waiting.size && !due.size && changes === before) return true;
      }
      return false;
    },
    async begin(most) {
      for (const end = performance.now() + most; performance.now() < end; await pause(16))
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
    async show(most) {
      const quiet = await this.settle(most);
      const all = items(), entry = one("new-todo"), clear = one("clear-completed"), toggle = one("toggle-all"), left = one("todo-count");
      const chosen = chosen_link(), name = text(chosen).toLowerCase();
      const counter = seen(left) ? left.innerText.replace(/\s+/g, " ").trim() : ""; /* parts of it may be hidden */
      const strong = seen(left) ? left.querySelector("strong") : null, ticks = all.map((li) => li.querySelector("input[type=checkbox]"));
      const list = all.map((li, n) => ({id: "i" + (n + 1), type: "item", in: "page", place: n + 1, text: text(li.querySelector("label")),
        done: !!ticks[n] && ticks[n].checked, struck: li.classList.contains("completed"), editing: li.classList.contains("editing"),
        edit: field(li) ? field(li).value : "", title: field(li) ? field(li).value.trim() : ""}));
      return [quiet, {id: "page", type: "page", filter: !chosen ? "none" : ["all", "active", "completed"].includes(name) ? name : "other",
        hash: location.hash, filters: links().map(text).join(" "), main: called("main").some(seen), footer: called("footer").some(seen),
        counter, left: strong && /^\d+/.test(text(strong)) ? parseInt(text(strong), 10) : -1, unit: counter.split(" ")[1] || "",
        toggle_all: seen(toggle), all_done: !!toggle && !!toggle.checked, clear: seen(clear), entry: entry ? entry.value : "",
        title: entry ? entry.value.trim() : "", editing: list.filter((i) => i.editing).length,
        focus: has_focus(entry) ? "entry" : all.some((li) => has_focus(field(li))) ? "edit" : "none",
        shown: all.length, ticked: list.filter((i) => i.done).length, texts: list.map((i) => i.text).join("\n")}, ...list];
    }};
})();
