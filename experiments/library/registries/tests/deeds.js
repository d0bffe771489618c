// SPDX-License-Identifier: MIT
// A program that does what its input is called, and tells what it sees: for test_process_js.py.
'use strict'
const corridor = require('../process.js')
const crypto = require('crypto')
const util = require('util')
const later = require('timers/promises').setTimeout

const deeds = {
  times: p => p.says([Date.now(), new Date().getTime(), new Date(5).getTime(), new Date() instanceof Date, Date().slice(0, 24), performance.now(),
    performance.timeOrigin, process.hrtime(), Number(process.hrtime.bigint()), process.uptime(), new Date().getTimezoneOffset()]),
  chances: p => p.says([Math.random(), crypto.randomBytes(4).toString('hex'), crypto.randomUUID(), globalThis.crypto.randomUUID(), crypto.randomInt(9, 1e6),
    [...globalThis.crypto.getRandomValues(new Uint16Array(3))], [...crypto.getRandomValues(new Uint8Array(3))],
    [...crypto.randomFillSync(Buffer.alloc(4), 1, 2)]]),
  waits: p => { for (const ticks of [5, 2.5, '7', 'soon', NaN, -1, 0, Infinity, 2 ** 31, undefined]) setTimeout(() => p.says(String(ticks)), ticks) },
  repeats: p => { setInterval(() => p.says('again'), 2.5) },
  takes_back: p => { for (const timer of [setTimeout(() => p.says('no'), 5), setInterval(() => p.says('no'), 5), setImmediate(() => p.says('no'))]) clearTimeout(timer) },
  refreshes: p => { setTimeout(timer => timer.refresh(), 3, setTimeout(() => p.says('late'), 5)) },
  immediate: p => { setImmediate(() => p.says('then')) },
  module: p => { require('timers').setTimeout(() => p.says('then'), 4) },
  chain: p => { (async () => { for (let i = 0; i < 20; i++) await null; p.says('then') })() },
  next: p => { process.nextTick(() => queueMicrotask(() => p.says('then'))) },
  sleeps: async p => { p.says('first'); await later(4, 'then').then(said => p.says(said)); await util.promisify(setTimeout)(3); throw new Error('in the end') },
  reads: async p => { await require('fs').promises.readFile(__filename); p.says('then') },
  never: () => new Promise(() => {}),
  word: () => { throw 'a word' }, // eslint-disable-line no-throw-literal
  beside: () => { Promise.reject(new Error('beside')) },
  circle: p => { const circle = []; circle.push(circle); p.says(circle) },
  calls_nothing: () => { setTimeout('a word', 5) },
  shows_nothing: p => { p.observe = () => undefined },
  prints: p => { console.log('a'); console.info('b'); process.stdout.write('c\n'); p.says('then') }
}

corridor.run(class extends corridor.Process {
  static name = 'deeds'
  static attributes = { said: 'integer' }
  static messages = { said: '' }
  static inputs = Object.keys(deeds)
  static faults = ['cannot_load']
  static load (fault) { if (fault) throw new Error('cannot be loaded') }
  start () { this.count_said = 0 }
  says (value) { this.count_said++; this.send(0, 'said', value) }
  input (deed) { return deeds[deed](this) }
  observe () { return { said: this.count_said } }
})
