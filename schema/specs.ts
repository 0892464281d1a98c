import { specFields } from './catalogue.ts'
import { type ReadSpecs, readFields } from './spec.ts'

/**
 * Reads the specs of a category: unknown and hidden ones are dropped, null and "" are no value, missing ones are no
 * problem [API 5.3, API 8.7]. What does not hold is left out and named.
 */
export function readSpecs(
  category: string,
  given: Readonly<Record<string, unknown>>,
  year: number,
): ReadSpecs {
  return readFields(specFields(category, year), given)
}
