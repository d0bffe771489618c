// SPDX-License-Identifier: MIT
// Yjs (npm, yjs), unchanged: a text and a map that all processes change at once. Each change is told to all others; now and then a
// process asks another one for what it lacks, so mail may be lost, doubled, late, and come in any order. A change is durable before it
// is told.
'use strict'
const corridor = require('./process.js')
const PACKAGE = 'yjs'
const MEMBERS = ['alpha', 'beta', 'gamma', 'delta']
const FAULTS = {
  last_wins: {
    meaning: 'an element is put where it was wanted, beside whichever others were put there at once',
    file: 'yjs.cjs', from: 'if (o.id.client < this.id.client) {', to: 'if (false) {'
  }
}
let Y

const text = bytes => Buffer.from(bytes).toString('base64')
const bytes = text => new Uint8Array(Buffer.from(text, 'base64'))

corridor.run(class extends corridor.Process {
  static name = 'yjs'
  static version = corridor.version(PACKAGE)
  static meaning = 'a text and a map that all change at once'
  static attributes = { written: 'integer', state: 'integer' }
  static channels = { documents: 'what the document is for whoever knows the same changes' }
  static messages = { update: 'changes', vector: 'what is known: the rest is wanted' }
  static inputs = { change: { meaning: 'letters are inserted or deleted, a member is set or deleted', bytes: 4, weight: 4 } }
  static faults = corridor.meanings(FAULTS)
  static load (fault) { Y = corridor.load(PACKAGE, FAULTS[fault]) }

  start (stored) {
    const life = stored.cells[0] || 0
    this.cell(0, life + 1)
    this.doc = new Y.Doc()
    this.doc.clientID = 1 + this.me + 16 * life // no client makes two changes with one number
    for (const update of stored.writes) Y.applyUpdate(this.doc, bytes(update))
    this.doc.on('update', (update, origin) => {
      this.write(0, text(update))
      if (origin === null) for (let other = 0; other < this.count; other++) if (other !== this.me) this.send(other, 'update', text(update))
    })
    this.written = 0
    this.asked = 0
    if (this.count > 1) setInterval(() => this.send((this.me + 1 + this.asked++ % (this.count - 1)) % this.count, 'vector', text(Y.encodeStateVector(this.doc))), 500)
  }

  receive (from, kind, value) {
    if (kind === 'vector') this.send(from, 'update', text(Y.encodeStateAsUpdate(this.doc, bytes(value))))
    else Y.applyUpdate(this.doc, bytes(value), 'network')
    this.tell('documents', corridor.digest(this.known()), corridor.digest(this.held()))
  }

  input (which, [verb, place, length, value]) {
    const letters = this.doc.getText('text')
    this.doc.transact(() => {
      if (verb % 4 === 0) this.doc.getMap('map').set(MEMBERS[place % 4], value)
      else if (verb % 4 === 1) this.doc.getMap('map').delete(MEMBERS[place % 4])
      else if (verb % 4 === 2 && letters.length) letters.delete(place % letters.length, Math.min(length % 3 + 1, letters.length - place % letters.length))
      else letters.insert(place % (letters.length + 1), String.fromCharCode(97 + value % 26).repeat(length % 3 + 1))
    }, null)
    this.written++
    this.tell('documents', corridor.digest(this.known()), corridor.digest(this.held()))
  }

  // Which changes it knows: all that were made, and what of them is deleted.
  known () {
    const { clients } = Y.snapshot(this.doc).ds
    return [[...this.doc.store.clients.keys()].sort().map(client => [client, Y.getState(this.doc.store, client)]),
      [...clients.keys()].sort().map(client => [client, clients.get(client)])]
  }

  held () {
    const map = this.doc.getMap('map')
    return [this.doc.getText('text').toString(), MEMBERS.map(name => map.has(name) ? map.get(name) : null)]
  }

  observe () { return { written: this.written, state: corridor.digest(this.held()) } }
})
