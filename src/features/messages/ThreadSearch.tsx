import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from 'react'
import { fold } from '#schema/fold'
import { THREAD_ROWS_MAX } from '#schema/limits'
import { useLiveQuery } from '../../data/read.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { hasWords } from './marks.ts'
import css from './ThreadSearch.module.css'
import type { Find } from './useThread.ts'

/** On this device only [S13.35]. */
export function ThreadSearch({
  conversation,
  onFind,
  onOlder,
  onClose,
}: {
  conversation: string
  onFind: (find: Find) => void
  /** At least so many in all. */
  onOlder: (least: number) => void
  onClose: () => void
}) {
  const { t } = useLingui()
  const [typed, setTyped] = useState('')
  /** null: the newest. */
  const [chosen, setChosen] = useState<string | null>(null)
  const words = useDeferredValue(fold(typed.trim()))
  const { rows, facts } = useLiveQuery('messages.thread', {
    conversation,
    limit: THREAD_ROWS_MAX,
    local: true,
  })
  const found = rows.filter(({ content }) => hasWords(content, words)).map(({ id }) => id)
  const count = found.length
  const at = chosen === null ? count - 1 : found.indexOf(chosen)
  const shown = found[at] ?? null
  const box = useRef<HTMLInputElement>(null)

  useEffect(() => box.current?.focus(), [])
  useEffect(() => {
    onFind({ words, wanted: shown === null ? null : { id: shown } })
  }, [words, shown, onFind])

  function go(step: number) {
    setChosen(found[(at + step + count) % count] ?? null)
  }

  function key(event: KeyboardEvent) {
    if (event.key === 'Escape') onClose()
    if (event.key !== 'Enter' || count === 0) return
    event.preventDefault()
    go(event.shiftKey ? 1 : -1)
  }

  return (
    <div className={css.search} role="search" aria-label={t`Dans cette conversation`}>
      <div className={css.line}>
        <input
          ref={box}
          type="search"
          className={css.box}
          aria-label={t`Rechercher dans la conversation`}
          placeholder={t`Rechercher dans la conversation`}
          enterKeyHint="search"
          autoComplete="off"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setChosen(null)
          }}
          onKeyDown={key}
        />
        <IconButton
          label={t`Résultat plus ancien`}
          icon={ChevronUp}
          disabled={count === 0}
          onClick={() => go(-1)}
        />
        <IconButton
          label={t`Résultat plus récent`}
          icon={ChevronDown}
          disabled={count === 0}
          onClick={() => go(1)}
        />
        <IconButton label={t`Fermer la recherche`} icon={X} onClick={onClose} />
      </div>
      <div className={css.state}>
        <p role="status">
          {words !== '' &&
            (count === 0 ? (
              <Trans>Aucun message trouvé.</Trans>
            ) : (
              <>
                {at + 1}/<Plural value={count} one="# message" other="# messages" />
              </>
            ))}
        </p>
        {words !== '' && facts?.gapBefore != null && (
          <>
            <p className={css.limit}>
              <Trans>Les plus anciens ne sont pas sur ce téléphone.</Trans>
            </p>
            <Button kind="quiet" onClick={() => onOlder(rows.length + OLDER)}>
              {t`Charger`}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}

const OLDER = 60
