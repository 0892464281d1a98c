'use no memo'

import { useLingui } from '@lingui/react/macro'
import { Link, type LinkProps, useRouter } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { classes } from '../ui/classes.ts'

/** [S13.03] `to`: the parent screen, for a visit that began on this one. */
export function BackButton({
  className,
  ...parent
}: Omit<LinkProps, 'children'> & { className?: string | undefined }) {
  const { t } = useLingui()
  const { history } = useRouter()
  return (
    <Link
      replace
      {...parent}
      aria-label={t`Retour`}
      className={classes('target', className)}
      onClick={(event) => {
        if (!history.canGoBack()) return
        event.preventDefault()
        history.back()
      }}
    >
      <ArrowLeft />
    </Link>
  )
}
