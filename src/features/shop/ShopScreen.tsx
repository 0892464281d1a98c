import { useLingui } from '@lingui/react/macro'
import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import empty from 'virtual:texts/empty_states'
import { useScreen } from '../../app/screen.ts'
import { refresh } from '../../data/ask.ts'
import { useLiveQuery, useMe } from '../../data/read.ts'
import { useTranslate } from '../../locales/format.ts'
import { NoResult, NotFound, Offline } from '../../parts/drawings/lazyDrawings.tsx'
import { GrowingList, ListCount, ListSkeleton } from '../../parts/GrowingList.tsx'
import { usePagination } from '../../parts/pagination.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { ChipChoice } from '../../ui/Chip.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { type Address, filtersOf } from '../browse/filterParams.ts'
import { FilterBar } from '../browse/FilterBar.tsx'
import { Reviews } from './Reviews.tsx'
import { ShopHead } from './ShopHead.tsx'
import css from './ShopScreen.module.css'

/** [S2.09, S2.41] */
export function ShopScreen() {
  const { t } = useLingui()
  const { slug } = useParams({ from: '/shop/$slug' })
  const { rows, facts, status, since } = useLiveQuery('shop.detail', { slug })
  const [shop] = rows
  useScreen(
    shop?.shop_name ?? shop?.username ?? t`Boutique`,
    facts !== null && (shop !== undefined || status !== 'loading'),
  )
  if (!shop && facts?.problem != null) return <Unknown />
  const failed = status === 'stale' && since === null
  if (!shop && (failed || status === 'offline')) return <NotHere slug={slug} failed={failed} />
  return (
    <div className={css.screen}>
      {shop ? (
        <ShopHead shop={shop} own={facts?.isMe === true} />
      ) : (
        <>
          <h1 className="unseen">{t`Boutique`}</h1>
          <Skeleton shape="block" className={css.waits} />
        </>
      )}
      <Listings slug={slug} />
      {shop && <Reviews key={shop.id} seller={shop.id} />}
    </div>
  )
}

function Listings({ slug }: { slug: string }) {
  const { t } = useLingui()
  const navigate = useNavigate()
  const search = useSearch({ strict: false })
  const sold = search['status'] === 'sold'
  const filters = shopFilters(search)
  const open = (next: Address, toSold: boolean) =>
    void navigate({
      to: '/shop/$slug',
      params: { slug },
      search: { ...next, ...(toSold && { status: 'sold' }) },
      resetScroll: false,
    })
  return (
    <section aria-label={t`Annonces`} className={css.listings}>
      <h2>{t`Annonces`}</h2>
      <FilterBar filters={filters} seller={slug} onChange={(next) => open(next, sold)} />
      <ChipChoice
        label={t`Annonces à montrer`}
        options={[
          ['active', t`En vente`],
          ['sold', t`Vendues`],
        ]}
        value={sold ? 'sold' : 'active'}
        onValue={(status) => open(filters, status === 'sold')}
      />
      <List
        key={JSON.stringify([slug, filters, sold])}
        slug={slug}
        filters={sold ? { ...filters, status: 'sold' } : filters}
      />
    </section>
  )
}

function shopFilters(search: Readonly<Record<string, unknown>>): Address {
  return Object.fromEntries(Object.entries(filtersOf(search)).filter(([name]) => name !== 'seller'))
}

function List({ slug, filters }: { slug: string; filters: Address }) {
  const pagination = usePagination()
  const params = { slug, filters, limit: pagination.limit, from: pagination.reading }
  const live = useLiveQuery('shop.listings', params)
  const { rows, facts, status } = live
  if (facts === null || (rows.length === 0 && status === 'loading'))
    return <ListSkeleton count={4} />
  if (rows.length === 0)
    return (
      <Nothing
        slug={slug}
        filtered={Object.keys(filters).some((name) => name !== 'ordering' && name !== 'status')}
        sold={filters['status'] === 'sold'}
        offline={facts.coverage === 'phone'}
      />
    )
  return (
    <>
      <ListCount facts={facts} rows={rows.length} />
      <GrowingList
        live={live}
        facts={facts}
        pagination={pagination}
        onRetry={() => refresh('shop.listings', params)}
      />
    </>
  )
}

function Nothing({
  slug,
  filtered,
  sold,
  offline,
}: {
  slug: string
  filtered: boolean
  sold: boolean
  offline: boolean
}) {
  const { t } = useLingui()
  const translate = useTranslate()
  const text = offline
    ? t`Aucune annonce de cette boutique sur ce téléphone. La liste viendra avec le réseau.`
    : filtered
      ? t`Aucune annonce de cette boutique ne correspond.`
      : sold
        ? t`Rien n’a encore été vendu dans cette boutique.`
        : translate(empty.shop_none)
  return (
    <Empty
      drawing={<NoResult />}
      text={text}
      action={
        filtered && (
          <ButtonLink to="/shop/$slug" params={{ slug }} search={{}}>
            {t`Voir toutes les annonces`}
          </ButtonLink>
        )
      }
    />
  )
}

function Unknown() {
  const { t } = useLingui()
  return (
    <Empty
      drawing={<NotFound />}
      heading="h1"
      title={t`Boutique introuvable.`}
      text={t`Son adresse a peut-être changé, ou le vendeur est parti.`}
      action={
        <ButtonLink to="/listings" kind="main">
          {t`Voir les annonces`}
        </ButtonLink>
      }
    />
  )
}

function NotHere({ slug, failed }: { slug: string; failed: boolean }) {
  const { t } = useLingui()
  return (
    <div className={css.screen}>
      <h1>{t`Boutique`}</h1>
      <Empty
        drawing={<Offline />}
        alert={failed}
        title={t`Pas encore sur ce téléphone`}
        text={
          failed
            ? t`Impossible de charger la boutique.`
            : t`Cette boutique n’a jamais été ouverte ici. Elle s’affichera au retour du réseau.`
        }
        onRetry={() => refresh('shop.detail', { slug })}
      />
      <Listings slug={slug} />
    </div>
  )
}

/** [S2.08] */
export function OwnShopScreen() {
  const { t } = useLingui()
  const user = useMe()
  useScreen(t`Ma boutique`, false)
  return user ? (
    <Navigate to="/shop/$slug" params={{ slug: user.slug }} replace />
  ) : (
    <Skeleton shape="block" />
  )
}
