import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './phone.ts'

/** A machine finds no fault for those who do not see or do not point, on the page or in a part of it. What is still coming or fading is looked at again. */
export async function faultless(page: Page, part = 'html'): Promise<void> {
  const faults = async (): Promise<readonly string[]> => {
    const { violations } = await new AxeBuilder({ page }).include(part).analyze()
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }
  await expect.poll(faults, page.url()).toEqual([])
}
