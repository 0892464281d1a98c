import { Trans } from '@lingui/react/macro'
import type { DatabaseProblem } from '#schema/port/outcome'

export function HeldWords({ held }: { held: DatabaseProblem }) {
  return held === 'newer' ? (
    <Trans>
      Une version plus récente de l’application est ouverte. Ce qui est écrit ici n’est plus gardé.
    </Trans>
  ) : (
    <Trans>La mémoire de ce téléphone ne répond pas : rien n’est gardé pour l’instant.</Trans>
  )
}

/** The variant for the line under the header. */
export default function HeldLine({
  held,
  className,
}: {
  held: DatabaseProblem
  className: string | undefined
}) {
  return (
    <>
      <HeldWords held={held} />{' '}
      <button type="button" className={className} onClick={() => location.reload()}>
        <Trans>Recharger</Trans>
      </button>
    </>
  )
}
