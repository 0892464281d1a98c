'use no memo'

import { useState } from 'react'

/**
 * Whether the image of this address has failed; `watch` is for its element. Hydration misses the
 * error event of an image that failed before it, so the element is looked at, too.
 */
export function useBroken(address: string | undefined) {
  const [failed, setFailed] = useState<string>()
  const fail = () => setFailed(address)
  return {
    broken: address !== undefined && failed === address,
    watch: {
      ref: (picture: HTMLImageElement | null) => {
        if (picture?.complete === true && picture.naturalWidth === 0) fail()
      },
      onError: fail,
    },
  }
}
