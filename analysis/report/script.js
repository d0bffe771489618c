/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page is whole without this: it adds sorting and filtering. */
(function () {
  "use strict";
  function value(row, column) {
    var cell = row.cells[column], text = cell.getAttribute("data-v");
    if (text === null) text = cell.textContent.trim();
    if (text === "") return null;
    var number = Number(text.replace(/\u202f/g, ""));
    return isNaN(number) ? text.toLowerCase() : number;
  }
  function compare(a, b) {
    if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
    return typeof a === "number" ? -1 : 1;
  }
  function is_heading(row) { return /^(group|more)/.test(row.className); }
  function sort(body, column, descending) {
    var rows = Array.prototype.filter.call(body.rows, function (row) { return !is_heading(row); })
      .map(function (row, index) { return { row: row, value: value(row, column), index: index }; });
    rows.sort(function (a, b) {
      /* What is not available comes last, either way. */
      if (a.value === null || b.value === null)
        return (a.value === null) - (b.value === null) || a.index - b.index;
      return (descending ? compare(b.value, a.value) : compare(a.value, b.value)) || a.index - b.index;
    });
    var more = body.querySelector("tr.more");
    rows.forEach(function (entry) { body.insertBefore(entry.row, more); });
  }
  function make_sortable(table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      while (head.firstChild) button.appendChild(head.firstChild);
      head.appendChild(button);
      button.addEventListener("click", function () {
        var now = head.getAttribute("aria-sort");
        /* Numbers are wanted largest first. */
        var descending = now ? now === "ascending" : head.classList.contains("n");
        Array.prototype.forEach.call(table.tHead.rows[0].cells, function (other) {
          other.removeAttribute("aria-sort");
        });
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        /* Groups stay together. */
        Array.prototype.forEach.call(table.tBodies, function (body) { sort(body, column, descending); });
      });
    });
  }
  /* Classes without a failure that fits are left out; what a text is looked for in is opened. */
  function make_filter(form) {
    var classes = document.querySelectorAll("details.failing"), said = form.querySelector("output"), before = "";
    function has(list, word) { return (" " + list + " ").indexOf(" " + word + " ") >= 0; }
    function apply() {
      var arm = form.arm.value, box = form.box.value, check = form.check.value;
      var text = form.text.value.trim().toLowerCase(), all = 0, shown = 0;
      classes.forEach(function (one) {
        var fitting = 0, any = !box && !check && !text;
        one.querySelectorAll("tbody tr").forEach(function (row) {
          var fits = (!arm || one.getAttribute("data-arm") === arm) &&
            (!box || has(row.getAttribute("data-box"), box)) &&
            (!check || has(row.getAttribute("data-checks"), check)) &&
            (!text || row.textContent.toLowerCase().indexOf(text) >= 0);
          row.hidden = !fits;
          all++;
          fitting += fits ? 1 : 0;
        });
        one.hidden = !fitting && !(any && (!arm || one.getAttribute("data-arm") === arm));
        if (text !== before) one.open = text !== "" && fitting > 0;
        shown += fitting;
      });
      before = text;
      said.textContent = shown + " of " + all + " shown";
    }
    form.addEventListener("input", apply);
    form.addEventListener("submit", function (event) { event.preventDefault(); });
    form.hidden = false;
    apply();
  }
  document.querySelectorAll("table.sorts").forEach(make_sortable);
  document.querySelectorAll("form.filters").forEach(make_filter);
  /* On paper nothing can be opened. */
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details:not([open]):not(.screen)").forEach(function (one) {
      one.setAttribute("data-closed", "");
      one.open = true;
    });
  });
  window.addEventListener("afterprint", function () {
    document.querySelectorAll("details[data-closed]").forEach(function (one) {
      one.removeAttribute("data-closed");
      one.open = false;
    });
  });
  document.documentElement.setAttribute("data-ready", "yes");
})();
