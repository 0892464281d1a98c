import { Trans } from '@lingui/react/macro'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { UserCheck, UserPlus } from 'lucide-react'
import { useLiveQuery, useMe } from '../data/read.ts'
import { send } from '../data/ask.ts'
import { useSession } from '../data/session.ts'
import { Button } from '../ui/Button.tsx'
import { signInTo } from './links.ts'

/** [S2.41]; `seller`: user id. Visitors sign in first. */
export function FollowButton({ seller, main = false }: { seller: string; main?: boolean }) {
  const navigate = useNavigate()
  const next = useRouterState({ select: ({ location }) => location.href })
  const { token } = useSession()
  const me = useMe()?.id
  const { facts } = useLiveQuery('seller.follow', { id: seller })
  const following = token !== null && facts?.following === true

  function toggle() {
    if (token === null) void navigate(signInTo(next))
    else void send('user.follow', { user: seller, following: !following })
  }

  if (me === seller) return null
  return (
    <Button
      kind={main && !following ? 'main' : 'plain'}
      icon={following ? UserCheck : UserPlus}
      aria-pressed={following}
      onClick={toggle}
    >
      <Trans>Suivre</Trans>
    </Button>
  )
}
