import { Trans, useLingui } from '@lingui/react/macro'
import type { DatabaseProblem } from '#schema/port/outcome'

export function DatabaseProblemText({ problem }: { problem: DatabaseProblem }) {
  return problem === 'newer' ? (
    <Trans>
      Une version plus récente de l’application est ouverte. Ce qui est écrit ici n’est plus gardé.
    </Trans>
  ) : (
    <Trans>La mémoire de ce téléphone ne répond pas : rien n’est gardé pour l’instant.</Trans>
  )
}

export function DatabaseProblemLine({
  problem,
  className,
}: {
  problem: DatabaseProblem
  className: string | undefined
}) {
  const { t } = useLingui()
  return (
    <>
      <DatabaseProblemText problem={problem} />{' '}
      <button type="button" className={className} onClick={() => location.reload()}>
        {t`Recharger`}
      </button>
    </>
  )
}
