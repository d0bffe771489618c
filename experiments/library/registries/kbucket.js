// SPDX-License-Identifier: MIT
// Kademlia's buckets (npm, k-bucket), unchanged: whom each process of an overlay knows. Around it is what Kademlia does: who starts asks
// process 0 (that one process 1) and whoever it hears of for those next to itself; each asks somebody now and then, each second time whom it
// knows next to itself, and forgets who does not answer.
'use strict'
const corridor = require('./process.js')
const PACKAGE = 'k-bucket'
const SIZE = 2 // contacts in a bucket
const FAULTS = {
  far_splits: { meaning: 'a full bucket of those that are far is split as well', file: 'k-bucket/index.js', from: 'otherNode.dontSplit = true', to: 'otherNode.dontSplit = false' },
  one_too_many: { meaning: 'a bucket takes one more than it may', file: 'k-bucket/index.js', from: 'node.contacts.length < this.numberOfNodesPerKBucket', to: 'node.contacts.length <= this.numberOfNodesPerKBucket' }
}
let KBucket

const idOf = process => new Uint8Array([process * 37 % 256])

corridor.run(class extends corridor.Process {
  static name = 'k_bucket'
  static version = corridor.version(PACKAGE)
  static meaning = 'an overlay in which everybody knows few'
  static attributes = { peers: 'agents', fullest: 'integer' }
  static messages = { find: 'whom do you know next to me?', found: 'these' }
  static faults = corridor.meanings(FAULTS)
  static load (fault) { KBucket = corridor.load(PACKAGE, FAULTS[fault]) }

  start () {
    this.bucket = new KBucket({ localNodeId: idOf(this.me), numberOfNodesPerKBucket: SIZE, numberOfNodesToPing: 1 })
    this.waiting = new Map() // who has been asked: the timer that forgets him
    this.bucket.on('ping', ([oldest], candidate) => this.ask(oldest.process, () => this.learn(candidate.process)))
    this.first = this.me > 0 ? 0 : 1 // whom to ask when nobody is known
    this.ask(this.first)
    this.turn = 0
    setInterval(() => {
      const known = this.bucket.closest(idOf(this.me))
      const chosen = this.turn++ % 2 ? Math.floor(Math.random() * known.length) : 0
      this.ask(known.length ? known[chosen].process : this.first)
    }, 500)
  }

  learn (process) { if (process !== this.me) this.bucket.add({ id: idOf(process), process }) }

  // Asks somebody; if he does not answer he is forgotten, and `instead` is done.
  ask (process, instead) {
    if (process === this.me || process >= this.count || this.waiting.has(process)) return
    this.send(process, 'find')
    this.waiting.set(process, setTimeout(() => {
      this.waiting.delete(process)
      this.bucket.remove(idOf(process))
      if (instead) instead()
    }, 300))
  }

  receive (from, kind, value) {
    if (kind === 'find') {
      this.send(from, 'found', this.bucket.closest(idOf(from), SIZE + 1).map(({ process }) => process).filter(process => process !== from))
    } else {
      clearTimeout(this.waiting.get(from))
      this.waiting.delete(from)
      for (const process of value) if (!this.bucket.get(idOf(process))) this.ask(process)
    }
    this.learn(from)
  }

  observe () {
    const sizes = []
    for (const nodes = [this.bucket.root]; nodes.length;) {
      const node = nodes.pop()
      if (node.contacts) sizes.push(node.contacts.length)
      else nodes.push(node.left, node.right)
    }
    return { peers: this.bucket.toArray().map(({ process }) => process).sort((a, b) => a - b), fullest: Math.max(...sizes) }
  }
})
