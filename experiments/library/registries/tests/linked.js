// SPDX-License-Identifier: MIT
// Processes with connections, which greet whom they have one to: for test_process_js.py. With the fault "watched" connections are watched.
'use strict'
const corridor = require('../process.js')

corridor.run(class Linked extends corridor.Connected {
  static name = 'linked'
  static attributes = { heard: 'integer' }
  static messages = { ...super.messages, ...super.watched, hello: '' }
  static faults = ['watched']
  static load (fault) { Linked.watch = fault ? 10 : 0 }
  start (stored) {
    this.heard = 0
    super.start(stored)
  }

  connected (peer) {
    this.said(`greets ${peer}`)
    this.say(peer, 'hello', this.me)
  }

  hear (from, kind, value) { this.heard = value + 10 }
  observe () { return { heard: this.heard } }
})
