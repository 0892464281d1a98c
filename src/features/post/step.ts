import type { SpecsMetadata } from '#schema/wire/catalogue'
import type { Wrong } from './check.ts'
import type { Form } from './form.ts'

/** What every step of the wizard gets. */
export interface StepProps {
  readonly form: Form
  readonly set: (part: Partial<Form>) => void
  readonly wrong: Wrong
  /** What the chosen category asks. */
  readonly asked: SpecsMetadata | null
}
