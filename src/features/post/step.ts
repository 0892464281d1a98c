import type { SpecsMetadata } from '#schema/wire/catalogue'
import type { Wrong } from './check.ts'
import type { Form } from './form.ts'

/** Props of every wizard step. */
export interface StepProps {
  readonly form: Form
  readonly set: (part: Partial<Form>) => void
  readonly wrong: Wrong
  /** The chosen category's rules. */
  readonly asked: SpecsMetadata | null
}
