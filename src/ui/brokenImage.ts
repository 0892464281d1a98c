'use no memo'

import { useState } from 'react'

/** `watch` is for the element. Hydration misses errors from before it, so `ref` looks, too. */
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
