import { useLingui } from '@lingui/react/macro'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { ShopDocument } from '#schema/disk/documents'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat } from '../../locales/format.ts'
import { ShareButton } from '../../parts/ShareButton.tsx'
import { FollowButton } from '../../parts/FollowButton.tsx'
import { Rating, SellerFacts } from '../../parts/SellerFacts.tsx'
import { PersonMenu } from '../../parts/PersonMenu.tsx'
import { Verified } from '../../parts/Verified.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import css from './ShopHead.module.css'
import { lazyNamed } from '../../ui/lazy.tsx'

const ReportDialog = lazyNamed(() => import('../report/ReportDialog.tsx'), 'ReportDialog')

export function ShopHead({ shop, own }: { shop: ShopDocument; own: boolean }) {
  const { t } = useLingui()
  const followed = useLiveQuery('seller.follow', { id: shop.id }).facts
  const [open, setOpen] = useState(false)
  const name = shop.shop_name ?? shop.username
  return (
    <header className={css.head}>
      <Avatar src={shop.avatar} name={name} size="l" />
      <div className={css.text}>
        <h1 className={css.name}>
          <span dir="auto">{name}</span>
          {shop.verified_seller && <Verified />}
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
        <ShareButton
          title={name}
          path={`/shop/${shop.slug ?? shop.id}`}
          strong=""
          quiet={shop.bio}
          photo={shop.avatar}
          className={css.tool}
        />
        {!own && <ShopMenu seller={shop.id} name={name} onReport={() => setOpen(true)} />}
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
      {open && <ReportDialog open onClose={() => setOpen(false)} user={shop.id} />}
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
