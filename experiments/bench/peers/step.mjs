// SPDX-License-Identifier: GPL-3.0-or-later
// A case of the test model in AgentScript: each agent is a turtle and changes, the invariant is looked at
// (experiments/bench/peers.c).
// Usage: node step.mjs PROBLEM ANSWER FOLDER; FOLDER/node_modules has agentscript. The answer: seconds of processor
// time for a case, sum of all values, alarms.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [problem, answer, folder] = process.argv.slice(2)
// What the module draws on when it is loaded is there in browsers only.
globalThis.OffscreenCanvas = class {
    getContext() {
        return {}
    }
}
const { Model } = await import(pathToFileURL(resolve(folder, 'node_modules/agentscript/dist/agentscript.js')))
const numbers = readFileSync(problem, 'utf8').split(/\s+/).map(Number)
let at = 0
const one = () => numbers[at++]
const several = count => numbers.slice(at, (at += count))

const agents = one(), groups = one(), chains = one(), cases = one(), threshold = one()
const group = Array.from({ length: groups }, () => {
    const [first, end, chain, environment, kinds, states] = several(6)
    return { first, end, chain, states, relevant: several(environment), next: several(kinds * states), level: several(states) }
})

class Case extends Model {
    setup() {
        this.alarms = 0
        this.sums = []
        this.sizes = []
        for (const g of group)
            this.turtles.create(g.end - g.first, turtle => {
                turtle.group = g
                ;[turtle.state, turtle.value, turtle.inertia, turtle.partition] = several(4)
                this.sums[turtle.partition] = (this.sums[turtle.partition] ?? 0) + turtle.value
                this.sizes[turtle.partition] = (this.sizes[turtle.partition] ?? 0) + 1
            })
        this.walk = Array.from({ length: cases }, () => several(chains))
    }
    step() {
        const environment = this.walk[this.ticks]
        this.turtles.ask(turtle => {
            const g = turtle.group
            turtle.state = g.next[g.relevant[environment[g.chain]] * g.states + turtle.state]
            const change = turtle.inertia * (g.level[turtle.state] - turtle.value)
            turtle.value += change
            this.sums[turtle.partition] += change
        })
        let low = Infinity, high = -Infinity
        this.sums.forEach((sum, partition) => {
            const mean = sum / this.sizes[partition]
            low = Math.min(low, mean)
            high = Math.max(high, mean)
        })
        this.alarms += high - low > threshold ? 1 : 0
    }
}

const model = new Case()
await model.startup()
model.setup()
const began = process.cpuUsage()
for (let i = 0; i < cases; i++) model.step() // which counts ticks
const used = process.cpuUsage(began)
let sum = 0
model.turtles.ask(turtle => (sum += turtle.value))
writeFileSync(answer, `${(1e-6 * (used.user + used.system)) / cases} ${sum} ${model.alarms}\n`)
