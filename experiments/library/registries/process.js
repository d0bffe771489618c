// SPDX-License-Identifier: MIT
// Distributed programs under test in JavaScript, for `corridor run` and an experiment with "process": what corridor_process.py is for
// Python. A program keeps its own clock, timers and random numbers: Date.now, setTimeout, setInterval and Math.random are the host's,
// those of the process that is called. docs/look-up/process-programs.md has the lines that are said.
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
const packages = require('./packages.js')

const EPOCH = 1e9 // milliseconds, at tick 0: programs take the time 0 for none
const real = { setImmediate }
let called = null // the process that is called

// Numbers of 32 bits by a seed of 64, given as hexadecimal digits (sfc32, PractRand).
function generator (seed) {
  let [a, b, c, count] = [parseInt(seed.slice(-8), 16), parseInt(seed.slice(2, -8) || '0', 16), 0x9e3779b9, 1]
  const next = () => {
    const sum = (a + b + count++) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21 | c >>> 11) + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round++) next()
  return next
}

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
  complain (sentence) { this.did.push({ complain: sentence }) }

  // Timers are all behind alarm 0, which is due when the first of them is.
  add (call, ticks, every, values) {
    const timer = { due: this.now + Math.max(1, Math.ceil(ticks || 0)), every, run: () => call(...values) }
    timer.unref = timer.ref = () => timer
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
class Connected extends Process {
  static messages = { open: 'a connection is wanted', opened: 'it is there' }

  connected (peer, isClient) {}
  hear (from, kind, value) {}

  start (stored) {
    this.connections = [] // by peer: its number
    this.wanted = [] // by peer: the number that was asked for
    this.peers = Array.from({ length: this.count }, (_, peer) => peer).filter(peer => peer !== this.me)
    for (const peer of this.peers) this.send(peer, 'open', this.wanted[peer] = this.now * 16 + this.me)
  }

  say (to, kind, value) { this.send(to, kind, [this.connections[to], value]) }

  receive (from, kind, value) {
    if (kind === 'open' || kind === 'opened') {
      const wanted = this.wanted[from]
      if (kind === 'open' ? wanted > value : wanted !== value) return // both asked: the later one is it
      if (kind === 'open') this.send(from, 'opened', value)
      this.wanted[from] = null
      this.connections[from] = value
      return this.connected(from, kind === 'opened')
    }
    if (this.connections[from] === value[0]) this.hear(from, kind, value[1])
  }
}

function take (timer) { if (called) called.timers = called.timers.filter(one => one !== timer) }

function borrow () {
  Date.now = () => EPOCH + (called ? called.now : 0)
  Math.random = () => called ? called.random() / 0x100000000 : 0.5
  globalThis.setTimeout = (call, ticks, ...values) => called.add(call, ticks, 0, values)
  globalThis.setInterval = (call, ticks, ...values) => called.add(call, ticks, Math.max(1, ticks || 0), values)
  globalThis.clearTimeout = globalThis.clearInterval = take
  console.log = console.error // standard output is the conversation's
  for (const name of ['stdin', 'stdout']) Object.defineProperty(process, name, { value: {} }) // to look at them would make both non-blocking
}

class Host {
  constructor (kind) { Object.assign(this, { kind, processes: [], count: 1, fault: null }) }

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
      called.random = generator(line.seed)
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
    for (const [name, value] of Object.entries(called.observe())) {
      const text = JSON.stringify(value)
      if (called.shown[name] !== text) [called.shown[name], shows[name]] = [text, value]
    }
    return { did: called.did, shows }
  }

  async answer (line) {
    if (line.hello) return this.hello(line.hello)
    try {
      await this.call(line)
      for (let turn = 0; turn < (this.kind.turns || 0); turn++) await new Promise(real.setImmediate) // promises that it goes on with
      return this.outcome()
    } catch (problem) {
      const place = /\(?([^/(\s]+:\d+):\d+\)?$/m.exec(problem.stack || '')
      return { failed: `${problem.name}: ${problem.message}${place ? ` (${place[1]})` : ''}` }
    }
  }
}

async function run (kind) {
  borrow()
  const host = new Host(kind)
  for (const line of packages.lines()) {
    if (line.bye) break
    fs.writeSync(1, JSON.stringify({ id: line.id, ...await host.answer(line) }) + '\n')
  }
}

module.exports = { Process, Connected, run, generator, digest, ...packages }
