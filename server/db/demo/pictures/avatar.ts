/** A person's initial on a coloured disc, 256 units square; no face is ever drawn. */
export function avatarScene(letter: string, hue: number, width: number): string {
  const safe = /^[A-Z]$/.test(letter) ? letter : 'Y'
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}" viewBox="0 0 256 256"><defs><linearGradient id="a" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="hsl(${hue},58%,48%)"/><stop offset="1" stop-color="hsl(${(hue + 24) % 360},62%,30%)"/></linearGradient></defs><rect width="256" height="256" fill="url(#a)"/><circle cx="206" cy="44" r="96" fill="#fff" opacity=".08"/><circle cx="36" cy="226" r="84" fill="#000" opacity=".1"/><text x="128" y="172" font-family="sans-serif" font-size="128" font-weight="700" text-anchor="middle" fill="#fff">${safe}</text></svg>`
}
