// SPDX-License-Identifier: GPL-3.0-or-later
// Agents that nobody of Corridor wrote, under test: those of the tutorials of js-son-agent (npm), taken from the page that comes with
// the package, behind the lines of JSON that corridor agent test speaks.
//
//   node bridge.js porter|paranoid|claustrophobe|introspective|volatile [MUTANT]
'use strict'
const fs = require('fs')
const path = require('path')
const readline = require('readline')

let JSson
try {
  JSson = require('js-son-agent')
} catch {
  console.error('js-son-agent is not installed here: npm install js-son-agent')
  process.exit(77)
}

// The blocks of JavaScript on the package's page.
function blocks () {
  const page = path.join(path.dirname(require.resolve('js-son-agent/package.json')), 'README.md')
  return [...fs.readFileSync(page, 'utf8').matchAll(/```JavaScript\n([\s\S]*?)```/g)].map(found => found[1])
}

function block (begin) {
  const found = blocks().find(text => text.startsWith(begin))
  if (!found) throw new Error(`the page of js-son-agent has no code that begins with "${begin}"`)
  return found
}

const { Agent } = JSson

// What an agent is made of: the code, where in it mutants are made, what the arguments of an event are as beliefs.
const room = {
  common: ['const beliefs = {\n  ...Belief(\'door\''],
  event: 'Perceive',
  inputs: { Locked: [false, true], Asked_to_lock: [false, true], Asked_to_unlock: [false, true] },
  update: args => ({
    door: { locked: args.Locked },
    requests: [...(args.Asked_to_lock ? ['lock'] : []), ...(args.Asked_to_unlock ? ['unlock'] : [])]
  }),
  desires: '{}'
}
const upTo = n => Array.from({ length: n + 1 }, (_, i) => i)
// As many announcements; of fewer than none there are none.
const many = (count, announcement) => Array(Math.max(0, count)).fill(announcement)
const spread = {
  common: [],
  event: 'Hear',
  inputs: { Trues: upTo(12), Falses: upTo(12), Own: [false, true] },
  update: args => ({
    keyBelief: args.Own,
    pastReceivedAnnouncements: [...many(args.Trues, true), ...many(args.Falses, false)]
  }),
  code: ['const determinePredominantBelief', 'const plans = [\n  Plan(intentions']
}
const agents = {
  porter: { ...room, code: ['const plansPorter'], plans: 'plansPorter', names: ['Lock', 'Unlock'] },
  paranoid: { ...room, code: ['const plansParanoid'], plans: 'plansParanoid', names: ['Ask', 'Thank'] },
  claustrophobe: { ...room, code: ['const plansClaustrophobe'], plans: 'plansClaustrophobe', names: ['Ask', 'Thank'] },
  introspective: { ...spread, plans: 'plans', desires: 'desiresIntrospective', names: ['Say_true', 'Say_false'] },
  volatile: { ...spread, plans: 'plans', desires: 'desiresVolatile', names: ['Say_true', 'Say_false'] }
}

// The code of an agent without the agents that it makes and what belongs to its neighbour.
function source (it) {
  let text = it.code.map(block).join('\n').replace(/\nconst \w+ = new Agent[\s\S]*$/, '\n')
  const other = { desiresIntrospective: 'desiresVolatile', desiresVolatile: 'desiresIntrospective' }[it.desires]
  if (other) text = text.replace(new RegExp(`const ${other} = \\{[\\s\\S]*?\\n\\}\\n`), '')
  return text
}

// Slips of a hand, one at a time: a sign, a word, a number, a "not".
const slips = [
  [/&&/g, ['||']], [/\|\|/g, ['&&']], [/===/g, ['!==']], [/ >= /g, [' > ', ' < ']], [/ > /g, [' >= ', ' < ']],
  [/!(?=[a-z])/g, ['']], [/'lock'/g, ['\'unlock\'']], [/'unlock'/g, ['\'lock\'']],
  [/\btrue\b/g, ['false']], [/\bfalse\b/g, ['true']], [/\b5\b/g, ['4', '6']], [/beliefs\.keyBelief/g, ['true', 'false']],
  [/\.length/g, ['.length - 1']], [/locking/g, ['unlocking']], [/unlocking/g, ['locking']]
]

function mutants (text) {
  const made = []
  for (const [sign, others] of slips) {
    for (const found of text.matchAll(sign)) {
      for (const other of others) {
        const mutant = text.slice(0, found.index) + other + text.slice(found.index + found[0].length)
        const line = text.slice(0, found.index).split('\n').length
        made.push({ text: mutant, what: `line ${line}: ${found[0].trim()} -> ${other.trim() || 'nothing'}` })
      }
    }
  }
  return made
}

function build (it, text) {
  const code = `const { Belief, Desire, Plan } = JSson\n${it.common.map(block).join('\n')}\n${text}\nreturn [${it.plans}, ${it.desires}]`
  const [plans, desires] = new Function('JSson', code)(JSson) // eslint-disable-line no-new-func
  return { plans, desires }
}

// One turn of the agent: what it looked at, and what it did.
function turn (it, { plans, desires }, args) {
  const contexts = []
  const done = []
  const watched = plans.map((plan, index) => JSson.Plan(
    beliefs => {
      const holds = plan.head(beliefs) === true // what js-son asks for
      contexts.push({ plan: it.names[index], holds })
      return holds
    },
    function (...rest) {
      const actions = plan.body.apply(this, rest)
      done.push({ plan: it.names[index], actions: actions.flatMap(action => Object.entries(action).map(([what, value]) => `${what}: ${value}`)) })
      return actions
    }))
  const agent = new Agent({ id: 'agent', beliefs: it.update(args), desires, plans: watched })
  agent.next(it.update(args))
  return { contexts, done }
}

function answer (it, made, id, asked) {
  const lines = []
  const { contexts, done } = turn(it, made, asked.args)
  for (const { plan, holds } of contexts) lines.push({ id, context: plan, holds })
  for (const { plan, actions } of done) {
    lines.push({ id, started: plan })
    for (const action of actions) lines.push({ id, did: action, by: plan })
    lines.push({ id, ended: plan, ok: true })
  }
  lines.push({ id, finished: 'quiet' })
  return lines
}

function serve (name, number) {
  const it = agents[name]
  const text = source(it)
  const made = build(it, number === undefined ? text : mutants(text)[number].text)
  readline.createInterface({ input: process.stdin }).on('line', line => {
    const { id, hello, case: asked, bye } = JSON.parse(line)
    if (bye) process.exit(0)
    const handles = Object.fromEntries(it.names.map(plan => [plan, it.event]))
    const lines = hello ? [{ id, agent: name, version: JSson.version || '0', handles }] : answer(it, made, id, asked)
    process.stdout.write(lines.map(said => JSON.stringify(said) + '\n').join(''))
  })
}

module.exports = { agents, source, mutants, build, turn }
if (require.main === module) serve(process.argv[2], process.argv[3] === undefined ? undefined : Number(process.argv[3]))
