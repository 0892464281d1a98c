import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import empty from 'virtual:texts/empty_states'
import type { Entry } from '#schema/disk/entry'
import { COMMENT_MAX, MESSAGE_MAX } from '#schema/limits'
import { localId } from '#schema/localConversation'
import { DatabaseProblemText } from '../../app/DatabaseProblem.tsx'
import { ask } from '../../data/ask.ts'
import { useLost } from '../../data/lost.ts'
import { useLiveQuery, useMe } from '../../data/read.ts'
import { useCost } from '../../locales/cost.ts'
import { useTranslate } from '../../locales/format.ts'
import AllDone from '../../parts/drawings/allDone.svg?react'
import { KeepOpen } from '../../parts/KeepOpen.tsx'
import { StoredPhoto } from '../../parts/StoredPhoto.tsx'
import { When } from '../../parts/When.tsx'
import { Page } from '../../parts/Page.tsx'
import { useNameOf } from '../../parts/person.ts'
import { CorrectLink, WifiChoice } from '../../parts/Unsent.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { WhyNotSent } from '../messages/WhyNotSent.tsx'
import css from './OutboxScreen.module.css'
import { askedAbout, byLane, describeEntry, isMoot, whyOf } from './describeEntry.ts'
import { EntryActions, mayHaveArrived } from './EntryActions.tsx'
import { LostNotice, UnreadRow } from './Unsendable.tsx'
import { signInTo } from '../../parts/links.ts'

export function OutboxScreen() {
  const { t } = useLingui()
  const translate = useTranslate()
  const cost = useCost()
  const { rows, facts } = useLiveQuery('outbox.entries', {})
  const state = useLiveQuery('network.state', {}).facts
  const network = state?.network ?? 'online'
  const problem = state?.databaseProblem
  const lost = useLost()
  const unread = facts?.unread ?? []
  const lanes = byLane(rows)
  const shown = lanes.flatMap(({ entries }) => entries)
  const bytes = shown.reduce((sum, entry) => sum + entry.bytes, 0)
  const some = shown.length > 0

  return (
    <Page
      title={t`En attente d’envoi`}
      shown={facts !== null}
      actions={
        shown.some((entry) => !isMoot(entry)) && (
          <Button onClick={() => void ask('outbox.retry', { id: null })}>
            {t`Tout envoyer maintenant`}
          </Button>
        )
      }
    >
      {lost && <LostNotice lost={lost} />}
      {problem && (
        <Notice tone="danger">
          <DatabaseProblemText problem={problem} />
        </Notice>
      )}
      {facts !== null && !some && !lost && !problem && unread.length === 0 && (
        <Empty
          drawing={<AllDone />}
          title={t`Tout est à jour`}
          text={translate(empty.outbox_none)}
          action={<ButtonLink to="/">{t`Aller à l’accueil`}</ButtonLink>}
        />
      )}
      {some && (
        <p className={css.sum}>
          <Plural value={shown.length} one="# envoi" other="# envois" /> · {cost(bytes)}
        </p>
      )}
      {some && <KeepOpen />}
      {facts !== null && facts.signedOut > 0 && (
        <Notice
          tone="wait"
          action={
            <ButtonLink kind="quiet" {...signInTo('/outbox')}>
              {t`Se connecter`}
            </ButtonLink>
          }
        >
          <Trans>
            Certains envois attendent que leur auteur se reconnecte. Personne d’autre ne les voit.
          </Trans>
        </Notice>
      )}
      {unread.length > 0 && (
        <section className="card">
          <h2 className={css.title}>{t`Illisibles pour cette version`}</h2>
          <ul className="ruled">
            {unread.map(({ id, row }) => (
              <UnreadRow key={id} id={id} row={row} />
            ))}
          </ul>
        </section>
      )}
      {lanes.map(({ lane, entries }) => (
        <section key={lane} className="card">
          <h2 className={css.title}>{entries[0] && <LaneTitle entry={entries[0]} />}</h2>
          <ul className="ruled">
            {entries.map((entry, at) => (
              <Row key={entry.id} entry={{ ...entry, why: whyOf(entry, at, network) }} />
            ))}
          </ul>
        </section>
      ))}
    </Page>
  )
}

function LaneTitle({ entry: { name, payload } }: { entry: Entry }) {
  const { t } = useLingui()
  const { conversation, listing } = payload
  if (typeof conversation === 'string') return <ConversationTitle id={conversation} />
  if (typeof listing !== 'string' || name === 'listing.delete') return t`Mon compte`
  if (name === 'conversation.start') return <ConversationTitle id={localId(listing)} />
  return (
    <Link to="/listings/$listingId" params={{ listingId: listing }}>
      {t`Une annonce`}
    </Link>
  )
}

function ConversationTitle({ id }: { id: string }) {
  const { t } = useLingui()
  const nameOf = useNameOf()
  const { rows } = useLiveQuery('conversation.detail', { id })
  const me = useMe()?.id
  const [conversation] = rows
  const peer = conversation?.participants.find((person) => person.id !== me)
  return (
    <Link to="/messages/{-$conversationId}" params={{ conversationId: id }}>
      {peer ? <bdi>{nameOf(peer)}</bdi> : t`Conversation`}
      {conversation && (
        <>
          {' · '}
          <bdi>{conversation.listing.title}</bdi>
        </>
      )}
    </Link>
  )
}

function Row({ entry }: { entry: Entry }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const cost = useCost()
  const { what, content, photo, editable } = describeEntry(entry)
  const flying = entry.state === 'sending'
  const moot = isMoot(entry)
  const asked = askedAbout(entry)
  return (
    <li className={css.entry} data-outbox={entry.id} data-state={entry.state}>
      <p className={css.what}>
        <strong>{translate(what)}</strong>
        <span className={css.facts}>
          <When at={entry.bornAt} /> · {cost(entry.bytes)}
        </span>
      </p>
      {photo !== null && <StoredPhoto id={photo} alt={t`Photo`} className={css.photo} />}
      {content !== null && content !== '' && (
        <p dir="auto" className={css.content}>
          {content}
        </p>
      )}
      <p
        className={classes(css.why, entry.state === 'refused' && css.refused)}
        role={entry.state === 'refused' ? 'alert' : undefined}
      >
        {moot ? (
          t`Cette annonce n’existe plus : ceci ne peut plus être envoyé.`
        ) : (
          <WhyNotSent entry={entry} />
        )}
      </p>
      <WifiChoice entry={entry} />
      {entry.state === 'refused' && !moot && asked === null && <CorrectLink entry={entry} />}
      {!flying && (
        <EntryActions
          id={entry.id}
          content={editable && !moot ? content : null}
          most={entry.name === 'review.write' ? COMMENT_MAX : MESSAGE_MAX}
          retry={entry.state !== 'signed-out' && !moot}
          uncertain={mayHaveArrived(entry)}
          asked={asked}
          className={css.actions}
        />
      )}
    </li>
  )
}
