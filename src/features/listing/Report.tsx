import { useLingui } from '@lingui/react/macro'
import Flag from 'lucide-react/icons/flag'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { lazyNamed } from '../../ui/lazy.tsx'

const ReportDialog = lazyNamed(() => import('../report/ReportDialog.tsx'), 'ReportDialog')

export function Report({ listing }: { listing: string }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  return (
    <div>
      <Button kind="quiet" icon={Flag} onClick={() => setOpen(true)}>
        {t`Signaler`}
      </Button>
      {open && <ReportDialog open onClose={() => setOpen(false)} listing={listing} />}
    </div>
  )
}
