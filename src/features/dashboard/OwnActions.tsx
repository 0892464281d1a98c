import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import {
  Archive,
  ArchiveRestore,
  BadgeCheck,
  CalendarClock,
  CalendarPlus,
  EllipsisVertical,
  Handshake,
  Pause,
  Pencil,
  Play,
  Sparkles,
  Trash2,
  Undo2,
} from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { OwnListingDocument } from '#schema/disk/documents'
import type { SendResult } from '#schema/port/outcome'
import { send } from '../../data/ask.ts'
import type { Sentence } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/format.ts'
import { queuedOrToast } from '../../parts/queuedOrToast.ts'
import { Button, type Icon } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { toast } from '../../ui/toasts.ts'
import { type Action, actionsFor } from './actions.ts'
import css from './OwnActions.module.css'
import { RENEW_DAYS, RenewDialog } from './RenewDialog.tsx'

const labels: Readonly<Record<Action, readonly [Icon, Sentence]>> = {
  correct: [Pencil, msg`Corriger`],
  edit: [Pencil, msg`Modifier`],
  sell: [BadgeCheck, msg`Marquer vendue`],
  unsell: [Undo2, msg`Remettre en vente`],
  reserve: [Handshake, msg`Marquer réservée`],
  unreserve: [Undo2, msg`Plus réservée`],
  pause: [Pause, msg`Mettre en pause`],
  resume: [Play, msg`Reprendre`],
  feature: [Sparkles, msg`Mettre à la une`],
  unfeature: [Sparkles, msg`Retirer de la une`],
  renew: [CalendarPlus, msg`Prolonger de ${RENEW_DAYS} jours`],
  extend: [CalendarClock, msg`Choisir la durée…`],
  archive: [Archive, msg`Archiver`],
  unarchive: [ArchiveRestore, msg`Désarchiver`],
  delete: [Trash2, msg`Supprimer`],
}

/** [S4.02]: the likeliest two as buttons, the rest in a menu. */
export function OwnActions({ listing }: { listing: OwnListingDocument }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'extend' | 'delete' | null>(null)
  const actions = actionsFor(listing)
  const close = () => setOpen(null)

  const report = (sent: Promise<SendResult>) =>
    void queuedOrToast(sent, t`Impossible de changer l’état`)

  function renew(days: number) {
    report(send('listing.reactivate', { listing: listing.id, days }))
  }

  function act(action: Action) {
    if (action === 'extend' || action === 'delete') setOpen(action)
    else if (action === 'renew') renew(RENEW_DAYS)
    else if (action === 'edit' || action === 'correct')
      void navigate({ to: '/create-listing', search: { listing: listing.id } })
    else void toggle(...toggles[action])
  }

  async function toggle(...[flag, wanted, text]: (typeof toggles)[keyof typeof toggles]) {
    const set = (desired: boolean) =>
      queuedOrToast(
        send('listing.state', { listing: listing.id, flag, desired }),
        t`Impossible de changer l’état`,
      )
    if (!(await set(wanted))) return
    toast(text, {
      title: listing.title,
      // Cancels it while it waits, and follows it afterwards.
      action: { label: t`Annuler`, run: () => void set(!wanted) },
    })
  }

  return (
    <>
      <div className={css.actions}>
        <div className="row grow">
          {actions.slice(0, BUTTONS).map((action) => {
            const [icon, name] = labels[action]
            return (
              <Button
                key={action}
                icon={icon}
                kind={action === 'correct' ? 'main' : 'plain'}
                className={css.button}
                onClick={() => act(action)}
              >
                {translate(name)}
              </Button>
            )
          })}
        </div>
        <Menu label={t`Actions pour ${listing.title}`} button={<EllipsisVertical />}>
          {actions.slice(BUTTONS).map((action) => {
            const [Sign, name] = labels[action]
            return (
              <MenuItem icon={Sign} key={action} onClick={() => act(action)}>
                {translate(name)}
              </MenuItem>
            )
          })}
        </Menu>
      </div>
      {open === 'extend' && <RenewDialog onClose={close} onRenew={renew} />}
      <Confirm
        open={open === 'delete'}
        onClose={close}
        title={t`Supprimer cette annonce ?`}
        action={t`Supprimer`}
        onConfirm={() => report(send('listing.delete', { listing: listing.id }))}
      >
        <Trans>
          « {listing.title} » disparaît pour tout le monde et ne revient pas. Les conversations
          restent.
        </Trans>
      </Confirm>
    </>
  )
}

const BUTTONS = 2

/** Flag and value [API 9.4], and what it says when it is done. */
const toggles = {
  sell: ['sold', true, msg`Marquée vendue.`],
  unsell: ['sold', false, msg`Remise en vente.`],
  reserve: ['reserved', true, msg`Marquée réservée.`],
  unreserve: ['reserved', false, msg`Plus réservée.`],
  pause: ['active', false, msg`Mise en pause.`],
  resume: ['active', true, msg`De nouveau en ligne.`],
  feature: ['featured', true, msg`Mise à la une.`],
  unfeature: ['featured', false, msg`Retirée de la une.`],
  archive: ['archived', true, msg`Archivée.`],
  unarchive: ['archived', false, msg`Désarchivée.`],
} as const
