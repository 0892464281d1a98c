import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './device.ts'

/**
 * Axe finds no violation in the page or a part of it, by all rules or by some; polls while content
 * loads or fades.
 */
export async function faultless(
  page: Page,
  part = 'html',
  rules: readonly string[] = [],
): Promise<void> {
  const faults = async (): Promise<readonly string[]> => {
    // Pages have no frames, and rules that pass need not be reported.
    const { violations } = await new AxeBuilder({ page })
      .setLegacyMode()
      .options({
        resultTypes: ['violations'],
        ...(rules.length > 0 && { runOnly: { type: 'rule', values: [...rules] } }),
      })
      .include(part)
      .analyze()
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }
  await expect.poll(faults, page.url()).toEqual([])
}
