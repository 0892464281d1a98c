import { Trans, useLingui } from '@lingui/react/macro'
import { useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { BOTTOM_NAV_MAX_PX } from '#schema/limits'
import { useScreen } from '../../app/screen.ts'
import { useLiveQuery } from '../../data/read.ts'
import NoMessages from '../../parts/drawings/noMessages.svg?react'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/Empty.tsx'
import { useMedia } from '../../ui/media.ts'
import { Chat } from './Chat.tsx'
import { ConversationList, ConversationsComing } from './ConversationList.tsx'
import css from './MessagesScreen.module.css'
import { useFill } from './useFill.ts'

/** [S2.10]: list or chat on a narrow window, both from 900 px. */
export function MessagesScreen() {
  const { conversationId: chosen = null } = useParams({ strict: false })
  const { rows } = useLiveQuery('account.me', {})
  const wide = useMedia(`(min-width: ${BOTTOM_NAV_MAX_PX + 1}px)`)
  const place = useRef<HTMLDivElement>(null)
  const me = rows[0]?.user.id ?? null
  useFill(place, me !== null && (wide || chosen !== null))

  if (me === null) return <Nobody chosen={chosen !== null} />
  if (!wide && chosen === null) {
    return (
      <div className={css.list}>
        <Title />
        <ConversationList me={me} chosen={null} />
      </div>
    )
  }
  return (
    <div ref={place} className={css.place}>
      <div className={classes(css.panes, wide && css.two)}>
        {wide && (
          <div className={css.side}>
            <ConversationList me={me} chosen={chosen} />
          </div>
        )}
        {chosen === null ? (
          <div className={css.none}>
            <Title />
            <Empty drawing={<NoMessages />} text={<Trans>Choisissez une conversation.</Trans>} />
          </div>
        ) : (
          <Chat key={chosen} id={chosen} me={me} alone={!wide} />
        )}
      </div>
    </div>
  )
}

function Title() {
  const { t } = useLingui()
  useScreen(t`Messages`)
  return null
}

/** Until the device knows who is signed in. */
function Nobody({ chosen }: { chosen: boolean }) {
  const { t } = useLingui()
  useScreen(t`Messages`, false)
  return (
    <div className={css.list} aria-busy="true">
      {chosen ? <h1 className="unseen">{t`Messages`}</h1> : <ConversationsComing />}
    </div>
  )
}
