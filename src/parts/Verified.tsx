import { useLingui } from '@lingui/react/macro'
import { BadgeCheck } from 'lucide-react'
import css from './Verified.module.css'

export function Verified() {
  const { t } = useLingui()
  return <BadgeCheck role="img" aria-label={t`Vendeur vérifié`} className={css.verified} />
}
