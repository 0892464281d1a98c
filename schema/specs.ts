import { specFields } from './catalogue.ts'
import { type ReadSpecs, readFields } from './spec.ts'

/**
 * Parses the specs of a category; unknown and hidden fields, null and "" are ignored
 * [API 5.3, API 8.7]. Invalid values are left out and listed in `problems`.
 */
export function readSpecs(
  category: string,
  given: Readonly<Record<string, unknown>>,
  year: number,
): ReadSpecs {
  return readFields(specFields(category, year), given)
}
