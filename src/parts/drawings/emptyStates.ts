export { default as NoResult } from './noResult.svg?react'
export { default as NotFound } from './notFound.svg?react'
export { default as Offline } from './offline.svg?react'
