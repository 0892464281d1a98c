import { useSyncExternalStore } from 'react'
import { forget, keep, stored } from '../../data/session.ts'
import { signal } from '../../data/signal.ts'

/** [S4.20]; not in TypeScript's types. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
  readonly userChoice: Promise<{ readonly outcome: 'accepted' | 'dismissed' }>
}

/** [S3.20] */
const DISMISSED = 'pwa_install_dismissed'
const IOS_DISMISSED = 'ios_a2hs_dismissed'

let offered: InstallPrompt | null = null
let installed = false
const changes = signal()

export function watchInstall() {
  addEventListener('beforeinstallprompt', (event) => {
    if (!isPrompt(event)) return
    event.preventDefault()
    offered = event
    changes.emit()
  })
  addEventListener('appinstalled', () => {
    offered = null
    installed = true
    changes.emit()
    void import('../../data/persist.ts')
      .then(({ askToPersist }) => askToPersist('installed'))
      .catch(() => undefined)
  })
}

export function useInstall() {
  const state = useSyncExternalStore(changes.on, snapshot, () => '')
  return {
    offered: state.includes('o'),
    installed: state.includes('i'),
    dismissed: state.includes('d'),
  }
}

export async function install() {
  const prompt = offered
  if (!prompt) return
  offered = null
  changes.emit()
  await prompt.prompt()
  const { outcome } = await prompt.userChoice
  if (outcome === 'dismissed') dismissInstall()
}

export function dismissInstall() {
  keep('local', DISMISSED, '1')
  changes.emit()
}

export function iosHintDismissed() {
  return stored(IOS_DISMISSED) !== null
}

export function dismissIosHint() {
  keep('local', IOS_DISMISSED, '1')
}

/** [S2.44] */
export function resetInstall() {
  forget(DISMISSED)
  forget(IOS_DISMISSED)
  changes.emit()
}

function snapshot() {
  return [offered && 'o', installed && 'i', stored(DISMISSED) !== null && 'd']
    .filter(Boolean)
    .join('')
}

function isPrompt(event: Event): event is InstallPrompt {
  return 'prompt' in event && typeof event.prompt === 'function' && 'userChoice' in event
}
