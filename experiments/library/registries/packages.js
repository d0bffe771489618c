// SPDX-License-Identifier: MIT
// What adapters of packages from npm share: finding a package, changing a line of it while it is loaded, lines of standard input, and random
// numbers.
'use strict'
const fs = require('fs')
const path = require('path')

const PLACES = [__dirname, path.join(__dirname, '../../../build/registries')] // beside the adapter, or where `make registries` puts them

function place (name) {
  try {
    return require.resolve(name, { paths: PLACES })
  } catch (problem) {
    console.error(`${name} is not installed here: make registries`)
    process.exit(1)
  }
}

// A package, read anew, in which one place of one file is another, {file, from, to}, if a change is given: a fault on purpose.
function load (name, change) {
  const entry = place(name)
  const plain = require.extensions['.js']
  let changed = 0
  for (const file of Object.keys(require.cache)) if (file.includes('/node_modules/')) delete require.cache[file]
  for (const ending of ['.js', '.cjs']) {
    require.extensions[ending] = (module, file) => {
      if (!change || !file.endsWith(change.file)) return plain(module, file)
      const text = fs.readFileSync(file, 'utf8')
      changed += text.split(change.from).length - 1
      module._compile(text.replace(change.from, () => change.to), file)
    }
  }
  const program = require(entry)
  require.extensions['.js'] = plain
  delete require.extensions['.cjs']
  if (change && changed !== 1) throw new Error(`${change.file} has ${changed} times, not once: ${change.from}`)
  return program
}

// Numbers of 32 bits by a seed of 64, given as hexadecimal digits (sfc32, PractRand).
function generator (seed) {
  let [a, b, c, count] = [parseInt(seed.slice(-8), 16), parseInt(seed.slice(2, -8) || '0', 16), 0x9e3779b9, 1]
  const next = () => {
    const sum = (a + b + count++) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21 | c >>> 11) + sum) | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round++) next()
  return next
}

// The names of faults with their meanings, as a hello says them, of {name: {meaning, ..}}.
const meanings = faults => Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, fault.meaning]))

const version = name => JSON.parse(fs.readFileSync(path.join(place(name).split(`node_modules/${name}/`)[0], 'node_modules', name, 'package.json'))).version

function parse (text) {
  try {
    return JSON.parse(text)
  } catch (problem) {
    console.error(`a line is no JSON: ${text.slice(0, 80)}`)
    process.exit(1)
  }
}

// What stands in each line of standard input.
function * lines () {
  const chunk = Buffer.alloc(65536)
  let rest = Buffer.alloc(0)
  for (;;) {
    const bytes = fs.readSync(0, chunk)
    if (!bytes) return
    rest = Buffer.concat([rest, chunk.subarray(0, bytes)])
    for (let end; (end = rest.indexOf(10)) >= 0; rest = rest.subarray(end + 1)) yield parse(rest.toString('utf8', 0, end))
  }
}

module.exports = { generator, load, lines, meanings, version, place }
