import { lazy, Suspense, useState } from 'react'
import { useUpdate } from '../data/service.ts'

/** What it says comes when there is something to say; where it cannot come, the next start takes the update over. */
const UpdateOffer = lazy(() =>
  import('./UpdateOffer.tsx').then(
    ({ UpdateOffer: Offer }) => ({ default: Offer }),
    () => ({ default: () => null }),
  ),
)

/** [S4.22]: a new version waits. */
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
