import { rmSync } from 'node:fs'

/** Deletes a folder; retries, as a child process may still write for a moment. */
export function discard(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
}
