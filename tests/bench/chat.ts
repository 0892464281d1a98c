import { setTimeout as wait } from 'node:timers/promises'
import { Person, list, text } from '../support/api.ts'
import type { Product } from '../support/product.ts'
import { slow, withDevice } from './browser.ts'
import { type Figure, median } from './measure.ts'

const RUNS = 21
/** Between the first letter and the tap; the message before is settled by then. */
const WRITING_MS = 1000

/** From the tap on Envoyer to the frame with the bubble, which shows once the message is stored. */
export async function chat(market: Product): Promise<readonly Figure[]> {
  const buyer = await new Person(market.url).signIn('acheteur')
  const conversation = text(list(await buyer.ask('GET', 'conversations/'), 'results')[0], 'id')
  return withDevice(async (device) => {
    const page = await device.newPage()
    await page.addInitScript((token) => localStorage.setItem('authToken', token), buyer.token)
    await page.goto(`${market.url}/messages/${conversation}`)
    const box = page.getByRole('textbox', { name: 'Votre message' })
    await page.locator('[data-message]').first().waitFor()
    await slow(page)
    const times: number[] = []
    for (let run = 0; run < RUNS; run += 1) {
      // The message before has been sent: people do not write faster.
      await page.waitForFunction(
        () => !document.querySelector('[data-state="queued"], [data-state="sending"]'),
      )
      const text = `Mesure ${run} ${Date.now()}`
      await box.fill(text)
      await wait(WRITING_MS)
      times.push(
        await page.evaluate(async (looked) => {
          const send = [...document.querySelectorAll('button')].find(
            (one) => one.textContent === 'Envoyer' || one.ariaLabel === 'Envoyer',
          )
          if (!send) throw new Error('no button Envoyer')
          const began = performance.now()
          send.click()
          return new Promise<number>((resolve) => {
            const frame = (): void => {
              // The newest is last: reading all of them would be part of the measurement.
              const there =
                [...document.querySelectorAll('[data-message]')]
                  .at(-1)
                  ?.textContent.includes(looked) === true
              if (!there) return void requestAnimationFrame(frame)
              // postTask with high priority: a message would wait behind those of the worker.
              void scheduler.postTask(() => resolve(performance.now() - began), {
                priority: 'user-blocking',
              })
            }
            requestAnimationFrame(frame)
          })
        }, text),
      )
    }
    return [
      {
        what: 'tap on Envoyer to bubble on screen, 6x',
        value: median(times),
        unit: 'ms',
        reach: 100,
      },
    ]
  })
}
