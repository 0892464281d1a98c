import { expect, test } from 'vitest'
import { bundle } from '../tests/support/bundle.ts'
import { icons } from './icons.ts'

async function pathOf(name: string): Promise<string> {
  const built = await bundle(
    { 'src/test.ts': `export { default } from 'lucide-react/icons/${name}'` },
    { plugins: [icons()], build: { rolldownOptions: { external: /^react/ } } },
  )
  const code = built.get('test.js') ?? ''
  expect(code).not.toContain('createLucideIcon')
  return /icon\("([^"]*)"\)/.exec(code)?.[1] ?? ''
}

test.each([
  ['lines', 'minus', 'M5 12h14'],
  ['a circle', 'circle', 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z'],
  [
    'a rounded rectangle',
    'square',
    'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2z',
  ],
  ['paths after another', 'x', 'M18 6 6 18M0 0m6 6 12 12'],
])('an icon of %s is one path', async (_shape, name, path) => {
  expect(await pathOf(name)).toBe(path)
})

test('icons that are imported together come from a file each', async () => {
  const source = `import {\n  Minus,\n  Trash2 as Bin,\n} from 'lucide-react'
    import { X } from 'lucide-react'\nexport { Minus, Bin, X }`
  const built = await bundle(
    { 'src/test.ts': source },
    { plugins: [icons()], build: { rolldownOptions: { external: /^(?:react|lucide-react)/ } } },
  )
  const code = built.get('test.js') ?? ''
  for (const file of ['minus', 'trash-2', 'x'])
    expect(code).toContain(`"lucide-react/icons/${file}"`)
  expect(code).not.toContain('from "lucide-react"')
})

test('a shape that it cannot draw fails the build', async () => {
  await expect(pathOf('cone')).rejects.toThrow('no path for')
})
