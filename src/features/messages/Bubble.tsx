import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import ShieldAlert from 'lucide-react/icons/shield-alert'
import { memo, useState } from 'react'
import type { Entry } from '#schema/disk/entry'
import { MESSAGE_MAX } from '#schema/limits'
import type { MessageDocument, MessageState } from '#schema/disk/documents'
import { useFormat } from '../../locales/format.ts'
import { useTranslate } from '../../locales/translate.ts'
import { DeliveryMark } from '../../parts/DeliveryMark.tsx'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { EntryActions, mayHaveArrived } from '../outbox/EntryActions.tsx'
import css from './Bubble.module.css'
import { MessagePhoto } from './MessagePhoto.tsx'
import type { ScamPattern } from './scam.ts'
import { WhyNotSent } from './WhyNotSent.tsx'

interface Props {
  message: MessageDocument
  state: MessageState
  own: boolean
  follows: boolean
  warning: ScamPattern | undefined
  entry: Entry | undefined
  onReport: () => void
}

export const Bubble = memo(function Drawn({
  message,
  state,
  own,
  follows,
  warning,
  entry,
  onReport,
}: Props) {
  const { time } = useFormat()
  // Just written, so in view: saves the browser a layout pass to find out.
  const [written] = useState(state === 'queued')
  return (
    <li
      className={classes(css.row, own && css.own, follows && css.follows, written && css.written)}
    >
      <div
        className={classes(css.bubble, state === 'refused' && css.refused)}
        data-message={message.id}
        data-state={state}
        data-seq={own ? undefined : message.seq}
      >
        <MessagePhoto message={message} own={own} />
        {message.content !== '' && (
          <p dir="auto" className={css.text}>
            {message.content}
          </p>
        )}
        <p className={css.foot}>
          <time dateTime={message.created_at}>{time(Date.parse(message.created_at))}</time>
          {own && <DeliveryMark state={state} />}
        </p>
      </div>
      {warning && <Warning pattern={warning} onReport={onReport} />}
      {state === 'refused' && (
        <div className={css.trouble}>
          <Reason entry={entry} />
          <EntryActions
            id={message.id}
            content={message.content}
            most={MESSAGE_MAX}
            retry
            uncertain={entry !== undefined && mayHaveArrived(entry)}
            className={css.actions}
          />
        </div>
      )}
    </li>
  )
})

function Reason({ entry }: { entry: Entry | undefined }) {
  return (
    <p role="alert">
      <strong>
        <Trans>Échec de l’envoi du message</Trans>
      </strong>
      {entry && (
        <>
          {' '}
          <WhyNotSent entry={entry} />
        </>
      )}
    </p>
  )
}

/** The warning under a message that matches a fraud pattern [F05]. */
function Warning({ pattern, onReport }: { pattern: ScamPattern; onReport: () => void }) {
  const { t } = useLingui()
  const translate = useTranslate()
  return (
    <div className={classes(css.warning, css[pattern.severity])} role="note">
      <ShieldAlert />
      <p>
        {translate(pattern.warning)}{' '}
        {pattern.severity !== 'low' && (
          <Link to="/help" hash="safety">
            {t`Conseils de sécurité`}
          </Link>
        )}
      </p>
      {pattern.severity === 'high' && (
        <Button kind="quiet" onClick={onReport}>
          {t`Signaler`}
        </Button>
      )}
    </div>
  )
}
