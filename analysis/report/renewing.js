/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of a page that is served while a campaign runs: what is live is renewed in place. Where tables are newer the page
   is loaded again, unless somebody has opened or typed something in it; then it says so. */
(function () {
  "use strict";
  var root = document.documentElement, seconds = Number(root.getAttribute("data-renew"));
  function say(text) {
    var said = document.querySelector("[data-said]");
    if (said) said.textContent = text;
  }
  function is_used() {
    return document.querySelector("main details[open], main :focus, th[aria-sort]") !== null;
  }
  function renew() {
    fetch(location.href, { cache: "no-store" }).then(function (answer) {
      if (!answer.ok) throw new Error(answer.status);
      return answer.text();
    }).then(function (text) {
      var next = new DOMParser().parseFromString(text, "text/html");
      document.querySelectorAll("[data-live]").forEach(function (one) {
        var other = next.querySelector("[data-live=" + one.getAttribute("data-live") + "]");
        if (other && other.innerHTML !== one.innerHTML) one.innerHTML = other.innerHTML;
      });
      var old = document.querySelector("main"), main = next.querySelector("main");
      if (old.getAttribute("data-tables") !== main.getAttribute("data-tables")) {
        if (!is_used()) return location.reload();
        say("Newer tables are there: reload the page to see them.");
      }
      seconds = Number(next.documentElement.getAttribute("data-renew"));
    }).catch(function () {
      say("Nothing answers any more: corridor watch has ended, or is busy.");
    }).then(function () {
      if (seconds > 0) setTimeout(renew, seconds * 1000);
    });
  }
  setTimeout(renew, seconds * 1000);
})();
