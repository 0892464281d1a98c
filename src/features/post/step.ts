import type { SpecsMetadata } from '#schema/wire/catalogue'
import type { Wrong } from './check.ts'
import type { Form } from './form.ts'

export interface StepProps {
  readonly form: Form
  readonly set: (part: Partial<Form>) => void
  readonly wrong: Wrong
  readonly asked: SpecsMetadata | null
}
