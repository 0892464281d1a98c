import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type ParsedLocation,
  redirect,
  type RouterHistory,
  RouterProvider,
} from '@tanstack/react-router'
import { type ComponentType, StrictMode } from 'react'
import { readSearch, type SearchParams } from '#schema/listAddress'
import { onSession, session } from '../data/session.ts'
import { BrowseScreen } from '../features/browse/BrowseScreen.tsx'
import { HomeScreen } from '../features/home/HomeScreen.tsx'
import { signInTo } from '../parts/links.ts'
import { ErrorScreen } from './ErrorScreen.tsx'
import { Layout } from './Layout.tsx'
import { NotFoundScreen } from './MissingScreen.tsx'

/** [S2.01] to [S2.23] */

function protect({ location }: { location: ParsedLocation }) {
  if (session().token === null) throw redirect(signInTo(location.href))
}

const textsIn = (search: Record<string, unknown>) =>
  Object.entries(search).filter((one): one is [string, string] => typeof one[1] === 'string')

const searchParams = (search: Record<string, unknown>): SearchParams =>
  Object.fromEntries(textsIn(search))

function stringifySearch(search: Record<string, unknown>) {
  const text = new URLSearchParams(textsIn(search).filter(([, value]) => value !== ''))
    .toString()
    .replaceAll('%2F', '/')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}

const root = createRootRoute({
  component: Layout,
  notFoundComponent: NotFoundScreen,
  validateSearch: searchParams,
})
const at = <P extends string>(path: P) => ({ getParentRoute: () => root, path })

type Screens<N extends string> = () => Promise<Readonly<Record<N, ComponentType>>>

const screen = <P extends string, N extends string>(path: P, load: Screens<N>, name: N) =>
  createRoute({ ...at(path), component: lazyRouteComponent(load, name) })

const ownScreen = <P extends string, N extends string>(path: P, load: Screens<N>, name: N) =>
  createRoute({ ...at(path), beforeLoad: protect, component: lazyRouteComponent(load, name) })

const moved = <P extends string>(
  path: P,
  to: '/create-listing' | '/listings' | '/help',
  hash = '',
) =>
  createRoute({
    ...at(path),
    beforeLoad: () => {
      throw redirect({ to, hash })
    },
  })

const profile = () => import('../features/profile/ProfileScreen.tsx')
const shop = () => import('../features/shop/ShopScreen.tsx')
const password = () => import('../features/auth/ForgotScreen.tsx')
const legal = () => import('../features/legal/LegalScreen.tsx')

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
    // From notifications of a saved search, whose id only the user's own screen can resolve.
    beforeLoad: ({ search }) => {
      if (search['saved_search'] !== undefined)
        throw redirect({ to: '/saved', search: { search: search['saved_search'] } })
    },
    component: BrowseScreen,
  }),
  createRoute({ ...at('/browse'), component: BrowseScreen }),
  screen(
    '/listings/$listingId',
    () => import('../features/listing/ListingScreen.tsx'),
    'ListingScreen',
  ),
  screen('/shop/$slug', shop, 'ShopScreen'),
  // The session may end while the user writes.
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
  ownScreen('/dashboard', profile, 'ProfileScreen'),
  ownScreen('/profile', profile, 'ProfileScreen'),
  ownScreen('/shop', shop, 'OwnShopScreen'),
  ownScreen(
    '/messages/{-$conversationId}',
    () => import('../features/messages/MessagesScreen.tsx'),
    'MessagesScreen',
  ),
  ownScreen(
    '/notifications',
    () => import('../features/notifications/NotificationsScreen.tsx'),
    'NotificationsScreen',
  ),
  screen('/outbox', () => import('../features/outbox/OutboxScreen.tsx'), 'OutboxScreen'),
  screen('/saved', () => import('../features/saved/SavedScreen.tsx'), 'SavedScreen'),
  screen('/settings', () => import('../features/settings/SettingsScreen.tsx'), 'SettingsScreen'),
  screen('/help', () => import('../features/help/HelpScreen.tsx'), 'HelpScreen'),
  screen('/auth', () => import('../features/auth/AuthScreen.tsx'), 'AuthScreen'),
  screen('/forgot-password', password, 'ForgotScreen'),
  screen('/reset-password', password, 'ResetScreen'),
  screen('/verify-email', () => import('../features/auth/VerifyScreen.tsx'), 'VerifyScreen'),
  screen('/install', () => import('../features/install/InstallScreen.tsx'), 'InstallScreen'),
  screen(
    '/support/add-to-home',
    () => import('../features/install/AddToHomeScreen.tsx'),
    'AddToHomeScreen',
  ),
  screen('/privacy', legal, 'PrivacyScreen'),
  screen('/terms', legal, 'TermsScreen'),
  moved('/post-ad', '/create-listing'),
  moved('/categories', '/listings'),
  moved('/safety', '/help', 'safety'),
] as const

const routeTree = root.addChildren(routes)

export function makeRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    parseSearch: (query) => readSearch(new URLSearchParams(query)),
    stringifySearch,
    // On the server it would write an inline script, which the policy forbids.
    scrollRestoration: history === undefined,
    defaultPreload: 'intent',
    defaultErrorComponent: ErrorScreen,
    defaultNotFoundComponent: NotFoundScreen,
    ...(history && { history }),
  })
}

export function followSession(router: AppRouter) {
  onSession(() => {
    if (session().token === null) void router.invalidate()
  })
}

/** The new screen's heading gets the focus of the old one, to be read out. */
export function followFocus(router: AppRouter) {
  let { pathname: last, hash: to } = router.state.location
  let heading: HTMLElement | null = null
  const follow = () => {
    if (heading?.isConnected === true || document.activeElement !== document.body) return
    heading = document.getElementById(to) ?? document.querySelector<HTMLElement>('main h1')
    if (heading === null) return
    if (heading.tabIndex < 0) heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  // The heading may render after its screen, and another may replace it.
  const changes = new MutationObserver(follow)
  router.subscribe('onResolved', ({ toLocation: { pathname, hash } }) => {
    if (pathname === last) return
    last = pathname
    to = hash
    heading = null
    changes.observe(document.body, { childList: true, subtree: true })
    // The removed element loses the focus only with the next frame.
    requestAnimationFrame(() => setTimeout(follow, 0))
  })
}

export function App({ router }: { router: AppRouter }) {
  return (
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <RouterProvider router={router} />
      </I18nProvider>
    </StrictMode>
  )
}

export type AppRouter = ReturnType<typeof makeRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
  interface HistoryState {
    /** Of a list (src/parts/pagination.ts). */
    rows?: number
    reading?: number
  }
}
