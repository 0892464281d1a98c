import { Trans, useLingui } from '@lingui/react/macro'
import { useParams } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'
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

const KEYBOARD_MIN = 120
/** Above the keyboard of a small phone, px. */
const TIGHT = 420

/**
 * Fits a pane between header and on-screen keyboard (`--top`, `--keyboard`, px). Some keyboards
 * only resize the visual viewport.
 */
function useFill(place: RefObject<HTMLElement | null>, on: boolean) {
  useEffect(() => {
    const element = place.current
    const view = visualViewport
    if (!on || !element) return undefined
    const fit = () => {
      const covered = view ? innerHeight - view.height : 0
      const height = view?.height ?? innerHeight
      const open =
        covered > KEYBOARD_MIN ||
        (height < TIGHT &&
          element.contains(document.activeElement) &&
          document.activeElement?.tagName === 'TEXTAREA')
      const above =
        open && view ? view.offsetTop : Math.max(0, element.getBoundingClientRect().top + scrollY)
      if (open) element.setAttribute('data-keyboard', height < TIGHT ? 'tight' : '')
      else element.removeAttribute('data-keyboard')
      element.style.setProperty('--top', `${above}px`)
      element.style.setProperty('--keyboard', `${open && view ? covered - view.offsetTop : 0}px`)
    }
    fit()
    // Header, banners and lines appear, vanish and wrap, which moves the pane.
    const sizes = new ResizeObserver(fit)
    const main = element.closest('main') ?? document.body
    const around = main.parentElement ?? main
    const follow = () => {
      sizes.disconnect()
      for (const part of [...around.children, ...main.children]) sizes.observe(part)
      fit()
    }
    const parts = new MutationObserver(follow)
    for (const place of [around, main]) parts.observe(place, { childList: true })
    follow()
    const listening = new AbortController()
    const { signal } = listening
    for (const event of ['focusin', 'focusout']) element.addEventListener(event, fit, { signal })
    for (const event of ['resize', 'scroll']) view?.addEventListener(event, fit, { signal })
    return () => {
      parts.disconnect()
      sizes.disconnect()
      listening.abort()
    }
  }, [place, on])
}
