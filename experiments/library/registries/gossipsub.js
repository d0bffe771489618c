// SPDX-License-Identifier: MIT
// Gossipsub (npm, @libp2p/gossipsub), unchanged: an overlay for a topic, in which everybody keeps few neighbours. Around it are libp2p's
// connections, each of which loses nothing; messages are not signed.
'use strict'
const corridor = require('./process.js')
const PACKAGE = '@libp2p/gossipsub'
const TOPIC = 'news'
const WATCH = process.argv.includes('watched') ? 10000 : 0 // as libp2p's monitor of connections does, where nothing else is said
const FAULTS = {
  keeps_the_link: { meaning: 'who is told that a neighbour took the link out keeps it', plant: gossip => { gossip.handlePrune = async () => {} } },
  takes_out: {
    meaning: 'no fault but a mend: who is heard to have left is taken out of the mesh',
    plant: gossip => {
      const plain = gossip.handleReceivedSubscription.bind(gossip)
      gossip.handleReceivedSubscription = (from, topic, subscribe) => {
        if (!subscribe) gossip.mesh.get(topic)?.delete(from.toString())
        return plain(from, topic, subscribe)
      }
    }
  },
  calls_one: { meaning: 'no fault but a setting: each wants a neighbour whom it called itself (Dout 1)', plant: gossip => { gossip.opts.Dout = 1 } },
  leaves_half: {
    meaning: 'who leaves says so, and keeps its neighbours',
    plant: gossip => { gossip.leave = async topic => { for (const id of gossip.mesh.get(topic) || []) await gossip.sendPrune(id, topic) } }
  }
}
let library

const silent = Object.assign(() => {}, { error () {}, trace () {} })

// A stream of libp2p, as far as gossipsub asks for one: what is sent, or events of what is heard, until it is closed.
class Stream extends EventTarget {
  constructor (send) { super(); Object.assign(this, { send, protocol: library.multicodec }) }
  hear (data) { this.dispatchEvent(Object.assign(new Event('message'), { data })) }
  async close () { this.dispatchEvent(new Event('close')) }
}

corridor.run(class Gossipsub extends corridor.Connected {
  static name = 'gossipsub'
  static version = corridor.version(PACKAGE)
  static meaning = 'an overlay in which everybody keeps few neighbours'
  static turns = 1 // promises that it goes on with
  static attributes = { joined: 'integer', mesh: 'agents', heard: 'integer' }
  static watch = WATCH
  static messages = { ...super.messages, ...(WATCH ? super.watched : {}), rpc: 'subscriptions, messages, and who grafts or prunes whom' }
  static inputs = {
    publish: { meaning: 'a message for all', bytes: 2, weight: 3 },
    change: { meaning: 'it leaves, or joins again', weight: 1 }
  }

  static faults = corridor.meanings(FAULTS)
  static load () { library = corridor.load(PACKAGE) }

  async start (stored) {
    this.heard = 0
    this.streams = [] // by peer: what comes from it
    const registrar = { handle () {}, register () {} }
    this.gossip = library.gossipsub({
      D: 3, Dlo: 2, Dhi: 4, Dscore: 2, Dout: 0, Dlazy: 3, pruneBackoff: 5000, unsubcribeBackoff: 5000, graftFloodThreshold: 1000,
      globalSignaturePolicy: library.StrictNoSign, tagMeshPeers: false, allowPublishToZeroTopicPeers: true,
      ignoreDuplicatePublishError: true, msgIdFn: message => message.data
    })({ registrar, peerId: this.me, logger: { forComponent: () => silent } })
    if (this.fault) FAULTS[this.fault].plant(this.gossip)
    this.gossip.addEventListener('message', () => this.heard++)
    await this.gossip.start()
    this.gossip.subscribe(TOPIC)
    super.start(stored)
  }

  connected (peer, isClient) {
    const remotePeer = { toString: () => String(peer) }
    if (this.streams[peer]) this.gossip.onPeerDisconnected(remotePeer)
    this.streams[peer] = new Stream()
    const newStream = async () => new Stream(bytes => this.say(peer, 'rpc', Buffer.from(bytes.subarray()).toString('base64')))
    const connection = { remotePeer, direction: isClient ? 'outbound' : 'inbound', remoteAddr: { getComponents: () => [] }, newStream }
    this.gossip.onIncomingStream(this.streams[peer], connection)
  }

  hear (from, kind, value) { this.streams[from].hear(Buffer.from(value, 'base64')) }

  input (which, bytes) {
    if (which === 'publish') return this.gossip.publish(TOPIC, Buffer.from([this.me, ...bytes]))
    if (this.gossip.subscriptions.has(TOPIC)) this.gossip.unsubscribe(TOPIC)
    else this.gossip.subscribe(TOPIC)
  }

  observe () {
    return {
      joined: Number(this.gossip.subscriptions.has(TOPIC)),
      mesh: this.gossip.getMeshPeers(TOPIC).map(Number).sort((a, b) => a - b),
      heard: this.heard
    }
  }
})
