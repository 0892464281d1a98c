/** iPads claim to be Macs, but Macs have no touch. */
export function platformOf(agent: string, touchPoints: number, standalone: boolean) {
  const ios = /iPhone|iPad|iPod/u.test(agent) || (/Macintosh/u.test(agent) && touchPoints > 1)
  const embedded =
    /\b(?:FBAN|FBAV|FB_IAB|Instagram|WhatsApp|Line|Snapchat|TikTok|BytedanceWebview|MicroMessenger)|; wv\)/iu.test(
      agent,
    )
  return {
    system: ios ? 'ios' : /Android/u.test(agent) ? 'android' : 'other',
    embedded,
    installed: standalone,
  } as const
}

export function platform() {
  return platformOf(
    navigator.userAgent,
    navigator.maxTouchPoints,
    matchMedia('(display-mode: standalone)').matches,
  )
}
