// SPDX-License-Identifier: MIT
// Algorithms under test in JavaScript: run() speaks corridor-protocol(7) for a subject {name, version, summary, parameters, needs, faults,
// program, solve}. `program(fault)` gives the program, with a fault or, with null, without; `solve(program, task, column)` answers a task
// with partitions, lists of agents. A fault is in a result if the program without it answers something else. Math.random is the task's.
'use strict'
const fs = require('fs')
const packages = require('./packages.js')

class Host {
  constructor (subject) { Object.assign(this, { subject, programs: new Map() }) }

  hello () {
    const { name, version, summary, parameters = [], needs, faults = {} } = this.subject
    return { protocol: 1, name, version, summary, parameters, needs, faults: packages.meanings(faults) }
  }

  solve (task, fault) {
    if (!this.programs.has(fault)) this.programs.set(fault, this.subject.program(fault))
    const next = packages.generator(task.seed)
    Math.random = () => next() / 0x100000000
    const column = Object.fromEntries(task.rules.columns.map(({ name }, place) => [name, task.values[place]]))
    const blocks = this.subject.solve(this.programs.get(fault), task, column)
    return blocks.filter(block => block.length)
  }

  task (task) {
    const blocks = this.solve(task, task.fault)
    if (!task.fault) return { spent: 1, blocks }
    const differs = JSON.stringify(blocks) !== JSON.stringify(this.solve(task, null))
    return { spent: 1, blocks, fault: { reached: 1, held: 1, activated: Number(differs), in_result: differs } }
  }

  answer (request) {
    if (request.hello) return this.hello()
    try {
      return this.task(request.task)
    } catch (problem) {
      return { failed: `${problem.name}: ${problem.message}` }
    }
  }
}

function run (subject) {
  console.log = console.error // standard output is the conversation's
  const host = new Host(subject)
  for (const request of packages.lines()) {
    if (request.bye) break
    fs.writeSync(1, JSON.stringify({ id: request.id, ...host.answer(request) }) + '\n')
  }
}

// Partitions by the number of each agent's.
function blocks (numbers) {
  const all = new Map()
  numbers.forEach((number, agent) => all.has(number) ? all.get(number).push(agent) : all.set(number, [agent]))
  return [...all.values()]
}

module.exports = { run, blocks, ...packages }
