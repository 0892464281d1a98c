import { useLingui } from '@lingui/react/macro'
import { Check, Pencil, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { OwnListingDocument } from '#schema/disk/documents'
import { PRICE_MAX } from '#schema/limits'
import { commandId, send } from '../../data/ask.ts'
import { useFormat, useTranslate } from '../../locales/format.ts'
import { categoryOf } from '../../parts/categories.ts'
import { Price } from '../../parts/Price.tsx'
import { queuedOrToast } from '../../parts/queuedOrToast.ts'
import { priceOf } from '../../parts/typedPrice.ts'
import { IconButton } from '../../ui/Button.tsx'
import { toast } from '../../ui/toasts.ts'
import css from './PriceEdit.module.css'
import { priceChange, undone } from './priceChange.ts'

/** [S13.46] */
export function PriceEdit({ listing }: { listing: OwnListingDocument }) {
  const { t } = useLingui()
  const { money } = useFormat()
  const translate = useTranslate()
  const [text, setText] = useState<string | null>(null)
  const { title, price, category } = listing
  const absent = translate(categoryOf(category)?.absent ?? undefined)
  const amount = priceOf(text ?? '') ?? null
  const typed = (text ?? '').trim()
  const fits =
    typed === '' ? absent !== undefined : amount !== null && amount > 0 && amount <= PRICE_MAX

  async function save(event: FormEvent) {
    event.preventDefault()
    if (!fits) return
    setText(null)
    if (amount === price) return
    const change = priceChange(listing, commandId(), amount)
    if (!(await queuedOrToast(send('listing.edit', change), t`Impossible de changer le prix`)))
      return
    toast(amount === null ? t`Prix retiré.` : t`Nouveau prix\u00a0: ${money(amount)}`, {
      action: {
        label: t`Annuler`,
        run: () => void queuedOrToast(send('listing.edit', undone(change))),
      },
    })
  }

  if (text === null)
    return (
      <button
        type="button"
        className={css.price}
        onClick={() => setText(price === null ? '' : String(price))}
      >
        <Price price={price} category={category} />
        <Pencil />
        <span className="unseen">{t`Changer le prix de ${title}`}</span>
      </button>
    )
  return (
    <form noValidate className={css.form} onSubmit={(event) => void save(event)}>
      <input
        // The tap on the price asked for it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        aria-label={t`Prix (F CFA)`}
        aria-invalid={!fits}
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="done"
        placeholder={absent}
        value={text}
        className={css.input}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && setText(null)}
      />
      <IconButton type="submit" label={t`Enregistrer le prix`} icon={Check} disabled={!fits} />
      <IconButton label={t`Annuler`} icon={X} onClick={() => setText(null)} />
      <output className={css.seen}>
        {fits ? amount !== null && money(amount) : t`Écrivez un nombre entier.`}
      </output>
    </form>
  )
}
