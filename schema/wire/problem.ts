import * as v from 'valibot'

const fieldCode = v.looseObject({
  code: v.string(),
  min: v.optional(v.number()),
  max: v.optional(v.number()),
})

/** [API 1.4]. Messages per field are top-level members; `field_codes` are for programs. */
export const problem = v.looseObject({
  detail: v.string(),
  code: v.string(),
  field_codes: v.optional(v.record(v.string(), v.array(fieldCode))),
  non_field_errors: v.optional(v.array(v.string())),
  request_id: v.optional(v.string()),
  retry_after: v.optional(v.number()),
})
export type Problem = v.InferOutput<typeof problem>
