import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import LayoutList from 'lucide-react/icons/layout-list'
import Pencil from 'lucide-react/icons/pencil'
import type { ListingDocument } from '#schema/disk/documents'
import { localId } from '#schema/localConversation'
import type { Facts } from '#schema/port/question'
import { ask } from '../../data/ask.ts'
import { useSession } from '../../data/session.ts'
import { useTranslate } from '../../locales/translate.ts'
import { registerFor } from '../../parts/links.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Chip, chipRow } from '../../ui/Chip.tsx'
import { classes } from '../../ui/classes.ts'
import { draftKeyOf } from '../messages/peer.ts'
import { quickFor } from '../messages/quick.ts'
import css from './Contact.module.css'
import { ContactBar } from './ContactBar.tsx'

const QUICK = 4

export function Contact({
  listing,
  facts,
}: {
  listing: ListingDocument
  facts: Facts<'listing.detail'>
}) {
  const { t } = useLingui()
  const translate = useTranslate()
  const { token } = useSession()
  const navigate = useNavigate()

  if (facts.isOwner) return <Own listing={listing} />
  const open = listing.status === 'active' || listing.status === 'reserved'
  const { conversation } = facts

  async function write(text: string): Promise<void> {
    const conversationId = conversation ?? localId(listing.id)
    if (text !== '')
      await ask('draft.keep', { key: draftKeyOf(conversationId, listing.id, true), content: text })
    return navigate(
      token === null
        ? registerFor(`/messages/${conversationId}`)
        : { to: '/messages/{-$conversationId}', params: { conversationId } },
    )
  }

  if (!open && conversation === null) {
    return <p className={css.note}>{t`Cette annonce n’est plus disponible.`}</p>
  }
  const questions = quickFor('buyer', listing.category).slice(0, QUICK)
  return (
    <>
      <ContactBar listing={listing} onWrite={() => void write('')} />
      {conversation === null && (
        <div
          className={classes(chipRow, css.questions)}
          role="group"
          aria-label={t`Questions toutes prêtes`}
        >
          {questions.map((one) => (
            <Chip key={one.id} onClick={() => void write(translate(one))}>
              {translate(one)}
            </Chip>
          ))}
        </div>
      )}
    </>
  )
}

/** [S6.03]: the owner sees no contact options, but a refusal's reason and the way to edit. */
function Own({ listing: { id, status, more } }: { listing: ListingDocument }) {
  const { t } = useLingui()
  const refused = status === 'rejected'
  return (
    <>
      <p className={css.note}>
        {refused && more?.review_reason != null ? (
          <>
            {t`Raison du refus :`} <span dir="auto">{more.review_reason}</span>
          </>
        ) : (
          t`C’est votre annonce : les acheteurs voient ici comment vous joindre.`
        )}
      </p>
      <div className={css.bar}>
        <div className={css.actions}>
          <ButtonLink to="/dashboard" search={{ tab: 'listings' }} icon={LayoutList}>
            {t`Mes annonces`}
          </ButtonLink>
          <ButtonLink
            to="/create-listing"
            search={{ listing: id }}
            icon={Pencil}
            kind="main"
            className={css.write}
          >
            {refused ? t`Corriger` : t`Modifier`}
          </ButtonLink>
        </div>
      </div>
    </>
  )
}
