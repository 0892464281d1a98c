import type { Page } from '@playwright/test'
import { expect } from './device.ts'

/** Least size of a touch target, CSS px [DESIGN 1]; links within a sentence may be smaller. */
const TARGET_PX = 44

/** Every interactive element smaller than `least`, with its size. Runs in the page. */
function tooSmall(least: number): readonly string[] {
  const found: string[] = []
  let current: Element | null = null
  for (const element of document.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, [role=option], [tabindex="0"]',
  )) {
    if (
      element.closest('[inert], [hidden], .unseen, dialog:not([open])') ||
      !element.checkVisibility({ visibilityProperty: true })
    )
      continue
    // A choice is tapped by its label, as is a hidden input behind one.
    const label =
      element instanceof HTMLInputElement && /^(?:checkbox|radio|file)$/.test(element.type)
        ? element.closest('label')
        : null
    const { width, height, bottom, right } = (label ?? element).getBoundingClientRect()
    if (width <= 1 || height <= 1 || bottom + scrollY < 0 || right < 0) continue
    current = element
    if (isWithinSentence(element)) continue
    if (height < least - 0.5 || width < least - 0.5)
      found.push(
        `${element.tagName.toLowerCase()} ` +
          `“${element.getAttribute('aria-label') ?? element.innerText.slice(0, 40)}” ` +
          `${Math.round(width)}×${Math.round(height)}`,
      )
  }
  return found

  /** The text in the same lines as the element, without it. */
  function inlineText(block: Node | null): string {
    return [...(block?.childNodes ?? [])]
      .map((one) =>
        one instanceof Text
          ? one.data
          : one !== current &&
              one instanceof HTMLElement &&
              getComputedStyle(one).display === 'inline'
            ? inlineText(one)
            : '',
      )
      .join('')
  }

  function isWithinSentence(element: HTMLElement): boolean {
    if (getComputedStyle(element).display !== 'inline') return false
    let block = element.parentElement
    while (block && getComputedStyle(block).display.startsWith('inline'))
      block = block.parentElement
    return /\p{L}{2}/u.test(inlineText(block))
  }
}

/** Targets are large enough, no placeholder is unfilled, and repeated landmarks have names. */
export async function fitForFingers(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(`(${tooSmall.toString()})(${TARGET_PX})`), page.url())
    .toEqual([])
  const blanks = await page.evaluate(() => /\{\w+\}/.exec(document.body.innerText)?.[0] ?? null)
  expect(blanks, page.url()).toBeNull()
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('aside:not([aria-label], [aria-labelledby])')].map((aside) =>
      aside.textContent.slice(0, 40),
    ),
  )
  expect(nameless, page.url()).toEqual([])
}
