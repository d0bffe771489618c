// SPDX-License-Identifier: GPL-3.0-or-later
// How many mutants of each agent the cases of its design find, beside as many random inputs. Inputs are finite here, so a mutant
// that does the same for all of them is known to be none.
//
//   node score.js CORRIDOR
'use strict'
const { spawnSync } = require('child_process')
const { agents, source, mutants, build, turn } = require('./bridge.js')

const REPEATS = 200

// A generator of its own, so that the same numbers come out everywhere.
let state = 1
const draw = bound => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0
  return (state >>> 8) % bound
}

function allInputs (it) {
  return Object.entries(it.inputs).reduce((all, [name, values]) => all.flatMap(one => values.map(value => ({ ...one, [name]: value }))), [{}])
}

const said = (it, made, args) => {
  try {
    return JSON.stringify(turn(it, made, args))
  } catch (error) {
    return String(error)
  }
}

function corridor (program, words) {
  const done = spawnSync(program, words, { encoding: 'utf8', cwd: __dirname })
  if (done.error) throw done.error
  return done
}

let failed = false
console.log('agent          mutants  found  by random  same for all  cases')
for (const [name, it] of Object.entries(agents)) {
  const text = source(it)
  const inputs = allInputs(it)
  const right = inputs.map(args => said(it, build(it, text), args))
  const sound = corridor(process.argv[2], ['agent', 'test', `${name}.json`, '--agent', `node bridge.js ${name}`, '--json'])
  if (sound.status !== 0) {
    const accused = sound.stdout ? JSON.parse(sound.stdout).sheets.findings.rows.map(row => `${row.sentence} ${row.values}`) : [sound.stderr]
    console.log(`${name}: the agent itself is accused: code ${sound.status}: ${accused.join('; ')}`)
    failed = true
    continue
  }
  const cases = JSON.parse(sound.stdout).sheets.about.row.cases
  let found = 0; let random = 0; let same = 0; let count = 0
  mutants(text).forEach((mutant, number) => {
    let wrong
    try {
      const made = build(it, mutant.text)
      wrong = inputs.map((args, i) => said(it, made, args) !== right[i])
    } catch {
      return // it cannot be read as a program
    }
    if (!wrong.some(Boolean)) {
      same++
      return
    }
    count++
    const test = corridor(process.argv[2], ['agent', 'test', `${name}.json`, '--agent', `node bridge.js ${name} ${number}`])
    if (test.status === 1) found++
    else console.log(`  not found in ${name}: ${mutant.what} (code ${test.status})`)
    for (let i = 0; i < REPEATS; i++) {
      let seen = false
      for (let k = 0; k < cases; k++) seen = wrong[draw(inputs.length)] || seen
      random += seen / REPEATS
    }
  })
  console.log(`${name.padEnd(14)} ${String(count).padStart(7)} ${String(found).padStart(6)} ${random.toFixed(1).padStart(10)} ${String(same).padStart(13)} ${String(cases).padStart(6)}`)
}
process.exit(failed ? 1 : 0)
