/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In each page of page.py, behind todomvc.js, which knows what the page waits for: finds elements by what a person, or a reader of
 * screens, calls them. */
(() => {
  const find = Document.prototype.querySelectorAll, within = Element.prototype.querySelectorAll;
  const seen = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== "hidden";
  const tidy = (text) => (text || "").replace(/\s+/g, " ").trim();
  const kinds = {checkbox: "checkbox", radio: "radio", button: "button", submit: "button", reset: "button", image: "button", range: "slider", search: "searchbox",
    number: "spinbutton"};
  const tags = {A: "link", BUTTON: "button", TEXTAREA: "textbox", SELECT: "combobox", OPTION: "option", UL: "list", OL: "list", MENU: "list", LI: "listitem", IMG: "img", NAV: "navigation",
    MAIN: "main", HEADER: "banner", FOOTER: "contentinfo", FORM: "form", TABLE: "table", ARTICLE: "article", ASIDE: "complementary", OUTPUT: "status", PROGRESS: "progressbar", FIELDSET: "group", TR: "row", TD: "cell", TH: "columnheader", DIALOG: "dialog",
    H1: "heading", H2: "heading", H3: "heading", H4: "heading", H5: "heading", H6: "heading"};
  const role = (e) => e.getAttribute("role") || (e.tagName === "INPUT" ? kinds[e.type] || "textbox" : e.tagName === "A" && !e.hasAttribute("href") ? "" : e.tagName === "SELECT" && (e.multiple || e.size > 1) ? "listbox" : tags[e.tagName] || "");
  const label = (e) => { /* its name: said of it, the text of its label, its own text */
    const by = e.getAttribute("aria-labelledby"), of = by && document.getElementById(by);
    const said = e.getAttribute("aria-label") || (of ? of.textContent : "") || (e.labels && e.labels.length ? e.labels[0].textContent : "");
    return tidy(said || (e.tagName === "INPUT" ? (kinds[e.type] === "button" ? e.value : e.placeholder || e.title) : e.textContent || e.alt || e.title));
  };
  const fits = (e, what) => (what.role === undefined || role(e) === what.role) && (what.text === undefined || label(e) === what.text) &&
    (what.class === undefined || e.classList.contains(what.class));
  /* All elements that are called so, in the order of the page; those within others in the order of these. */
  const all = (what, inside) => {
    const some = (root, query) => root ? [...within.call(root, query)] : [...find.call(document, query)];
    const query = what.id === undefined ? "*" : "#" + CSS.escape(what.id);
    return (inside || [null]).flatMap((root) => some(root, query).filter((e) => fits(e, what)));
  };
  let known = new Map(); /* identities of what was shown last */
  const one = (e, id, type, inside) => ({id, type, in: inside, text: e.tagName === "INPUT" || e.tagName === "TEXTAREA" ? label(e) : tidy(e.innerText), value: "value" in e ? String(e.value) : "",
    shown: seen(e), enabled: !e.disabled && e.getAttribute("aria-disabled") !== "true", focus: e === document.activeElement,
    checked: "checked" in e ? !!e.checked : e.getAttribute("aria-checked") === "true"});
  window.corridorElements = {
    /* What is seen of each kind of elements: [name, what, name of what it is in or null], those around others first. */
    show(declared) {
      const shown = [], of = {};
      known = new Map();
      for (const [name, what, inside] of declared) {
        of[name] = [];
        const parents = inside === null ? [[null, "page"]] : of[inside];
        for (const [root, parent] of parents)
          for (const e of all(what, root && [root])) {
            if (!what.hidden && !seen(e)) continue;
            if (!what.all && of[name].length > 0) continue;
            const id = what.all ? name + (of[name].length + 1) : name;
            of[name].push([e, id]);
            known.set(id, e);
            shown.push(one(e, id, name, parent));
          }
      }
      const count = Object.fromEntries(declared.map(([name]) => [name + "_count", of[name].length]));
      return [{id: "page", type: "page", title: document.title, path: location.pathname + location.search + location.hash, ...count}, ...shown];
    },
    place(id) {
      const e = known.get(id);
      if (!e || !e.isConnected || !seen(e)) return null;
      e.scrollIntoView({block: "nearest"});
      const r = e.getBoundingClientRect();
      return [r.left + Math.min(r.width / 2, 80), r.top + r.height / 2];
    },
    choose(id) { /* all that is in a field, so that what is typed takes its place */
      const e = known.get(id), is_field = !!e && e === document.activeElement && !!e.select;
      if (is_field) e.select();
      return is_field;
    }
  };
})();
