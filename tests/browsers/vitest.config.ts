import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/browsers/*.browser.ts'],
    environment: 'node',
    hookTimeout: 300_000,
    testTimeout: 300_000,
    // Two engines and a server share the machine's cores with the browsers' own processes.
    fileParallelism: false,
  },
})
