import { Plural, useLingui } from '@lingui/react/macro'
import { PenLine } from 'lucide-react'
import empty from 'virtual:texts/empty_states'
import { useState } from 'react'
import { LIST_ROWS_MAX, PAGE_SIZE } from '#schema/limits'
import type { Review, ReviewAggregate } from '#schema/wire/review'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat, useTranslate } from '../../locales/format.ts'
import { useNameOf } from '../../parts/person.ts'
import { Stars } from '../../parts/SellerFacts.tsx'
import { When } from '../../parts/When.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './Reviews.module.css'
import { lazyNamed } from '../../ui/lazy.tsx'

const ReviewDialog = lazyNamed(() => import('./ReviewDialog.tsx'), 'ReviewDialog')

/** [S3.17] */
export function Reviews({ seller }: { seller: string }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const [limit, setLimit] = useState(PAGE_SIZE)
  const { rows, facts, status, since } = useLiveQuery('shop.reviews', { slug: seller, limit })
  const aggregate = facts?.aggregate ?? null
  return (
    <section aria-label={t`Avis`} className={css.reviews}>
      <h2>{t`Avis`}</h2>
      {aggregate !== null && <Sum aggregate={aggregate} />}
      {aggregate?.can_review === true && <Write seller={seller} mine={aggregate.my_review} />}
      {rows.length === 0 &&
        (status === 'loading' ? (
          <Skeleton />
        ) : (
          <p className="quiet">
            {status === 'offline' || since === null
              ? t`Les avis viendront avec le réseau.`
              : translate(empty.reviews_none)}
          </p>
        ))}
      <ul className={css.list}>
        {rows.map((review) => (
          <One key={review.id} review={review} />
        ))}
      </ul>
      {facts?.more === true && limit < LIST_ROWS_MAX && (
        <Button onClick={() => setLimit(limit + PAGE_SIZE)}>{t`Afficher plus d’avis`}</Button>
      )}
    </section>
  )
}

function Sum({ aggregate: { average, count } }: { aggregate: ReviewAggregate }) {
  const { number } = useFormat()
  if (average === null) return null
  return (
    <p className={css.line}>
      <strong>{number(average)}</strong>
      <Stars rating={Math.round(average)} />
      <span className="quiet">
        <Plural value={count} one="# avis" other="# avis" />
      </span>
    </p>
  )
}

function Write({ seller, mine }: { seller: string; mine: Review | null }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={PenLine} onClick={() => setOpen(true)}>
        {mine === null ? t`Donner un avis` : t`Modifier mon avis`}
      </Button>
      {open && <ReviewDialog seller={seller} mine={mine} onClose={() => setOpen(false)} />}
    </>
  )
}

function One({ review: { reviewer, rating, comment, updated_at: at } }: { review: Review }) {
  const name = useNameOf()(reviewer)
  return (
    <li className={css.one}>
      <Avatar src={reviewer.avatar} name={name} size="s" />
      <div className={css.text}>
        <p className={css.line}>
          <bdi className={css.name}>{name}</bdi>
          <Stars rating={rating} />
          <When at={at} className="quiet" />
        </p>
        {comment !== '' && (
          <p dir="auto" className={css.comment}>
            {comment}
          </p>
        )}
      </div>
    </li>
  )
}
