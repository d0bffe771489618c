// SPDX-License-Identifier: MIT
// Automerge (npm, @automerge/automerge), unchanged: a document that all processes change at once. Its own protocol brings the copies
// together, over connections that lose nothing. A change is durable when it has been made.
'use strict'
const corridor = require('./process.js')
const PACKAGE = '@automerge/automerge'
const MEMBERS = ['alpha', 'beta', 'gamma', 'delta']
const FAULTS = {
  keeps_sync_state: { meaning: 'a connection that is new goes on with what was known of the peer on the old one' }
}
let Automerge, first

const text = bytes => Buffer.from(bytes).toString('base64')
const bytes = text => new Uint8Array(Buffer.from(text, 'base64'))

corridor.run(class extends corridor.Connected {
  static name = 'automerge'
  static version = corridor.version(PACKAGE)
  static meaning = 'a document that all change at once'
  static turns = 1 // what it no longer needs is taken back when nothing else is to be done
  static attributes = { written: 'integer', state: 'integer' }
  static channels = { documents: 'what the document is for whoever knows the same changes' }
  static messages = { ...super.messages, sync: 'what is known and what is wanted, with changes' }
  static inputs = { change: { meaning: 'a key is set or deleted, an element inserted or deleted, a counter incremented', bytes: 3, weight: 4 } }
  static faults = corridor.meanings(FAULTS)
  static load () {
    Automerge = corridor.load(PACKAGE)
    first = Automerge.save(Automerge.change(Automerge.init('ff'), { time: 0 }, document => {
      Object.assign(document, { map: {}, list: [], counter: new Automerge.Counter(0) })
    }))
  }

  start (stored) {
    const life = stored.cells[0] || 0 // an actor never makes two changes with one number
    this.cell(0, life + 1)
    this.document = Automerge.load(first, { actor: Buffer.from([this.me, life >> 8, life & 255]).toString('hex') })
    this.document = Automerge.applyChanges(this.document, stored.writes.map(bytes))[0]
    this.written = 0
    this.known = [] // by peer: what Automerge knows of it
    super.start(stored)
  }

  connected (peer) {
    if (this.fault !== 'keeps_sync_state' || !this.known[peer]) this.known[peer] = Automerge.initSyncState()
    this.speak()
  }

  hear (from, kind, value) {
    const before = this.document;
    [this.document, this.known[from]] = Automerge.receiveSyncMessage(this.document, this.known[from], bytes(value))
    for (const change of Automerge.getChanges(before, this.document)) this.write(0, text(change))
    this.speak()
  }

  // To each peer what there is to say to it.
  speak () {
    for (const peer of this.peers) {
      if (!this.known[peer]) continue
      let message;
      [this.known[peer], message] = Automerge.generateSyncMessage(this.document, this.known[peer])
      if (message) this.say(peer, 'sync', text(message))
    }
    this.tell('documents', corridor.digest(Automerge.getHeads(this.document).sort()), corridor.digest(this.held()))
  }

  // All that the document says; the order of members means nothing.
  held () {
    const { map, list, counter } = this.document
    return [MEMBERS.map(name => name in map ? map[name] : null), list, counter.value]
  }

  input (which, [verb, place, value]) {
    this.document = Automerge.change(this.document, { time: 0 }, ({ map, list, counter }) => {
      if (verb % 5 === 0) map[MEMBERS[place % 4]] = value
      else if (verb % 5 === 1) delete map[MEMBERS[place % 4]]
      else if (verb % 5 === 2 && list.length) list.deleteAt(place % list.length)
      else if (verb % 5 === 3) counter.increment(value % 7)
      else list.insertAt(place % (list.length + 1), value)
    })
    const change = Automerge.getLastLocalChange(this.document)
    if (!change) return // nothing was there to delete
    this.written++
    this.write(0, text(change))
    this.speak()
  }

  observe () {
    return { written: this.written, state: corridor.digest(this.held()) }
  }
})
