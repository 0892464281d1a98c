import { defineConfig } from '@playwright/test'
import { chromium, flags } from './tests/support/chromium.ts'

export default defineConfig({
  testDir: 'tests/journeys',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  timeout: 180_000,
  expect: { timeout: 60_000 },
  workers: 2,
  reporter: 'line',
  use: { browserName: 'chromium', locale: 'fr-FR', launchOptions: { executablePath: chromium(), args: flags }, trace: 'retain-on-failure' },
})
