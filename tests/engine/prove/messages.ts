import type { Plan } from '../model/run.ts'

export type ToWorker =
  | { readonly kind: 'live'; readonly from: number; readonly to: number }
  | { readonly kind: 'shrink'; readonly plan: Plan; readonly wrong: string }

export interface Lived {
  readonly kind: 'lived'
  readonly lives: number
  readonly sent: number
  readonly cpuMs: number
  readonly queued: ReadonlyMap<string, number>
  readonly happened: ReadonlyMap<string, number>
  readonly failed: readonly { readonly seed: number; readonly wrong: string }[]
}

export type FromWorker = Lived | { readonly kind: 'shrunk'; readonly plan: Plan }
