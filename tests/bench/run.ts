import { execFileSync } from 'node:child_process'
import { startProduct } from '../support/product.ts'
import { chat } from './chat.ts'
import { arrivals } from './arrivals.ts'
import { intake } from './intake.ts'
import { header, line } from './measure.ts'
import { photos } from './photos.ts'
import { photoVisits } from './photo-visits.ts'
import { growth } from './growth.ts'
import { lasting } from './lasting.ts'
import { live } from './live.ts'
import { publish } from './publish.ts'
import { server } from './server.ts'
import { start } from './start.ts'
import { store } from './store.ts'
import { updates } from './updates.ts'
import { visits } from './visits.ts'
import { weights } from './weights.ts'
import { wire } from './wire.ts'
import { wizard } from './wizard.ts'
import { wizardKills } from './wizard-kills.ts'

/** `npm run bench [-- name…]`: exits with 1 if a figure misses its limit. */
const onMarket = {
  visits,
  chat,
  arrivals,
  intake,
  wizard,
  publish,
  'wizard-kills': wizardKills,
  wire,
  lasting,
}
const alone = {
  start,
  server,
  store,
  live,
  photos,
  weights,
  'photo-visits': photoVisits,
  growth,
  updates,
}

const asked = process.argv.slice(2)
const wanted = (name: string): boolean => asked.length === 0 || asked.includes(name)
const lines: string[] = []
const print = (name: string, figures: readonly import('./measure.ts').Figure[]): void => {
  console.log(`\n## ${name}\n\n${header}`)
  for (const figure of figures) {
    const text = line(figure)
    lines.push(text)
    console.log(text)
  }
}

// In a child process: a build sets NODE_ENV, which the servers started here must not see.
execFileSync('vite', ['build', '--logLevel', 'error'], { stdio: ['ignore', 'ignore', 'inherit'] })
for (const [name, bench] of Object.entries(alone)) if (wanted(name)) print(name, await bench())
if (Object.keys(onMarket).some(wanted)) {
  const market = await startProduct({ env: { RATE_LIMITS: 'off' } })
  try {
    for (const [name, bench] of Object.entries(onMarket))
      if (wanted(name)) print(name, await bench(market))
  } finally {
    await market.stop()
  }
}
const missed = lines.filter((text) => text.endsWith('| NO |')).length
console.log(`\n${lines.length} figures, ${missed} not reached`)
// Not by `exitCode`: after driving a browser, Node 26 never ends its cleanup, at full load.
process.exit(missed > 0 ? 1 : 0)
