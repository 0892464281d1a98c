import { useState } from 'react'
import { useUpdate } from '../data/service.ts'
import { lazyOptional } from '../ui/lazy.tsx'

/** If its chunk fails, the next start activates the update. */
const UpdateOffer = lazyOptional(() => import('./UpdateOffer.tsx'), 'UpdateOffer')

/** [S4.22]. */
export function UpdateBanner() {
  const update = useUpdate()
  const [later, setLater] = useState(false)
  return update && !later && <UpdateOffer onLater={() => setLater(true)} />
}
