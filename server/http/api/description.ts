import { description } from '#schema/wire/operations'
import { readRoute, type Route } from '../../route/routes.ts'
import { describe } from './openapi.ts'

export function descriptionRoute(routes: readonly Route[]): Route {
  let made: Record<string, unknown> | null = null
  const route: Route = readRoute(
    description,
    async () => (made ??= { ...describe([...routes, route]) }),
  )
  return route
}
