import { expect, test } from 'vitest'
import { classesIn } from '#schema/markup'
import { earlyPart } from './styles.ts'

const sheet = [
  ':root{--ground:#fff}',
  '.card{color:red}.card .title:hover,.other{color:blue}',
  '.chat{content:"}";color:green}',
  '.card:not(.chat):is(.a,.b)[data-x=".c"]{margin:0}',
  '@media (width>=600px){.card{gap:1rem}.chat{gap:2rem}}',
  '@supports (animation-timeline:scroll()){.chat{animation:come}}',
  '@keyframes come{0%{opacity:0}to{opacity:1}}',
  'h1,.chat{margin:0}',
].join('')

test('a page gets the rules that it can show, in their order, and those without a class', () => {
  expect(earlyPart(sheet)(new Set(['card']))).toBe(
    [
      ':root{--ground:#fff}',
      '.card{color:red}',
      '.card:not(.chat):is(.a,.b)[data-x=".c"]{margin:0}',
      '@media (width>=600px){.card{gap:1rem}}',
      '@keyframes come{0%{opacity:0}to{opacity:1}}',
      'h1,.chat{margin:0}',
    ].join(''),
  )
})

test('a rule of two classes needs both, and braces in texts end nothing', () => {
  expect(earlyPart(sheet)(new Set(['card', 'title', 'chat']))).toContain(
    '.card .title:hover,.other{color:blue}.chat{content:"}";color:green}.card:not',
  )
})

test('every rule of the sheet is there for a page with every class', () => {
  expect(earlyPart(sheet)(new Set(['card', 'title', 'other', 'chat']))).toBe(sheet)
})

test('the classes of a page are read from its elements', () => {
  expect(classesIn('<p class="a b">class="c"</p><i data-class="d"></i>')).toEqual(
    new Set(['a', 'b']),
  )
})
