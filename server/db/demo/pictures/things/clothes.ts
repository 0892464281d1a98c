import { at, circle, each, line, oval, type Pen, path, rect, times } from '../pen.ts'
import { darker, lighter, mixed } from '../tints.ts'

/** Clothes, shoes and bags, mostly laid out on a cloth or hung on a wall. */
const fold = (d: string) => line(d, '#000000', 2.4, 'opacity=".16"')

/** Woven stripes of Faso Danfani, prints of wax, embroidery of bazin: what a cloth of the region shows. */
function weave(pen: Pen, x: number, y: number, width: number, height: number): string {
  const kind = pen.choice.pick(['stripes', 'stripes', 'wax', 'plain', 'plain'])
  const second = pen.choice.pick(['#f3ead2', '#1f2937', '#d9a441', '#b3402f', '#2f6a5a', '#e8e4da'])
  if (kind === 'stripes') return times(Math.ceil(width / 12), (n) => rect(x + n * 12, y, n % 4 === 0 ? 5 : 2, height, n % 3 === 0 ? second : lighter(pen.main, 0.4), 'opacity=".8"'))
  if (kind === 'wax') return times(24, () => { const [cx, cy, r] = [x + pen.choice.next() * width, y + pen.choice.next() * height, pen.choice.between(6, 13)]; return circle(cx, cy, r, second, 'opacity=".85"') + circle(cx, cy, r * 0.6, darker(pen.main, 0.3)) + circle(cx, cy, r * 0.25, lighter(second, 0.4)) })
  return ''
}

let clips = 0
function patterned(pen: Pen, d: string, [x, y, width, height]: readonly [number, number, number, number]): string {
  const id = `d-clip${(clips = (clips + 1) % 9999)}`
  return `<clipPath id="${id}"><path d="${d}"/></clipPath>${path(d, pen.body())}<g clip-path="url(#${id})">${weave(pen, x, y, width, height)}</g>${path(d, pen.linear([[0, '#ffffff', 0.14], [0.5, '#ffffff', 0], [1, '#000000', 0.3]], 10))}`
}

export function dress(pen: Pen): string {
  const d = 'M-34 -196 Q-18 -184 0 -184 Q18 -184 34 -196 L66 -176 L58 -140 L42 -148 Q36 -116 44 -92 Q74 -40 88 0 Q0 12 -88 0 Q-74 -40 -44 -92 Q-36 -116 -42 -148 L-58 -140 L-66 -176 Z'
  return patterned(pen, d, [-90, -200, 180, 210]) + fold('M-20 -90 Q-30 -40 -44 2 M6 -92 Q10 -40 4 6 M28 -90 Q44 -40 56 2') + line('M-40 -94 Q0 -84 40 -94', darker(pen.main, 0.4), 3, 'opacity=".6"')
}

export function boubou(pen: Pen): string {
  const d = 'M-30 -196 Q0 -176 30 -196 L118 -160 L104 -96 L60 -112 L66 0 Q0 10 -66 0 L-60 -112 L-104 -96 L-118 -160 Z'
  const thread = pen.choice.pick(['#e2c473', '#f2efe6', '#1f2937'])
  return patterned(pen, d, [-120, -200, 240, 210]) + path('M-16 -188 Q0 -176 16 -188 L20 -120 Q0 -104 -20 -120 Z', 'none', `stroke="${thread}" stroke-width="2.6"`) + times(5, (n) => circle(0, -172 + n * 13, 2.4, thread)) + fold('M-30 -110 Q-36 -50 -30 2 M30 -110 Q36 -50 28 2')
}

export function shirt(pen: Pen): string {
  const d = 'M-32 -182 L-14 -190 Q0 -178 14 -190 L32 -182 L98 -152 L82 -104 L56 -118 L58 -8 Q0 4 -58 -8 L-56 -118 L-82 -104 L-98 -152 Z'
  const collar = path('M-16 -192 L0 -168 L-22 -160 L-32 -182 Z M16 -192 L0 -168 L22 -160 L32 -182 Z', lighter(pen.main, 0.14), `stroke="${darker(pen.main, 0.35)}" stroke-width=".8"`)
  return patterned(pen, d, [-100, -190, 200, 190]) + collar + line('M0 -166 V-4', darker(pen.main, 0.35), 1.4) + times(6, (n) => circle(0, -150 + n * 25, 2.3, '#f0ede6', 'stroke="#555" stroke-width=".5"')) + fold('M-30 -110 Q-22 -60 -34 -8 M30 -116 Q24 -60 36 -10 M-58 -118 L-44 -140 M58 -118 L44 -140')
}

export function tshirts(pen: Pen): string {
  return times(3, (n) => at(-66 + n * 66, -4 + (n % 2) * 8, `<g transform="rotate(${pen.choice.between(-10, 10)}) scale(.72)">${path('M-30 -176 Q0 -158 30 -176 L92 -146 L78 -100 L54 -112 L56 -8 Q0 2 -56 -8 L-54 -112 L-78 -100 L-92 -146 Z', pen.body(pen.choice.pick([pen.main, '#e8e6e1', '#26282d', '#2a5aa8', '#b3261f', '#dba514'])))}${line('M-28 -174 Q0 -152 28 -174', '#000000', 3, 'opacity=".3"')}${fold('M-26 -100 Q-20 -50 -30 -10 M28 -104 Q22 -50 32 -10')}</g>`))
}

export function trousers(pen: Pen): string {
  const denim = mixed(pen.main, '#2f4a73', 0.6)
  return path('M-52 -196 H52 L66 0 H22 L2 -132 L-20 0 H-66 Z', pen.body(denim)) + rect(-53, -198, 106, 12, darker(denim, 0.2)) + line('M0 -186 V-136 M-40 -184 q4 26 -10 40 M40 -184 q-4 26 10 40', lighter(denim, 0.35), 1.4) + line('M-34 -150 Q-42 -70 -46 -4 M34 -150 Q42 -70 44 -4', '#000000', 3, 'opacity=".18"') + circle(0, -191, 3, '#c8a14f')
}

export function suit(pen: Pen): string {
  return path('M-34 -194 L0 -150 L34 -194 L92 -168 L84 -60 L62 -58 L60 -128 L62 0 H-62 L-60 -128 L-62 -58 L-84 -60 L-92 -168 Z', pen.body()) + path('M-18 -196 L0 -120 L18 -196 Q0 -186 -18 -196 Z', '#f1efe9') + path('M-5 -182 L5 -182 L8 -126 L0 -116 L-8 -126 Z', pen.choice.pick(['#8f2430', '#24466f', '#222'])) + path('M-34 -194 L-8 -116 L-40 -140 L-30 -156 L-44 -164 Z M34 -194 L8 -116 L40 -140 L30 -156 L44 -164 Z', darker(pen.main, 0.2)) + line('M0 -114 V0', darker(pen.main, 0.5), 1.4) + circle(5, -96, 2.6, '#15161a') + circle(5, -72, 2.6, '#15161a') + rect(28, -146, 20, 5, '#eceae4')
}

/** Folded cloth in a pile: pagnes, bales, uniforms. */
export function foldedCloth(pen: Pen): string {
  return times(5, (n) => {
    const colour = n % 2 === 0 ? pen.main : pen.choice.pick(['#d9a441', '#2f6a5a', '#b3402f', '#28406b', '#e8e0cc', '#6f4a9c'])
    const y = -n * 26
    const inner = { ...pen, main: colour }
    return rect(-96, y - 26, 192, 25, pen.body(colour), 'rx="11"') + `<g opacity=".75">${weaveIn(inner, y - 25)}</g>` + line(`M-90 ${y - 13} H92`, '#000000', 1.4, 'opacity=".25"') + path(`M88 ${y - 26} q14 12 0 25`, 'none', `stroke="${lighter(colour, 0.3)}" stroke-width="3"`)
  })
}

const weaveIn = (pen: Pen, y: number): string => times(15, (n) => rect(-86 + n * 12, y, n % 3 === 0 ? 6 : 2.4, 23, lighter(pen.main, n % 2 ? 0.45 : 0.2)))

export function sneaker(pen: Pen): string {
  const one = (x: number, y: number) => at(x, y, path('M-92 -10 Q-100 -50 -86 -74 Q-70 -66 -54 -76 Q-30 -90 -14 -70 Q20 -44 66 -38 Q96 -34 96 -10 Z', pen.body()) + path('M-96 -14 H98 Q102 0 90 2 H-88 Q-100 0 -96 -14 Z', '#f1efe9') + line('M-22 -66 L-2 -50 M-10 -72 L10 -46 M4 -62 L24 -42', '#f7f5ef', 4) + path('M-70 -20 Q-20 -20 20 -44 Q-10 -16 -66 -12z', lighter(pen.main, 0.65)) + line('M-84 -70 Q-70 -56 -56 -72', darker(pen.main, 0.4), 4))
  return one(-6, -44) + one(14, -2)
}

export function leatherShoe(pen: Pen): string {
  const skin = pen.choice.pick(['#5a3820', '#22201f', '#7a4e2a'])
  const one = (x: number, y: number) => at(x, y, path('M-84 -8 Q-92 -46 -76 -60 Q-40 -66 -22 -50 Q30 -34 78 -32 Q98 -24 96 -8 Z', pen.body(skin)) + path('M-86 -9 H98 Q100 -2 92 0 H-46 V2 H-86 Z', '#14110f') + line('M-30 -52 L-8 -36 M-18 -54 L6 -34', '#0d0b0a', 2.4) + path('M20 -36 Q60 -32 80 -24', 'none', 'stroke="#ffffff" stroke-width="4" opacity=".25"'))
  return one(-4, -42) + one(12, -2)
}

export function sandals(pen: Pen): string {
  const one = (x: number, turn: number) => `<g transform="translate(${x} -90) rotate(${turn})">${oval(0, 0, 32, 84, '#4a2f1b')}${oval(-1, -3, 29, 80, pen.body('#a9743f'))}${path('M-30 -20 Q0 -58 30 -20 L26 2 Q0 -30 -26 2 Z', pen.body('#5f3a1f'))}${line('M0 -62 V-34', '#4a2c17', 7)}${circle(0, -34, 5, '#d9b35a')}</g>`
  return one(-44, -6) + one(44, 8)
}

export function heels(pen: Pen): string {
  const one = (x: number, y: number) => at(x, y, path('M-78 -88 Q-60 -62 -24 -50 Q20 -30 70 -26 Q92 -20 88 -6 Q40 -4 10 -14 Q-40 -30 -60 -34 L-66 0 H-76 Z', pen.body()) + path('M-74 -86 Q-30 -56 14 -40', 'none', 'stroke="#ffffff" stroke-width="3" opacity=".35"'))
  return one(-8, -38) + one(14, -2)
}

export function handbag(pen: Pen): string {
  return path('M-64 -126 Q-58 -192 0 -194 Q58 -192 64 -126', 'none', `stroke="${darker(pen.main, 0.3)}" stroke-width="9"`) + path('M-92 -128 H92 L106 -8 Q0 8 -106 -8 Z', pen.body()) + path('M-92 -128 H92 L96 -84 Q0 -60 -96 -84 Z', pen.linear([[0, lighter(pen.main, 0.2)], [1, darker(pen.main, 0.1)]])) + rect(-15, -86, 30, 22, pen.linear([[0, '#f1dd9a'], [1, '#a57f2f']]), 'rx="4"') + line('M-88 -120 H88 M-98 -20 Q0 -6 98 -20', lighter(pen.main, 0.4), 1.2, 'stroke-dasharray="5 4"')
}

export function backpack(pen: Pen): string {
  return path('M-26 -186 Q0 -210 26 -186', 'none', 'stroke="#22252a" stroke-width="8"') + path('M-74 -8 V-132 Q-70 -188 0 -190 Q70 -188 74 -132 V-8 Q0 6 -74 -8 Z', pen.body()) + path('M-56 -10 V-74 Q0 -94 56 -74 V-10 Q0 0 -56 -10 Z', pen.body(darker(pen.main, 0.15))) + line('M-70 -122 Q0 -150 70 -122 M-54 -66 Q0 -84 54 -66', '#16181b', 3) + rect(-3, -82, 6, 14, '#c9ced2') + path('M-74 -120 q-22 40 -10 100 M74 -120 q22 40 10 100', 'none', `stroke="${darker(pen.main, 0.4)}" stroke-width="9"`)
}

export function suitcase(pen: Pen): string {
  return rect(-20, -214, 40, 44, 'none', 'stroke="#5d6369" stroke-width="6" rx="6"') + rect(-72, -176, 144, 166, pen.body(), 'rx="16"') + times(7, (n) => rect(-60 + n * 18, -166, 7, 146, darker(pen.main, 0.18), 'rx="3"')) + rect(-74, -98, 148, 6, darker(pen.main, 0.35)) + circle(-50, -5, 8, '#1d1f22') + circle(50, -5, 8, '#1d1f22') + rect(60, -110, 14, 22, '#c9ced2', 'rx="3"')
}

export function sunglasses(pen: Pen): string {
  const glass = pen.linear([[0, '#22262c'], [0.6, '#4b3a2b'], [1, '#a9865a']])
  return line('M-112 -96 q-30 -50 30 -70 M112 -96 q30 -50 -30 -70', darker(pen.main, 0.2), 6) + path('M-116 -104 Q-70 -122 -16 -104 Q-14 -54 -58 -44 Q-104 -44 -116 -104 Z M116 -104 Q70 -122 16 -104 Q14 -54 58 -44 Q104 -44 116 -104 Z', glass, `stroke="${pen.main}" stroke-width="6"`) + line('M-16 -102 Q0 -112 16 -102', pen.main, 6) + path('M-96 -98 L-60 -104 L-84 -56z M36 -104 L70 -106 L46 -58z', '#ffffff', 'opacity=".2"')
}

export function jewels(pen: Pen): string {
  const gold = pen.linear([[0, '#f7e3a0'], [0.5, '#c99a3a'], [1, '#7f5a1a']])
  return path('M-84 -176 Q-96 -60 0 -46 Q96 -60 84 -176', 'none', 'stroke="#c99a3a" stroke-width="6"') + times(13, (n) => circle(-74 + n * 12.4, -58 - 74 * ((n - 6) / 6) ** 2, 7, gold)) + path('M0 -48 l14 20 -14 24 -14 -24z', gold) + each([-58, 58], (x) => circle(x, -130, 17, 'none', 'stroke="#d5aa4b" stroke-width="5"') + circle(x, -110, 6, gold))
}

export function hat(pen: Pen): string {
  const straw = pen.choice.pick(['#d6b777', '#c79f5d'])
  return oval(0, -26, 138, 34, pen.body(straw)) + path('M-60 -34 Q-30 -120 0 -170 Q30 -120 60 -34 Q0 -16 -60 -34 Z', pen.round(straw)) + times(7, (n) => line(`M${-56 + n * 4} ${-40 - n * 18} Q0 ${-24 - n * 19} ${56 - n * 4} ${-40 - n * 18}`, darker(straw, 0.35), 1.2, 'opacity=".7"')) + path('M-56 -48 Q0 -30 56 -48 L52 -62 Q0 -46 -52 -62 Z', '#8f2b22') + line('M-20 -76 L0 -60 L20 -76 M-14 -108 L0 -94 L14 -108', '#24211e', 4)
}
