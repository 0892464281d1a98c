import { Trans, useLingui } from '@lingui/react/macro'
import { type Ref, useImperativeHandle } from 'react'
import { MESSAGE_MAX } from '#schema/limits'
import { localId } from '#schema/localConversation'
import { isVisible } from '#schema/text'
import { useLiveQuery } from '../../data/read.ts'
import { send } from '../../data/ask.ts'
import { useTranslate } from '../../locales/format.ts'
import { useNameOf } from '../../parts/person.ts'
import { Picture } from '../../parts/Picture.tsx'
import { Chip, chipRow } from '../../ui/Chip.tsx'
import { TextArea } from '../../ui/Field.tsx'
import { draftKeyOf } from '../messages/peer.ts'
import { quickFor } from '../messages/quick.ts'
import { useDraft } from '../messages/useDraft.ts'
import css from './FirstMessage.module.css'

const QUICK = 3

export interface MessageToSend {
  /** Stops saving the draft, which will be another account's; then sends it. */
  take: () => () => void
}

/** What a visitor writes to a seller [S13.12]: a draft, which the new account sends once. */
export function FirstMessage({
  listing,
  registers,
  ref,
}: {
  listing: string
  registers: boolean
  ref: Ref<MessageToSend>
}) {
  const { t } = useLingui()
  const translate = useTranslate()
  const nameOf = useNameOf()
  const [about] = useLiveQuery('listing.detail', { id: listing }).rows
  const key = draftKeyOf(localId(listing), listing, true)
  const { text, kept, write, hold } = useDraft(key)

  useImperativeHandle(ref, () => ({
    take() {
      hold()
      return () => {
        if (!isVisible(text)) return
        const content = text.toWellFormed().replaceAll('\0', '')
        void send('conversation.start', { listing, content }, undefined, key)
      }
    },
  }))

  return (
    <section
      className={css.message}
      aria-label={t`Message au vendeur`}
      data-kept={kept ? '' : undefined}
    >
      {about && (
        <div className="line">
          <Picture
            image={about.cover}
            alt=""
            sizes="3rem"
            widest={160}
            category={about.category}
            className={css.photo}
          />
          <p className="grow">
            {about.seller && (
              <strong>
                <Trans>
                  À <bdi>{nameOf(about.seller)}</bdi>
                </Trans>
              </strong>
            )}
            <span dir="auto" className={css.title}>
              {about.title}
            </span>
          </p>
        </div>
      )}
      <TextArea
        label={t`Votre message`}
        hint={registers ? t`Il part dès que votre compte est créé.` : t`Il part dès la connexion.`}
        rows={2}
        dir="auto"
        maxLength={MESSAGE_MAX}
        className={css.box}
        value={text}
        onValue={write}
      />
      {text === '' && (
        <div className={chipRow} role="group" aria-label={t`Messages tout prêts`}>
          {quickFor('buyer', about?.category ?? null)
            .slice(0, QUICK)
            .map((one) => (
              <Chip key={one.id} onClick={() => write(translate(one))}>
                {translate(one)}
              </Chip>
            ))}
        </div>
      )}
    </section>
  )
}
