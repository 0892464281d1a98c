import { Drawing, look } from './Drawing.tsx'

/** A bell at rest under the moon. */
export function NoNotifications() {
  return (
    <Drawing>
      <path
        className={look.paper}
        d="M88 34c-18 0-28 13-28 30 0 20-6 26-12 34h80c-6-8-12-14-12-34 0-17-10-30-28-30z"
      />
      <path className={look.brand} d="M76 99h24a12 12 0 0 1-24 0z" />
      <path d="M88 34v-8M72 58c1-7 5-11 10-12" />
      <path className={look.sun} d="M134 26a14 14 0 1 0 14 19 11 11 0 0 1-14-19z" />
      <path className={look.mark} d="M34 50h9l-9 10h9M48 30h6l-6 7h6" />
    </Drawing>
  )
}
