// SPDX-License-Identifier: MIT
// Who is alive, by gossip (happn-swim of npm, unchanged): SWIM, Das, Gupta and Motivala, 2002. A stand-in takes the place of the UDP sockets.
'use strict'
const dgram = require('dgram')
const events = require('events')
const corridor = require('./process.js')

const PACKAGE = 'happn-swim'
const OPTIONS = { joinTimeout: 100, interval: 100, pingTimeout: 20, pingReqTimeout: 60, pingReqGroupSize: 2 }
const MEMBERSHIP = 'happn-swim/lib/membership.js'
const FAULTS = { // of those that call the dead, too, each would be sound without its change
  never_refutes: {
    meaning: 'who hears that he is held for dead does not say that he lives; the dead are called',
    calls: true,
    file: MEMBERSHIP,
    from: 'Membership.prototype.updateFaulty = function updateFaulty(data) {\n    if (this.isLocal(data.host)) {',
    to: 'Membership.prototype.updateFaulty = function updateFaulty(data) {\n    if (this.isLocal(data.host)) {\n        return;'
  },
  keeps_incarnation: {
    meaning: 'who says that he lives does not say it with a higher number; the dead are called',
    calls: true,
    file: 'happn-swim/lib/member.js',
    from: 'if (data.incarnation === this.incarnation && force) {',
    to: 'if (data.incarnation === this.incarnation && force) {\n        return true;'
  },
  passes_on: { meaning: 'no fault but a mend: an update that is dropped is passed on' },
  calls_dead: { meaning: 'no fault but a mend: who is held for dead is called now and then, as if to join', calls: true }
}
let Swim
let owner // whose socket is made

const hostOf = process => `10.0.0.${process + 1}:7000`
const processOf = address => Number(address.split(':')[0].split('.')[3]) - 1
const sorted = hosts => hosts.map(processOf).sort((one, other) => one - other)

class Socket extends events {
  constructor () {
    super()
    this.owner = owner
    owner.socket = this
  }

  bind (port, call) { call() }
  close () {}
  send (buffer, from, length, port, address) { this.owner.send(processOf(address), 'datagram', buffer.toString('base64', from, from + length)) }
}
dgram.createSocket = () => new Socket()

corridor.run(class extends corridor.Process {
  static name = 'happn_swim'
  static version = corridor.version(PACKAGE)
  static meaning = 'processes say who is alive'
  static attributes = { alive: 'agents', suspect: 'agents', dead: 'agents', incarnation: 'integer' }
  static messages = { datagram: 'what a socket sends' }
  static faults = corridor.meanings(FAULTS)
  static load (fault) { Swim = corridor.load(PACKAGE, FAULTS[fault]?.file && FAULTS[fault]) }

  start () {
    owner = this
    this.swim = new Swim({ local: { host: hostOf(this.me) }, ...OPTIONS })
    const { membership, disseminator } = this.swim
    if (this.fault === 'passes_on') membership.on('drop', data => { if (!membership.isLocal(data.host)) disseminator.onUpdate(data) })
    if (FAULTS[this.fault]?.calls) setInterval(() => membership.sync(Object.keys(membership.hostToFaulty)), 3 * OPTIONS.interval)
    this.swim.on('error', error => { throw error })
    this.join = error => { if (error) this.swim.join(this.others(), this.join) } // nobody has answered
    this.swim.bootstrap(this.others(), this.join)
  }

  others () { return Array.from({ length: this.count }, (_, process) => hostOf(process)).filter(host => host !== hostOf(this.me)) }

  receive (from, kind, value) {
    const [address, port] = hostOf(from).split(':')
    this.socket.emit('message', Buffer.from(value, 'base64'), { address, port: Number(port) })
  }

  observe () {
    const { hostToMember, hostToFaulty, local } = this.swim.membership
    const those = state => sorted(Object.keys(hostToMember).filter(host => hostToMember[host].state === state))
    return { alive: those(0), suspect: those(1), dead: sorted(Object.keys(hostToFaulty)), incarnation: local.incarnation }
  }
})
