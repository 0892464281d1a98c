import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'tests/journeys',
  testMatch: '**/*.journey.ts',
  globalSetup: './tests/journeys/setup.ts',
  outputDir: 'test-results',
  forbidOnly: true,
  retries: 0,
  // Timeouts hold on a machine five times slower than usual.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  workers: 2,
  reporter: [['line']],
})
