import { useLingui } from '@lingui/react/macro'
import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../ui/Button.tsx'
import { lazyNamed } from '../ui/lazy.tsx'
import type { Shared } from './poster.ts'

const ShareDialog = lazyNamed(() => import('./ShareDialog.tsx'), 'ShareDialog')

interface Props extends Omit<Shared, 'url'> {
  path: string
  className: string | undefined
}

export function ShareButton({ path, className, ...shared }: Props) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label={t`Partager`}
        icon={Share2}
        className={className}
        onClick={() => setOpen(true)}
      />
      {open && (
        <ShareDialog
          shared={{ ...shared, url: location.origin + path }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
