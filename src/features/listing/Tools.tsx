import { useLingui } from '@lingui/react/macro'
import { type RefObject, useEffect, useRef } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { useFormat } from '../../locales/format.ts'
import { BackButton } from '../../parts/BackButton.tsx'
import { placeOf } from '../../parts/place.ts'
import { SaveButton } from '../../parts/SaveButton.tsx'
import { ShareButton } from '../../parts/ShareButton.tsx'
import css from './Tools.module.css'
import { observeSight } from '../../ui/effects.ts'

/** Over the photo; on a phone they stay, on a bar once the photo has left. */
export function Tools({ listing }: { listing: ListingDocument | null }) {
  const { t } = useLingui()
  const { money } = useFormat()
  const bar = useRef<HTMLDivElement>(null)
  useBarAfterPhoto(bar)
  return (
    <div ref={bar} role="group" aria-label={t`Actions`} className={css.tools}>
      <BackButton to="/listings" className={css.back} />
      {listing && (
        <>
          <SaveButton listing={listing.id} className={css.tool} />
          <ShareButton
            title={listing.title}
            path={`/listings/${listing.id}`}
            strong={listing.price === null ? '' : money(listing.price)}
            quiet={placeOf(listing)}
            photo={listing.cover?.url ?? null}
            className={css.tool}
          />
        </>
      )}
    </div>
  )
}

function useBarAfterPhoto(bar: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const tools = bar.current
    const photo = tools?.nextElementSibling
    if (!tools || !photo) return undefined
    return observeSight(
      photo,
      (inSight) => tools.toggleAttribute('data-bar', !inSight),
      `-${tools.offsetHeight}px 0px 0px`,
    )
  }, [bar])
}
