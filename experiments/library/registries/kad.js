// SPDX-License-Identifier: MIT
// Look-ups of Kademlia (npm, @libp2p/kad-dht, unchanged, in the version that is named behind the adapter): whom a look-up calls the closest to
// a key has answered it. Around it are libp2p's connections and streams: a request and an answer, each; who is down does not answer.
'use strict'
const corridor = require('./process.js')
const PACKAGE = process.argv[2] || 'kad-dht-16.2.7'
const PROTOCOL = '/ipfs/kad/1.0.0'
const NAMES = { ids: '@libp2p/peer-id', keys: '@libp2p/crypto', lists: 'uint8arraylist', addresses: '@multiformats/multiaddr' }
let libraries // by name, and who is who

AbortSignal.timeout = ticks => { // a timer of the process that asks
  const controller = new AbortController()
  setTimeout(() => controller.abort(new DOMException('it takes too long', 'TimeoutError')), ticks)
  return controller.signal
}
Promise.withResolvers ??= function () { // node 22
  const made = {}
  made.promise = new this((resolve, reject) => Object.assign(made, { resolve, reject }))
  return made
}
process.on('warning', () => {})
require('events').defaultMaxListeners = 0

const silent = Object.assign(() => {}, { error () {}, trace () {}, enabled: false, newScope: () => silent })

async function load (count) {
  const [library, ids, keys, lists, addresses] = await Promise.all([PACKAGE, ...Object.values(NAMES)].map(async name =>
    import(name === NAMES.keys ? corridor.place(name).replace(/index\.js$/, 'keys/index.js') : corridor.place(name))))
  const who = []
  for (let i = 0; i < count; i++) who.push(ids.peerIdFromPrivateKey(await keys.generateKeyPairFromSeed('Ed25519', Buffer.alloc(32, i + 1))))
  const where = who.map((id, i) => addresses.multiaddr(`/ip4/10.0.0.${i + 1}/tcp/1`))
  return { library, who, where, List: lists.Uint8ArrayList, indexOf: id => who.findIndex(other => other.equals(id)) }
}

// A stream, as far as the package asks for one.
class Stream extends EventTarget {
  constructor (owner, peer, number, direction) {
    super()
    const open = { writeStatus: 'writable', readStatus: 'readable', remoteWriteStatus: 'writable', remoteReadStatus: 'readable' }
    Object.assign(this, open, { owner, peer, number, direction, status: 'open', protocol: PROTOCOL, log: silent, id: String(number) })
    Object.assign(this, { writableNeedsDrain: false, maxReadBufferLength: 1e6, readBufferLength: 0 })
  }

  send (data) {
    this.owner.send(this.peer, 'data', [this.number, this.direction === 'outbound', Buffer.from(data.subarray()).toString('base64')])
    return true
  }

  hear (bytes) { this.dispatchEvent(Object.assign(new Event('message'), { data: new libraries.List(bytes) })) }
  async close () { Object.assign(this, { status: 'closed', writeStatus: 'closed' }).dispatchEvent(new Event('close')) }
  abort (error) { Object.assign(this, { status: 'aborted' }).dispatchEvent(Object.assign(new Event('close'), { error })) }
  pause () {}
  resume () {}
  push () {}
  unshift () {}
  async closeRead () {}
  async onDrain () {}
}

class Kademlia extends corridor.Process {
  static name = 'kad_dht'
  static version = corridor.version(PACKAGE)
  static meaning = 'processes look up who is the closest to a key'
  static turns = 30
  static attributes = { peers: 'agents', closest: 'agents', unheard: 'integer', looked: 'integer' }
  static messages = { data: 'of a stream' }
  static inputs = { find: { meaning: 'who is the closest to a key', bytes: 4 } }

  async start () {
    const { who, where, indexOf, library } = libraries
    Object.assign(this, { streams: new Map(), next: this.now + 1, closest: [], unheard: 0, looked: 0 })
    const peer = id => {
      const address = where[indexOf(id)]
      return { id, addresses: [{ multiaddr: address }], multiaddrs: [address], protocols: [PROTOCOL], metadata: new Map(), tags: new Map() }
    }
    const stored = new Map()
    this.kad = library.kadDHT({ clientMode: false, protocol: PROTOCOL, allowQueryWithZeroPeers: true, kBucketSize: 3, peerInfoMapper: one => one })({
      peerId: who[this.me],
      logger: { forComponent: () => silent },
      events: new EventTarget(),
      ping: { ping: async () => 1 },
      addressManager: { getAddresses: () => [] },
      registrar: {
        handle: async (name, handler) => { this.handler = handler },
        unhandle: async () => {},
        register: async (name, topology) => { this.topology = topology },
        unregister () {}
      },
      datastore: {
        put: async (key, value) => stored.set(key.toString(), value),
        get: async key => stored.get(key.toString()),
        has: async key => stored.has(key.toString()),
        async * query () {}
      },
      peerStore: { get: async id => peer(id), merge: async () => {}, getInfo: async id => peer(id), all: async () => [], has: async () => true },
      connectionManager: { isDialable: async () => true, getConnections: () => [], openStream: async id => this.open(indexOf(id)) }
    })
    await this.kad.start()
    for (let other = 0; other < this.count; other++) if (other !== this.me) this.topology.onConnect(who[other])
  }

  open (other) {
    if (other === this.me) throw new Error('it calls itself') // as libp2p does
    const stream = new Stream(this, other, this.next++, 'outbound')
    this.streams.set(`o${other}/${stream.number}`, stream)
    return stream
  }

  receive (from, kind, [number, isAsked, data]) {
    const name = `${isAsked ? 'i' : 'o'}${from}/${number}`
    if (isAsked && !this.streams.has(name)) {
      const stream = new Stream(this, from, number, 'inbound')
      this.streams.set(name, stream)
      const connection = { remotePeer: libraries.who[from], remoteAddr: libraries.where[from], log: silent }
      Promise.resolve(this.handler(stream, connection)).catch(error => stream.abort(error))
    }
    this.streams.get(name)?.hear(Buffer.from(data, 'base64'))
  }

  async input (which, bytes) {
    const [answered, named] = [new Set(), new Set()]
    for await (const event of this.kad.getClosestPeers(bytes)) {
      if (event.name === 'PEER_RESPONSE') answered.add(libraries.indexOf(event.from))
      if (event.name === 'FINAL_PEER') named.add(libraries.indexOf(event.peer.id))
    }
    this.closest = [...named].sort((one, other) => one - other)
    this.unheard = this.closest.filter(one => one !== this.me && !answered.has(one)).length
    this.looked++
  }

  observe () {
    const peers = [...this.kad.routingTable.kb.toIterable()].map(one => libraries.indexOf(one.peerId)).sort((one, other) => one - other)
    return { peers, closest: this.closest, unheard: this.unheard, looked: this.looked }
  }
}

load(16).then(made => { // before the first process is called: what is drawn meanwhile is nobody's
  libraries = made
  corridor.run(Kademlia)
})
