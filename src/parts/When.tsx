import { useFormat } from '../locales/format.ts'
import { useNow } from './now.ts'

/** How long ago, and the exact day for those who ask. */
export function When({ at, className }: { at: string | number; className?: string | undefined }) {
  const { ago, day } = useFormat()
  const now = useNow()
  const then = typeof at === 'number' ? at : Date.parse(at)
  return (
    <time dateTime={new Date(then).toISOString()} onPointerEnter={(event) => (event.currentTarget.title = day(then))} className={className} suppressHydrationWarning>
      {ago(then, now)}
    </time>
  )
}
