// SPDX-License-Identifier: MIT
// Consistent hashing (npm, hashring: ketama), unchanged: a ring of all servers, from which those that are down are removed, says which
// server has a key. A server that is down stays alone.
'use strict'
const algorithm = require('./algorithm.js')
const FAULTS = {
  keeps_points: { meaning: 'a server that is removed keeps its points', file: 'hashring/index.js', from: 'remove(server) {', to: 'remove(server) { return this;' }
}

algorithm.run({
  name: 'hashring',
  version: algorithm.version('hashring'),
  summary: 'each key to the server that a hash ring of those that are up says',
  parameters: [{ name: 'division', meaning: '1: the rest of a division says which server, for comparison', default: 0, min: 0, max: 1, integer: true }],
  needs: ['key', 'up'],
  faults: FAULTS,
  program: fault => algorithm.load('hashring', FAULTS[fault]),
  solve (HashRing, task, { key, up }) {
    const servers = [...key.keys()].filter(agent => key[agent] < 0.5)
    const ring = new HashRing(servers.map(server => `10.0.0.${server}:11211`))
    for (const server of servers) if (up[server] < 0.5) ring.remove(`10.0.0.${server}:11211`)
    const blocks = new Map(servers.map(server => [`10.0.0.${server}:11211`, [server]]))
    const working = servers.filter(server => up[server] >= 0.5)
    if (!working.length) throw new Error('no server is up')
    const which = task.parameters.division ? agent => `10.0.0.${working[agent % working.length]}:11211` : agent => ring.get(`key ${agent}`)
    for (const agent of key.keys()) if (key[agent] >= 0.5) blocks.get(which(agent)).push(agent)
    return [...blocks.values()]
  }
})
