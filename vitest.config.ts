import { linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [babel({ presets: [linguiTransformerBabelPreset()] })],
  test: {
    include: ['{schema,sync,src,workers,server}/**/*.test.ts', 'tests/{engine,server,support}/**/*.test.ts'],
    environment: 'node',
    hookTimeout: 120_000,
    testTimeout: 30_000,
  },
})
