/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The menu stands open where there is room; the search reads found.js once it is wanted, so that it works without a server. */
"use strict";
const menu = document.querySelector(".menu"), roomy = matchMedia("(min-width: 56.01rem)");
const fold = () => { menu.open = roomy.matches; };
fold();
roomy.addEventListener("change", fold);

const base = document.body.dataset.base, field = document.getElementById("search"), list = document.getElementById("found");
const article = document.querySelector("article");
let asked = null;
function load() {
  asked ??= new Promise(resolve => {
    const script = document.createElement("script");
    script.src = base + "/found.js";
    script.onload = resolve;
    document.head.append(script);
  });
  return asked;
}
const plain = text => text.replace(/[&<>"]/g, sign => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
function excerpt(text, words) {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 70);
  const wanted = new RegExp(words.map(word => plain(word).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "gi");
  return (at ? ".. " : "") + plain(text.slice(at, at + 220)).replace(wanted, "<mark>$&</mark>") + " ..";
}
function score(entry, words) {
  const [, head, title, text] = entry.map(part => part.toLowerCase());
  let sum = 0;
  for (const word of words) {
    const times = text.split(word).length - 1;
    const named = (head.includes(word) ? 30 : 0) + (title.includes(word) ? 15 : 0);
    if (!times && !named) return 0;
    sum += named + Math.min(times, 10);
  }
  return sum;
}
async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(word => word.length > 1);
  list.hidden = !words.length;
  article.hidden = !!words.length;
  if (!words.length) return;
  await load();
  const best = window.FOUND.map(entry => [score(entry, words), entry]).filter(([sum]) => sum).sort((a, b) => b[0] - a[0]).slice(0, 30);
  list.innerHTML = best.map(([, [url, head, title, text]]) =>
    `<p><a href="${base}/${plain(url)}">${plain(head)}</a> <small>${head === title ? "" : plain(title) + ": "}${excerpt(text, words)}</small></p>`).join("")
    || "<p>Nothing has all of these words.</p>";
}
field.addEventListener("input", search);
field.addEventListener("focus", load);
field.form.addEventListener("submit", event => { event.preventDefault(); search(); });
list.addEventListener("click", event => {
  if (event.target.closest("a")) { field.value = ""; search(); }
});
