import { rmSync } from 'node:fs'

/** Takes a folder away whose programs have ended, although a child of theirs may write into it for a moment more. */
export function discard(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
}
