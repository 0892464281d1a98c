import { useEffect, useState } from 'react'
import { IOS_HINT_MS } from '#schema/limits'
import { platform } from './platform.ts'
import { iosHintDismissed, useInstall } from './prompt.ts'
import { lazyOptional } from '../../ui/lazy.tsx'
import { after } from '../../ui/effects.ts'

const InstallOffer = lazyOptional(() => import('./InstallOffer.tsx'), 'InstallOffer')

export function InstallBanner() {
  const { offered, installed, dismissed } = useInstall()
  const [ios, close] = useIosHint()
  const prompts = offered && !installed && !dismissed
  return (prompts || ios) && <InstallOffer prompts={prompts} onClose={close} />
}

/** [S4.21]: 1.5 s after load on an iPhone. */
function useIosHint(): readonly [boolean, () => void] {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const { system, installed, embedded } = platform()
    if (system !== 'ios' || installed || embedded || iosHintDismissed()) return undefined
    return after(IOS_HINT_MS, () => setShown(true))
  }, [])
  return [shown, () => setShown(false)]
}
