import { linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import { defineConfig } from 'vitest/config'
import { modernDexie } from './build/target.ts'

export default defineConfig({
  plugins: [babel({ presets: [linguiTransformerBabelPreset()] })],
  resolve: { alias: [modernDexie] },
  test: {
    include: [
      '{build,schema,sync,src,workers,server}/**/*.test.ts',
      'tests/*.test.ts',
      'tests/{engine,server,support}/**/*.test.ts',
    ],
    environment: 'node',
    // By default one core stays free.
    maxWorkers: '100%',
    // Timeouts hold on a machine five times slower than usual.
    hookTimeout: 300_000,
    testTimeout: 120_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
  },
})
