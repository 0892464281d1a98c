import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{schema,sync,src,workers,server}/**/*.test.ts', 'tests/{engine,server,support}/**/*.test.ts'],
    environment: 'node',
    hookTimeout: 120_000,
    testTimeout: 30_000,
  },
})
