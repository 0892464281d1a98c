import { useLingui } from '@lingui/react/macro'
import BadgeCheck from 'lucide-react/icons/badge-check'
import Pencil from 'lucide-react/icons/pencil'
import Share2 from 'lucide-react/icons/share-2'
import { Suspense, useState } from 'react'
import type { ShopDocument } from '#schema/disk/documents'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat } from '../../locales/format.ts'
import { FollowButton } from '../../parts/FollowButton.tsx'
import { Rating, SellerFacts } from '../../parts/SellerFacts.tsx'
import { PersonMenu } from '../../parts/PersonMenu.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { ButtonLink, IconButton } from '../../ui/Button.tsx'
import css from './ShopHead.module.css'
import { lazyNamed } from '../../ui/lazy.ts'

const ReportDialog = lazyNamed(() => import('../report/ReportDialog.tsx'), 'ReportDialog')
const ShareDialog = lazyNamed(() => import('../../parts/ShareDialog.tsx'), 'ShareDialog')

export function ShopHead({ shop, own }: { shop: ShopDocument; own: boolean }) {
  const { t } = useLingui()
  const followed = useLiveQuery('seller.follow', { id: shop.id }).facts
  const [open, setOpen] = useState<'share' | 'report' | null>(null)
  const name = shop.shop_name ?? shop.username
  const close = (): void => setOpen(null)
  return (
    <header className={css.head}>
      <Avatar src={shop.avatar} name={name} size="l" />
      <div className={css.text}>
        <h1 className={css.name}>
          <span dir="auto">{name}</span>
          {shop.verified_seller && <BadgeCheck role="img" aria-label={t`Vendeur vérifié`} />}
        </h1>
        <p className="quiet">@{shop.username}</p>
        {shop.rating.average !== null && (
          <p className={css.rating}>
            <Rating average={shop.rating.average} count={shop.rating.count} />
          </p>
        )}
      </div>
      <div className={css.actions}>
        {own ? (
          <ButtonLink to="/profile" icon={Pencil}>
            {t`Modifier le profil`}
          </ButtonLink>
        ) : (
          <FollowButton seller={shop.id} main />
        )}
        <IconButton
          label={t`Partager`}
          icon={Share2}
          className={css.tool}
          onClick={() => setOpen('share')}
        />
        {!own && <ShopMenu seller={shop.id} name={name} onReport={() => setOpen('report')} />}
      </div>
      {shop.bio !== '' && (
        <p dir="auto" className={css.bio}>
          {shop.bio}
        </p>
      )}
      <ul className={css.facts}>
        <Followers count={followed?.followers ?? shop.followers_count} />
        <SellerFacts seller={shop} />
      </ul>
      <Suspense>
        {open === 'share' && (
          <ShareDialog
            shared={{
              title: name,
              url: `${location.origin}/shop/${shop.slug ?? shop.id}`,
              strong: '',
              quiet: shop.bio,
              photo: shop.avatar,
            }}
            onClose={close}
          />
        )}
        {open === 'report' && <ReportDialog open onClose={close} user={shop.id} />}
      </Suspense>
    </header>
  )
}

function Followers({ count }: { count: number }) {
  const { t } = useLingui()
  const { number, some } = useFormat()
  const all = number(count)
  return <li>{some(count, t`${all} abonné`, t`${all} abonnés`)}</li>
}

function ShopMenu(props: { seller: string; name: string; onReport: () => void }) {
  const { t } = useLingui()
  const { seller, name, onReport } = props
  const blocked = useLiveQuery('account.blocked', {}).rows.some(({ id }) => id === seller)
  return (
    <PersonMenu
      label={t`Actions pour ${name}`}
      user={seller}
      name={name}
      blocked={blocked}
      className={css.tool}
      onReport={onReport}
    />
  )
}
