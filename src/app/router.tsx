import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type ParsedLocation,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router'
import { onSession, session } from '../data/session.ts'
import { BrowseScreen } from '../features/browse/BrowseScreen.tsx'
import { HomeScreen } from '../features/home/HomeScreen.tsx'
import { parseSearch, stringifySearch, type Words } from './searchParams.ts'
import { ErrorScreen } from './ErrorScreen.tsx'
import { Layout } from './Layout.tsx'
import { NotFoundScreen } from './NotFoundScreen.tsx'

/** Every route of [S2.01] to [S2.22]. Screens are lazy-loaded, except home and lists. */

/** [S2.23]: a protected route remembers its address for after signing in. */
function protect({ location }: { location: ParsedLocation }): void {
  if (session().token === null)
    throw redirect({ to: '/auth', search: { mode: 'login', next: location.href } })
}

function words(search: Record<string, unknown>): Words {
  return Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}

const root = createRootRoute({
  component: Layout,
  notFoundComponent: NotFoundScreen,
  validateSearch: words,
})
const at = <P extends string>(path: P) => ({ getParentRoute: () => root, path })

const routes = [
  createRoute({ ...at('/'), component: HomeScreen }),
  createRoute({
    ...at('/recommendations'),
    beforeLoad: ({ search }) => {
      throw redirect(search['type'] === 'trending' ? { to: '/', hash: 'trending' } : { to: '/' })
    },
  }),
  createRoute({
    ...at('/listings'),
    // Notifications of a saved search link here; only the user's own screen can resolve its id.
    beforeLoad: ({ search }) => {
      if (search['saved_search'] !== undefined)
        throw redirect({ to: '/saved', search: { search: search['saved_search'] } })
    },
    component: BrowseScreen,
  }),
  createRoute({ ...at('/browse'), component: BrowseScreen }),
  createRoute({
    ...at('/listings/$listingId'),
    component: lazyRouteComponent(
      () => import('../features/listing/ListingScreen.tsx'),
      'ListingScreen',
    ),
  }),
  createRoute({
    ...at('/shop/$slug'),
    component: lazyRouteComponent(() => import('../features/shop/ShopScreen.tsx'), 'ShopScreen'),
  }),
  // If the session ends while the user writes, they continue from step to step.
  createRoute({
    ...at('/create-listing'),
    beforeLoad: (to) => {
      if (to.cause !== 'stay') protect(to)
    },
    component: lazyRouteComponent(
      () => import('../features/post/CreateListingScreen.tsx'),
      'CreateListingScreen',
    ),
  }),
  createRoute({
    ...at('/dashboard'),
    beforeLoad: protect,
    component: lazyRouteComponent(
      () => import('../features/profile/ProfileScreen.tsx'),
      'ProfileScreen',
    ),
  }),
  createRoute({
    ...at('/shop'),
    beforeLoad: protect,
    component: lazyRouteComponent(
      () => import('../features/shop/OwnShopScreen.tsx'),
      'OwnShopScreen',
    ),
  }),

  createRoute({
    ...at('/messages/{-$conversationId}'),
    beforeLoad: protect,
    component: lazyRouteComponent(
      () => import('../features/messages/MessagesScreen.tsx'),
      'MessagesScreen',
    ),
  }),
  createRoute({
    ...at('/notifications'),
    beforeLoad: protect,
    component: lazyRouteComponent(
      () => import('../features/notifications/NotificationsScreen.tsx'),
      'NotificationsScreen',
    ),
  }),
  createRoute({
    ...at('/profile'),
    beforeLoad: protect,
    component: lazyRouteComponent(
      () => import('../features/profile/ProfileScreen.tsx'),
      'ProfileScreen',
    ),
  }),
  createRoute({
    ...at('/outbox'),
    component: lazyRouteComponent(
      () => import('../features/outbox/OutboxScreen.tsx'),
      'OutboxScreen',
    ),
  }),
  createRoute({
    ...at('/saved'),
    component: lazyRouteComponent(() => import('../features/saved/SavedScreen.tsx'), 'SavedScreen'),
  }),
  createRoute({
    ...at('/settings'),
    component: lazyRouteComponent(
      () => import('../features/settings/SettingsScreen.tsx'),
      'SettingsScreen',
    ),
  }),
  createRoute({
    ...at('/help'),
    component: lazyRouteComponent(() => import('../features/help/HelpScreen.tsx'), 'HelpScreen'),
  }),
  createRoute({
    ...at('/auth'),
    component: lazyRouteComponent(() => import('../features/auth/AuthScreen.tsx'), 'AuthScreen'),
  }),
  createRoute({
    ...at('/forgot-password'),
    component: lazyRouteComponent(
      () => import('../features/auth/ForgotScreen.tsx'),
      'ForgotScreen',
    ),
  }),
  createRoute({
    ...at('/reset-password'),
    component: lazyRouteComponent(() => import('../features/auth/ResetScreen.tsx'), 'ResetScreen'),
  }),
  createRoute({
    ...at('/verify-email'),
    component: lazyRouteComponent(
      () => import('../features/auth/VerifyScreen.tsx'),
      'VerifyScreen',
    ),
  }),
  createRoute({
    ...at('/install'),
    component: lazyRouteComponent(
      () => import('../features/install/InstallScreen.tsx'),
      'InstallScreen',
    ),
  }),
  createRoute({
    ...at('/support/add-to-home'),
    component: lazyRouteComponent(
      () => import('../features/install/AddToHomeScreen.tsx'),
      'AddToHomeScreen',
    ),
  }),
  createRoute({
    ...at('/privacy'),
    component: lazyRouteComponent(
      () => import('../features/legal/LegalScreen.tsx'),
      'PrivacyScreen',
    ),
  }),
  createRoute({
    ...at('/terms'),
    component: lazyRouteComponent(() => import('../features/legal/LegalScreen.tsx'), 'TermsScreen'),
  }),

  // [S2.22]: the footer's old addresses redirect.
  createRoute({
    ...at('/post-ad'),
    beforeLoad: () => {
      throw redirect({ to: '/create-listing' })
    },
  }),
  createRoute({
    ...at('/categories'),
    beforeLoad: () => {
      throw redirect({ to: '/listings' })
    },
  }),
  createRoute({
    ...at('/safety'),
    beforeLoad: () => {
      throw redirect({ to: '/help', hash: 'safety' })
    },
  }),
] as const

const routeTree = root.addChildren(routes)

/** `history`: in memory, for server rendering; else the browser's. */
export function makeRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    // On the server it would write an inline script, which the policy forbids.
    scrollRestoration: history === undefined,
    defaultPreload: 'intent',
    defaultErrorComponent: ErrorScreen,
    defaultNotFoundComponent: NotFoundScreen,
    ...(history && { history }),
  })
}

/** When the session ends, here or in another tab, protected routes are checked again. */
export function followSession(router: AppRouter): void {
  onSession(() => {
    if (session().token === null) void router.invalidate()
  })
}

/**
 * If the focus was in the old screen, it is lost; the new screen's heading gets it, so that it is
 * read out.
 */
export function followFocus(router: AppRouter): void {
  let last = router.state.location.pathname
  router.subscribe('onResolved', ({ toLocation: { pathname, hash } }) => {
    // The removed element loses the focus only with the next frame.
    if (pathname !== last) requestAnimationFrame(() => setTimeout(() => focusScreen(hash), 0))
    last = pathname
  })
}

/** The heading may render after its screen. Stops if the user has moved the focus meanwhile. */
function focusScreen(hash: string, tries = 20): void {
  if (document.activeElement !== document.body) return
  const found = document.getElementById(hash) ?? document.querySelector<HTMLElement>('main h1')
  if (found === null && tries > 0) {
    setTimeout(() => focusScreen(hash, tries - 1), 50)
    return
  }
  const target = found ?? document.querySelector('main')
  if (target === null) return
  if (target.tabIndex < 0) target.tabIndex = -1
  target.focus({ preventScroll: true })
}

export type AppRouter = ReturnType<typeof makeRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
  interface HistoryState {
    /**
     * How many rows of a list were shown and which reading of it, to restore them on going back.
     */
    rows?: number
    reading?: number
  }
}
