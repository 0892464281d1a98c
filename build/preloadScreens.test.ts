import { expect, test } from 'vitest'
import { bundle } from '../tests/support/bundle.ts'
import { preloadScreens } from './preloadScreens.ts'

test('the page names the files of its first screen, so that they load with the first script', async () => {
  const files = {
    'index.html': '<html><head><script type="module" src="/src/start.ts"></script></head></html>',
    'src/start.ts': `import('./boot.ts'); import('./main.tsx')`,
    'src/boot.ts': 'export const word = 1',
    'src/main.tsx': `import './main.css'; import { word } from './boot.ts'; console.log(word, import('./later.ts'))`,
    'src/main.css': 'p { color: red }',
    'src/later.ts': 'console.log(2)',
  }
  const page = (await bundle(files, { plugins: [preloadScreens()] })).get('index.html') ?? ''
  const named = [...page.matchAll(/<link rel="(\w+)".*? href="\/(\w+\.\w+)"/g)]
  expect(named.map(([, rel, file]) => `${rel} ${file}`)).toEqual([
    'preload main.js',
    'modulepreload boot.js',
    'stylesheet main.css',
  ])
})
