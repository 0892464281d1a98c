console.warn = () => {}
const { live } = await import('./model/run.ts')
const from = Number(process.argv[2] ?? 1), n = Number(process.argv[3] ?? 200), keys = process.argv[4] !== 'plain'
const t = performance.now(); const classes = new Map<string, number[]>()
for (let s = from; s < from + n; s++) { const r = await live({ seed: s, keys }).catch((e: any) => ({ wrongs: ['CRASH ' + e.stack] })); const w = r.wrongs[0]; if (w) { const k = w.replace(/[\d]+/g, '#').replace(/"[^"]*"/g, '"…"').slice(0, 110); classes.set(k, [...(classes.get(k) ?? []), s]) } }
for (const [k, v] of [...classes].sort((a, b) => b[1].length - a[1].length).slice(0, 45)) console.log(v.length, k, v.slice(0, 5).join(','))
console.log('ms per life', (performance.now() - t) / n, 'failed', [...classes.values()].flat().length)
