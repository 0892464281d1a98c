export interface Platform {
  readonly system: 'android' | 'ios' | 'other'
  /** Inside another app's browser, which cannot install anything. */
  readonly embedded: boolean
  /** Started from the home screen. */
  readonly installed: boolean
}

/** What the browser says of itself. iPads call themselves Macs, but Macs have no touch. */
export function platformOf(agent: string, touchPoints: number, standalone: boolean): Platform {
  const ios = /iPhone|iPad|iPod/u.test(agent) || (/Macintosh/u.test(agent) && touchPoints > 1)
  const embedded =
    /\b(?:FBAN|FBAV|FB_IAB|Instagram|WhatsApp|Line|Snapchat|TikTok|BytedanceWebview|MicroMessenger)|; wv\)/iu.test(
      agent,
    )
  return {
    system: ios ? 'ios' : /Android/u.test(agent) ? 'android' : 'other',
    embedded,
    installed: standalone,
  }
}

export function platform(): Platform {
  return platformOf(
    navigator.userAgent,
    navigator.maxTouchPoints,
    matchMedia('(display-mode: standalone)').matches,
  )
}
