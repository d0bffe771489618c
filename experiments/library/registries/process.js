// SPDX-License-Identifier: MIT
// Distributed programs under test in JavaScript, for `corridor run` and an experiment with "process": what corridor_process.py is for
// Python. A program keeps its own clock, timers and random numbers: Date, performance.now, process.hrtime, timers (setImmediate: one of 1
// tick), Math.random and the random bytes of crypto are the host's, those of the process that is called. Keys that are made, what an Event or
// Intl takes the time to be, files, the network and threads are the machine's: what looks at them does not come out the same twice.
// A method may return a promise: what it waits for is a timer of its own, or something of the machine that is waited for within the call.
// docs/look-up/process-programs.md has the lines that are said. To be loaded before what is tested.
//
//   const corridor = require('./process.js')
//   corridor.run(class Echo extends corridor.Process {
//     static name = 'echo'
//     static attributes = { heard: 'integer' }
//     static messages = { ping: 'asks for nothing' }
//     start () { this.heard = 0; setInterval(() => this.send((this.me + 1) % this.count, 'ping'), 100) }
//     receive (from, kind, value) { this.heard++ }
//     observe () { return { heard: this.heard } }
//   })
'use strict'
const crypto = require('crypto')
const fs = require('fs')
const util = require('util')
const packages = require('./packages.js')

const EPOCH = 1e9 // milliseconds, at tick 0: programs take the time 0 for none
const real = { setImmediate }
let called = null // the process that is called

// A whole number of 48 bits that stands for a value: its text, or what JSON says of it, by SHA-256.
function digest (value) {
  return parseInt(crypto.createHash('sha256').update(typeof value === 'string' ? value : JSON.stringify(value)).digest('hex').slice(0, 12), 16)
}

class Process {
  start (stored) {}
  receive (from, kind, value) {}
  completed (ticket, ok) {}
  input (which, bytes) {}
  observe () { return {} }

  send (to, kind, value) { this.did.push({ send: to, kind, value }) }
  cell (which, value) { this.did.push({ cell: which, value }) }
  write (ticket, value) { this.did.push({ write: ticket, value }) }
  tell (channel, index, value) { this.did.push({ tell: channel, index, value }) }
  // A client calls an operation on the object of a history; one that neither returns nor fails took effect at any time after it was made, or never.
  call (history, op, key, value) {
    const id = this.calls = (this.calls ?? -1) + 1
    const given = values => Object.fromEntries(Object.entries(values).filter(([, value]) => value != null))
    this.did.push({ call: history, op, id, ...given({ key, value }) })
    return { returns: value => this.did.push({ return: id, ...given({ value }) }), failed: () => this.did.push({ failed: id }) }
  }

  complain (sentence) { this.did.push({ complain: sentence }) }
  said (sentence) { this.did.push({ said: sentence }) } // what the present call is about, for people: the story says it beside the event

  // Timers are all behind alarm 0, which is due when the first of them is.
  add (call, ticks, repeats, values) {
    if (typeof call !== 'function') throw new TypeError(`a timer calls a function, not ${util.inspect(call)}`)
    const wait = ticks >= 1 && ticks < 2 ** 31 ? Math.ceil(ticks) : 1 // as node does
    const timer = { due: this.now + wait, every: repeats ? wait : 0, run: () => call(...values) }
    timer.unref = timer.ref = () => timer
    timer.hasRef = () => true
    timer.close = () => take(timer)
    timer.refresh = () => {
      take(timer)
      this.timers.push(timer)
      return Object.assign(timer, { due: this.now + wait })
    }
    this.timers.push(timer)
    return timer
  }

  alarm () {
    for (const timer of this.timers.filter(one => one.due <= this.now).sort((one, other) => one.due - other.due)) {
      if (!this.timers.includes(timer)) continue // taken back by another
      if (timer.every) timer.due = this.now + timer.every
      else this.timers = this.timers.filter(one => one !== timer)
      timer.run()
    }
    this.due = null
  }

  wind () {
    const due = this.timers.length ? Math.min(...this.timers.map(timer => timer.due)) : null
    if (due !== this.due) this.did.push({ alarm: 0, in: due === null ? null : Math.max(1, due - this.now) })
    this.due = due
  }
}

// A process that has a connection to each other one, which loses nothing and has a number: after a crash there is another one, and what
// comes on an older one is dropped, as TCP does. connected() is called on both sides, hear() for what was said.
// Nothing of what goes over the connections of one run finds one broken. Where that may be otherwise (corridor stabilize), `watch` is so many
// ticks: what is said is numbered then, each connection is asked so often whether it is alive, and where it is not there is another one.
class Connected extends Process {
  static messages = { open: 'a connection is wanted', opened: 'it is there' }
  static watched = { ping: 'is the connection alive?', pong: 'it is' } // messages besides, where it is
  static watch = 0

  connected (peer, isClient) {}
  hear (from, kind, value) {}
  open (peer) { this.send(peer, 'open', this.wanted[peer] = this.now * 16 + this.me) }

  start (stored) {
    this.connections = [] // by peer: its number
    this.wanted = [] // by peer: the number that was asked for
    this.peers = Array.from({ length: this.count }, (_, peer) => peer).filter(peer => peer !== this.me)
    for (const peer of this.peers) this.open(peer)
    if (this.constructor.watch === 0) return
    Object.assign(this, { spoken: [], next: [], alive: [] }) // by peer: how much was said, the number of what comes next, has it spoken since?
    setInterval(() => this.peers.forEach(peer => this.look(peer)), this.constructor.watch)
  }

  look (peer) {
    if (this.alive[peer]) this.say(peer, 'ping')
    else this.open(peer)
    this.alive[peer] = false
  }

  say (to, kind, value) { this.send(to, kind, this.spoken ? [this.connections[to], value, this.spoken[to]++] : [this.connections[to], value]) }

  receive (from, kind, value) {
    if (kind === 'open' || kind === 'opened') {
      const wanted = this.wanted[from]
      if (kind === 'open' ? wanted > value : wanted !== value) return // both asked: the later one is it
      if (kind === 'open') this.send(from, 'opened', value)
      this.wanted[from] = null
      this.connections[from] = value
      if (this.spoken) [this.spoken[from], this.next[from], this.alive[from]] = [0, 0, true]
      return this.connected(from, kind === 'opened')
    }
    if (this.connections[from] !== value[0] || (this.spoken && this.next[from] !== value[2])) return
    if (this.spoken) [this.next[from], this.alive[from]] = [value[2] + 1, true]
    if (kind === 'ping') this.say(from, 'pong')
    else if (kind !== 'pong') this.hear(from, kind, value[1])
  }
}

// Outcomes of which each is equally likely: what a rule may return in the place of new values.
class Chance {
  constructor (outcomes) { this.outcomes = [...outcomes] }
}

const ofMessages = name => () => { throw new TypeError(`a rule is a function of what it sees, and ${name} is of programs with messages (corridor.Process)`) }

// What a program without messages derives its own from, for `corridor stabilize`: a process reads its neighbours' variables, and has a rule.
// An object of the class is a process (me, count, fault, neighbours); keep nothing in it: what it remembers are its variables.
class Rules {
  // What may hold anything after a fault, each with its values: { name: corridor.range(5), or a list of numbers or words }.
  variables () { throw new Error('the class has no method variables()') }
  // Whose variables the rule gets, in this order.
  reads () { return this.neighbours }
  // From this process's variables and those that it reads: null, nothing is to do; new values of some variables; corridor.chance([..]); or a
  // list of these, of which any may come.
  rule (...near) { throw new Error('the class has no method rule()') }
  random () { return ofMessages('a random number')() }
  add () { return ofMessages('a timer')() }
  get now () { return ofMessages('the clock')() }
}
for (const name of ['send', 'cell', 'write', 'tell', 'call', 'said', 'complain']) Rules.prototype[name] = ofMessages(`${name}()`)

const range = (from, below) => below === undefined ? { from: 0, below: from } : { from, below }

function take (timer) { if (called) called.timers = called.timers.filter(one => one !== timer) }

function add (call, ticks, repeats, values) {
  if (!called) throw new Error('a timer is set before a process is started')
  return called.add(call, ticks, repeats, values)
}

function borrowTimers () {
  const later = (ticks, value) => new Promise(resolve => add(resolve, ticks, false, [value]))
  const soon = value => later(0, value)
  const timers = {
    setTimeout: (call, ticks, ...values) => add(call, ticks, false, values),
    setInterval: (call, ticks, ...values) => add(call, ticks, true, values),
    setImmediate: (call, ...values) => add(call, 0, false, values),
    clearTimeout: take,
    clearInterval: take,
    clearImmediate: take
  }
  timers.setTimeout[util.promisify.custom] = later
  timers.setImmediate[util.promisify.custom] = soon
  for (const holder of [globalThis, require('timers')]) Object.assign(holder, timers)
  const setInterval = async function * (ticks, value) { for (;;) yield later(ticks, value) }
  Object.assign(require('timers/promises'), { setTimeout: later, setImmediate: soon, setInterval })
}

function borrowClock () {
  const now = () => called ? called.now : 0 // milliseconds
  const define = (holder, name, value) => Object.defineProperty(holder, name, { value, configurable: true, writable: true })
  process.env.TZ = 'UTC'
  Date.now = () => EPOCH + now()
  globalThis.Date = Date.prototype.constructor = new Proxy(Date, {
    construct: (of, values, made) => Reflect.construct(of, values.length ? values : [Date.now()], made),
    apply: () => new Date().toString()
  })
  define(performance, 'now', now)
  define(performance, 'timeOrigin', EPOCH)
  const nanoseconds = () => BigInt(now()) * 1000000n
  const hrtime = before => [now() / 1000, now() % 1000 * 1e6].map(Math.floor).map((part, i) => part - (before ? before[i] : 0))
  const carried = ([seconds, rest]) => rest < 0 ? [seconds - 1, rest + 1e9] : [seconds, rest]
  process.hrtime = Object.assign(before => carried(hrtime(before)), { bigint: nanoseconds })
  process.uptime = () => now() / 1000
}

// Random bytes of the process that is called; what a package draws while it is loaded is the same each time.
function borrowRandom () {
  const loading = packages.generator('0x1')
  const draw = () => called ? called.random() : loading()
  const fill = (values, from = 0, count = values.length - from) => {
    const unit = values.BYTES_PER_ELEMENT || 1
    const bytes = ArrayBuffer.isView(values) ? new Uint8Array(values.buffer, values.byteOffset, values.byteLength) : new Uint8Array(values)
    const end = Number.isFinite(count) ? (from + count) * unit : bytes.length
    for (let i = from * unit; i < end; i++) bytes[i] = draw()
    return values
  }
  const answer = (value, call) => call ? process.nextTick(call, null, value) : value
  const randomBytes = (size, call) => answer(fill(Buffer.alloc(size)), call)
  const randomUUID = () => {
    const bytes = fill(Buffer.alloc(16))
    bytes[6] = (bytes[6] & 15) | 64
    bytes[8] = (bytes[8] & 63) | 128
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }
  const randomInt = (...given) => {
    const call = typeof given[given.length - 1] === 'function' ? given.pop() : null
    const [least, end] = given.length > 1 ? given : [0, given[0]]
    return answer(least + Math.floor((draw() * 65536 + (draw() >>> 16)) / 2 ** 48 * (end - least)), call)
  }
  const randomFill = (values, ...given) => answer(fill(values, ...given.slice(0, -1)), given[given.length - 1])
  const own = { randomBytes, pseudoRandomBytes: randomBytes, randomUUID, randomInt, randomFill, randomFillSync: fill }
  Math.random = () => called ? called.random() / 0x100000000 : 0.5
  for (const [name, value] of Object.entries(own)) Object.defineProperty(crypto, name, { value, configurable: true, enumerable: true, writable: true })
  for (const [name, value] of Object.entries({ randomUUID, getRandomValues: values => fill(values) })) Object.defineProperty(crypto.webcrypto, name, { value, configurable: true })
}

function borrow () {
  borrowTimers()
  borrowClock()
  borrowRandom()
  Object.defineProperty(process, 'stdin', { value: {} }) // to look at it, or at the other, would make both non-blocking
  Object.defineProperty(process, 'stdout', { get: () => process.stderr }) // that is the conversation's
  require('module').syncBuiltinESMExports()
}

// An exception with the line of the program that threw it.
function sentence (problem) {
  const frames = String(problem?.stack || '').split('\n').filter(line => /^\s*at /.test(line) && !line.includes('node:') && !line.includes(__filename))
  const place = /([^/(\s]+:\d+):\d+\)?$/.exec(frames[0] || '')
  const said = problem instanceof Error ? `${problem.name}: ${problem.message}` : `thrown: ${util.inspect(problem)}`
  return Buffer.from(`${said}${place ? ` (${place[1]})` : ''}`.replaceAll('\0', ' ')).toString() // half a character is none
}

class Host {
  constructor (kind) {
    Object.assign(this, { kind, processes: [], count: 1, fault: null, problems: [], emptied: () => {} }) // problems: of the call, and beside it
    for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, problem => this.problems.push(problem))
    process.on('beforeExit', () => this.emptied()) // node has nothing to wait for
  }

  hello (asked) {
    const { name, version, meaning, attributes, channels, messages, inputs, faults } = this.kind
    this.count = asked.count || 1
    this.fault = asked.fault || null
    if (asked.count && this.kind.load) this.kind.load(this.fault)
    return { process: name, version, meaning, attributes, channels, messages, inputs, faults, alarms: { timer: 'a timer of the program' } }
  }

  call (line) {
    const verb = ['start', 'receive', 'alarm', 'completed', 'input'].find(verb => verb in line)
    const me = line[verb]
    if (verb === 'start') {
      called = this.processes[me] = Object.assign(new this.kind(), { me, count: this.count, fault: this.fault, timers: [], due: null, shown: {} })
      called.random = packages.generator(line.seed)
      called.there = line.there ?? Array.from({ length: this.count }, (_, process) => process) // who is there as it starts
    }
    called = this.processes[me]
    Object.assign(called, { did: [], now: line.now })
    if (verb === 'start') {
      const writes = line.writes.filter(one => 'value' in one) // what was torn is none
      return called.start({ cells: Object.fromEntries(line.cells.map(one => [one.cell, one.value])), writes: writes.map(one => one.value) })
    }
    if (verb === 'receive') return called.receive(line.from, line.kind, line.value)
    if (verb === 'completed') return called.completed(line.ticket, line.ok)
    if (verb === 'input') return called.input(line.which, Buffer.from(line.bytes || '', 'hex'))
    return called.alarm()
  }

  // What the last call did, and which attributes have changed.
  outcome () {
    called.wind()
    const shows = {}
    const values = called.observe()
    if (!values) throw new TypeError('observe() returns no values')
    for (const [name, value] of Object.entries(values)) {
      const text = JSON.stringify(value)
      if (called.shown[name] !== text) [called.shown[name], shows[name]] = [text, value]
    }
    return { did: called.did, shows }
  }

  // Carries out a call, and what it goes on with: the promise that the method returns, unless it waits for a timer.
  async settle (line) {
    const turn = () => new Promise(real.setImmediate)
    let goesOn = true
    const whole = (async () => this.call(line))().catch(problem => this.problems.push(problem)).then(() => { goesOn = false })
    for (let turns = this.kind.turns || 1; turns > 0; turns--) await turn()
    if (goesOn) await Promise.race([whole, new Promise(resolve => { this.emptied = resolve })]).then(turn)
  }

  async answer (line) {
    const said = { id: line.id }
    if (line.hello) return JSON.stringify({ ...said, ...this.hello(line.hello) })
    this.problems.length = 0
    await this.settle(line)
    try {
      const outcome = this.problems.length ? null : this.outcome()
      await new Promise(real.setImmediate) // node tells then whether a promise of observe() has failed
      if (!this.problems.length) return JSON.stringify({ ...said, ...outcome })
    } catch (problem) {
      this.problems.push(problem)
    }
    return JSON.stringify({ ...said, failed: sentence(this.problems[0]) })
  }
}

// All processes of a program of rules.
class RulesHost extends Host {
  hello (asked) {
    const { name, version, meaning, faults } = this.kind
    Object.assign(this, { count: asked.count || 1, fault: asked.fault || null })
    return { process: name, version: version || '1', rules: true, meaning, faults: faults || {} }
  }

  start (line) {
    const { count, fault } = this
    called = this.processes[line.start] = Object.assign(new this.kind(), { me: line.start, count, fault, neighbours: line.neighbours })
    const variables = called.variables()
    for (const name of Object.keys(variables)) { // these become fields of the process
      if (['me', 'count', 'fault', 'neighbours'].includes(name) || name in this.kind.prototype) throw new TypeError(`a variable is called ${name}, which the class has in another use`)
    }
    return { variables, reads: called.reads() }
  }

  rule (line) {
    called = Object.assign(this.processes[line.rule], line.own)
    const whole = values => {
      if (values === null || Object.getPrototypeOf(values) !== Object.prototype) {
        throw new TypeError(`a rule returns new values by their names, null, or a list, and not ${util.inspect(values)}`)
      }
      return { ...line.own, ...values }
    }
    try {
      const peers = called.reads()
      const said = called.rule(...line.near.map((values, i) => ({ me: peers[i], ...values }))) ?? []
      return { next: (Array.isArray(said) ? said : [said]).map(row => row instanceof Chance ? { chance: row.outcomes.map(whole) } : whole(row)) }
    } finally { // what it set is none of the next view's
      for (const name of Object.keys(line.own)) delete called[name]
    }
  }

  async answer (line) {
    const said = { id: line.id }
    if (line.hello) return JSON.stringify({ ...said, ...this.hello(line.hello) })
    try {
      return JSON.stringify({ ...said, ...('start' in line ? this.start(line) : this.rule(line)) })
    } catch (problem) {
      const at = 'start' in line ? `variables of process ${line.start}` : `rule of process ${line.rule}`
      return JSON.stringify({ ...said, failed: `in the ${at}: ${sentence(problem)}` })
    }
  }
}

async function converse (host) {
  for (const line of packages.lines()) {
    if (line.bye) break
    fs.writeSync(1, await host.answer(line) + '\n')
  }
}

function run (kind) {
  converse(new (kind.prototype instanceof Rules ? RulesHost : Host)(kind)).catch(problem => { // a hello that fails
    console.error(problem)
    process.exit(1)
  })
}

borrow() // whoever is loaded later and keeps one of these keeps the host's

module.exports = { Process, Connected, Rules, range, chance: outcomes => new Chance(outcomes), run, digest, ...packages }
