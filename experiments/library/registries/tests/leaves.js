// SPDX-License-Identifier: GPL-3.0-or-later
// Two of @libp2p/gossipsub by hand, without Corridor: what one says comes to the other when it is handed over, line by line. B joins, A hears
// of it and grafts B, B leaves before that comes. Prints whom A keeps, and whom it knows to be there, 30 heartbeats later. With the word
// "mended" A takes who leaves out of its mesh.
'use strict'
const { load } = require('../packages.js')
const TOPIC = 'news'
const HEARTBEAT = 10 // milliseconds
const library = load('@libp2p/gossipsub')
const silent = Object.assign(() => {}, { error () {}, trace () {} })

class Stream extends EventTarget {
  constructor (send) { super(); Object.assign(this, { send, protocol: library.multicodec }) }
  hear (data) { this.dispatchEvent(Object.assign(new Event('message'), { data })) }
  async close () { this.dispatchEvent(new Event('close')) }
}

const later = ticks => new Promise(resolve => setTimeout(resolve, ticks))

async function begin (name) {
  const gossip = library.gossipsub({ heartbeatInterval: HEARTBEAT, globalSignaturePolicy: library.StrictNoSign, tagMeshPeers: false, doPX: false })(
    { registrar: { handle () {}, register () {} }, peerId: name, logger: { forComponent: () => silent } })
  await gossip.start()
  return gossip
}

// A connection of `gossip` to `peer`: what it says waits in `said`; hear() is what the peer says.
async function connect (gossip, peer) {
  const said = []
  const stream = new Stream()
  const newStream = async () => new Stream(bytes => said.push(Buffer.from(bytes.subarray())))
  gossip.onIncomingStream(stream, { remotePeer: { toString: () => peer }, direction: 'outbound', remoteAddr: { getComponents: () => [] }, newStream })
  await later(2)
  return { said, hear: bytes => stream.hear(bytes) }
}

async function main () {
  const [a, b] = [await begin('A'), await begin('B')]
  a.subscribe(TOPIC)
  const plain = a.handleReceivedSubscription.bind(a)
  if (process.argv[2] === 'mended') {
    a.handleReceivedSubscription = (from, topic, subscribe) => {
      if (!subscribe) a.mesh.get(topic)?.delete(from.toString())
      return plain(from, topic, subscribe)
    }
  }
  const [ofA, ofB] = [await connect(a, 'B'), await connect(b, 'A')]
  ofA.said.splice(0) // B has not heard of A yet
  b.subscribe(TOPIC)
  await later(2)
  for (const line of ofB.said.splice(0)) ofA.hear(line) // A hears that B has joined,
  await later(2)
  const wanted = a.getMeshPeers(TOPIC).includes('B') // and grafts it
  b.unsubscribe(TOPIC)
  await later(2)
  for (const line of ofA.said.splice(0)) ofB.hear(line) // to who has left
  for (const line of ofB.said.splice(0)) ofA.hear(line)
  await later(2)
  for (const line of ofB.said.splice(0)) ofA.hear(line) // whatever B answers
  await later(30 * HEARTBEAT)
  console.log(JSON.stringify({ wanted, keeps: a.getMeshPeers(TOPIC), knows: a.getSubscribers(TOPIC).map(String), left: b.getTopics() }))
  process.exit(0)
}

main()
