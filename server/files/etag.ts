/** Weak comparison. hono/etag would hash a copy of every body, and answer 304 after compression. */
export const etagMatches = (header: string | null | undefined, tag: string) =>
  (header ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
    .some((one) => one === '*' || one === tag.replace(/^W\//, ''))
