import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'tests/journeys',
  testMatch: '**/*.journey.ts',
  globalSetup: './tests/journeys/setup.ts',
  outputDir: 'test-results',
  forbidOnly: true,
  retries: 0,
  // A journey waits for states, each with this patience; the machine of CI may be slow and busy.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  workers: 2,
  reporter: [['line']],
})
