import { useSyncExternalStore } from 'react'
import { forget, keep, stored } from '../../data/session.ts'

/** The browser's install event [S4.20], deferred until a tap; missing in TypeScript's types. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
  readonly userChoice: Promise<{ readonly outcome: 'accepted' | 'dismissed' }>
}

/** Storage keys of [S3.20]. */
const DISMISSED = 'pwa_install_dismissed'
const IOS_DISMISSED = 'ios_a2hs_dismissed'

let offered: InstallPrompt | null = null
let installed = false
const listeners = new Set<() => void>()

export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    if (!isPrompt(event)) return
    event.preventDefault()
    offered = event
    tell()
  })
  addEventListener('appinstalled', () => {
    offered = null
    installed = true
    tell()
    void import('../../data/persist.ts')
      .then(({ askToPersist }) => askToPersist('installed'))
      .catch(() => undefined)
  })
}

export function useInstall(): {
  readonly offered: boolean
  readonly installed: boolean
  readonly dismissed: boolean
} {
  const state = useSyncExternalStore(subscribe, snapshot, () => '')
  return {
    offered: state.includes('o'),
    installed: state.includes('i'),
    dismissed: state.includes('d'),
  }
}

export async function install(): Promise<boolean> {
  const prompt = offered
  if (!prompt) return false
  offered = null
  tell()
  await prompt.prompt()
  const { outcome } = await prompt.userChoice
  if (outcome === 'dismissed') dismissInstall()
  return outcome === 'accepted'
}

export function dismissInstall(): void {
  keep('local', DISMISSED, '1')
  tell()
}

export function iosHintDismissed(): boolean {
  return stored(IOS_DISMISSED) !== null
}

export function dismissIosHint(): void {
  keep('local', IOS_DISMISSED, '1')
}

/** [S2.44]: allows the banner and the hint again. */
export function resetInstall(): void {
  forget(DISMISSED)
  forget(IOS_DISMISSED)
  tell()
}

function snapshot(): string {
  return [offered && 'o', installed && 'i', stored(DISMISSED) !== null && 'd']
    .filter(Boolean)
    .join('')
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}

function isPrompt(event: Event): event is InstallPrompt {
  return 'prompt' in event && typeof event.prompt === 'function' && 'userChoice' in event
}
