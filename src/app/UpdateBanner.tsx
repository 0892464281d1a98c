import { lazy, Suspense, useState } from 'react'
import { useUpdate } from '../data/service.ts'

/** Lazy-loaded when there is an update; if its chunk fails, the next start activates the update. */
const UpdateOffer = lazy(() =>
  import('./UpdateOffer.tsx').then(
    ({ UpdateOffer: Offer }) => ({ default: Offer }),
    () => ({ default: () => null }),
  ),
)

/** [S4.22]. */
export function UpdateBanner() {
  const update = useUpdate()
  const [later, setLater] = useState(false)
  return (
    update &&
    !later && (
      <Suspense>
        <UpdateOffer onLater={() => setLater(true)} />
      </Suspense>
    )
  )
}
