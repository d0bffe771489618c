// SPDX-License-Identifier: MIT
// Epidemic broadcast trees (npm, epidemic-broadcast-trees), unchanged: each process has a feed, and all are to have all feeds. What a
// process writes is durable before it is told to the library.
'use strict'
const corridor = require('./process.js')
const PACKAGE = 'epidemic-broadcast-trees'
const FAULTS = {
  never_retrieves: {
    meaning: 'who is ahead of a peer that asks does not look up what it lacks',
    file: 'epidemic-broadcast-trees/events.js', from: 'if (tx) peer.retrive.push(id)', to: 'if (tx) {}'
  }
}
let EBT

corridor.run(class Ebt extends corridor.Connected {
  static name = 'epidemic_broadcast_trees'
  static version = corridor.version(PACKAGE)
  static meaning = 'feeds that all processes are to have, over a tree that grows out of gossip'
  static attributes = { written: 'integer', messages: 'integer', state: 'integer' }
  static channels = { feeds: 'what stands in a feed: 16 * its sequence + its author' }
  static messages = { ...super.messages, notes: 'who has how much of which feed', message: 'of a feed' }
  static inputs = { append: { meaning: 'a message in its own feed', bytes: 2, weight: 4 } }
  static faults = corridor.meanings(FAULTS)
  static load (fault) { EBT = corridor.load(PACKAGE, FAULTS[fault]) }

  start (stored) {
    this.feeds = Array.from({ length: this.count }, () => [])
    this.streams = [] // by peer
    this.clocks = {} // by peer: what it was known to have
    this.pending = [] // messages of its own that are not durable yet
    this.ebt = EBT({
      id: String(this.me),
      getClock: (id, done) => done(null, this.clocks[id] || {}),
      setClock: (id, clock) => { this.clocks[id] = { ...clock } },
      getAt: ({ id, sequence }, done) => {
        const message = this.feeds[id][sequence - 1]
        done(message ? null : new Error('not found'), message)
      },
      append: (message, done) => {
        if (message.sequence !== this.feeds[message.author].length + 1) return done(new Error('out of order'))
        this.write(0, message)
        this.keep(message)
        done()
      }
    })
    for (const message of stored.writes) this.keep(message)
    for (let feed = 0; feed < this.count; feed++) this.ebt.request(String(feed), true)
    super.start(stored)
  }

  keep (message) {
    this.feeds[message.author].push(message)
    this.tell('feeds', 16 * message.sequence + Number(message.author), message.content)
    this.ebt.onAppend(message)
  }

  connected (peer, isClient) {
    const stream = this.streams[peer] = this.ebt.createStream(String(peer), 3, isClient)
    stream.pipe({ paused: false, write: value => this.say(peer, value.author ? 'message' : 'notes', value), end () {} })
  }

  hear (from, kind, value) { this.streams[from].write(value) }

  input (which, bytes) {
    const sequence = this.feeds[this.me].length + this.pending.length + 1
    this.pending.push({ author: String(this.me), sequence, content: bytes.toString('hex') })
    this.write(1, this.pending.at(-1))
  }

  completed (ticket, ok) { if (ticket === 1) this.keep(this.pending.shift()) } // the disk writes in order

  observe () {
    const lengths = this.feeds.map(feed => feed.length)
    return { written: lengths[this.me], messages: lengths.reduce((sum, length) => sum + length, 0), state: corridor.digest(lengths) }
  }
})
