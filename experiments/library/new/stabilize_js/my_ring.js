// SPDX-License-Identifier: MIT
// Dijkstra's first ring (CACM 17(11), 1974): the privilege goes round, and from any values it becomes one.
'use strict'
const corridor = require('./process.js')

corridor.run(class Ring extends corridor.Rules { // no messages: a process reads its neighbours' variables
  static name = 'my_ring'
  static faults = { few: 'two values less than there are processes' }

  values () { return this.fault === 'few' ? this.count - 2 : this.count }

  variables () { return { x: corridor.range(this.values()) } } // what may hold anything: each with its values

  reads () { return [(this.me - 1 + this.count) % this.count] } // or this.neighbours, where the file names a graph

  rule (left) { // null: nothing to do; new values; or a list: any of them may come
    if (this.me === 0) return this.x === left.x ? { x: (this.x + 1) % this.values() } : null
    return this.x !== left.x ? { x: left.x } : null
  }
})
