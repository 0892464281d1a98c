'use no memo'

import { useLingui } from '@lingui/react/macro'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { clearAndReload } from '../data/clear.ts'
import { Button, ButtonAnchor } from '../ui/Button.tsx'
import css from './ErrorScreen.module.css'
import { isMissing, MissingScreen } from './MissingScreen.tsx'
import { report } from './monitor.ts'

export function ErrorScreen({ error }: ErrorComponentProps) {
  return isMissing(error) ? <MissingScreen /> : <BrokenScreen error={error} />
}

/** [S2.48]. The router may be broken: its links are plain anchors. */
function BrokenScreen({ error }: { readonly error: unknown }) {
  const { t } = useLingui()
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  useEffect(() => report('react-error', { message: what.slice(0, 500) }), [what])
  return (
    <section className={css.screen} role="alert">
      <TriangleAlert className={css.sign} />
      <h1>{t`Oups… une erreur est survenue`}</h1>
      <p>{t`Nous avons été notifiés. Essayez une des options ci‑dessous :`}</p>
      <div className="stack">
        <Button kind="main" onClick={() => location.reload()}>{t`Recharger`}</Button>
        <Button onClick={() => void clearAndReload()}>{t`Vider le cache et recharger`}</Button>
        <ButtonAnchor href="/">{t`Aller à l’accueil`}</ButtonAnchor>
        <ButtonAnchor href="/settings">{t`Ouvrir les paramètres`}</ButtonAnchor>
      </div>
      <details className={css.details}>
        <summary>{t`Détails techniques`}</summary>
        <pre>{what}</pre>
      </details>
    </section>
  )
}
