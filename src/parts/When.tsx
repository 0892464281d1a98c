import { Trans } from '@lingui/react/macro'
import type { Live } from '../data/live.ts'
import { useFormat } from '../locales/format.ts'
import { useNow } from './now.ts'

export function When({ at, className }: { at: string | number; className?: string | undefined }) {
  const { ago, day } = useFormat()
  const now = useNow()
  const then = typeof at === 'number' ? at : Date.parse(at)
  return (
    <time
      dateTime={new Date(then).toISOString()}
      onPointerEnter={(event) => (event.currentTarget.title = day(then))}
      className={className}
      suppressHydrationWarning
    >
      {ago(then, now)}
    </time>
  )
}

export function Aged({
  live: { status, since },
  className,
}: {
  live: Pick<Live, 'status' | 'since'>
  className?: string | undefined
}) {
  if (status !== 'offline' || since === null) return null
  return (
    <p data-aged="" className={className}>
      <Trans>
        Mis à jour <When at={since} />. Impossible d’actualiser pour le moment.
      </Trans>
    </p>
  )
}
