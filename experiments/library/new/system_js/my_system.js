// SPDX-License-Identifier: CC0-1.0
// my_system: what is tested, and knows nothing of tests. Three copies of a book are lent, lost and given back, by words on a line. There is a mistake on
// purpose: a copy that is lost can be given back as if it were lent.
"use strict";
let shelf = 3, lent = 0, lost = 0;
require("readline").createInterface({input: process.stdin}).on("line", line => {
    const word = line.trim();
    if (word === "lend" && shelf > 0) {
        shelf--;
        lent++;
    } else if (word === "lose" && lent > 0) {
        lent--;
        lost++;
    } else if (word === "return" && lent + lost > 0) { // the mistake: only what is lent can be given back
        shelf++;
        lent--;
    }
    console.log(`on the shelf ${shelf}, lent ${lent}, lost ${lost}`);
});
