// SPDX-License-Identifier: CC0-1.0
// my_world: a ticket machine that test agents use. A ticket costs 3, and there is a mistake on purpose: the machine asks for 2. Make it yours from here:
// let it speak for the game, the page or the service that you test. docs/look-up/world-programs.md has the lines that it speaks.
"use strict";
const hello = {world: "my_world", version: "1", can: ["reset"], types: {machine: {credit: "int", sold: "int"}},
    actions: {insert: {coin: ["one", "two"]}, buy: {}, back: {}}, entities: {m: "machine"}};
let credit = 0, sold = 0, tick = 0;

function act(asked) {
    tick++;
    if (asked.do === "insert") credit += asked.coin === "one" ? 1 : 2;
    else if (asked.do === "back") credit = 0;
    else if (asked.do === "buy" && credit >= 2) { // the mistake: 3 is taken
        credit -= 3;
        sold++;
    }
}

require("readline").createInterface({input: process.stdin}).on("line", text => {
    const asked = JSON.parse(text), answer = {id: asked.id};
    if (asked.bye) process.exit(0);
    if (asked.hello) Object.assign(answer, hello);
    else {
        if (asked.reset) credit = sold = tick = 0;
        else if (asked.do !== "look") act(asked);
        Object.assign(answer, {tick, all: true, entities: [{id: "m", type: "machine", credit, sold}]});
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
});
