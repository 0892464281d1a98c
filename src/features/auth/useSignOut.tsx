import { Plural, useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { ask } from '../../data/ask.ts'
import { leaveSession } from '../../data/leave.ts'
import { useMe } from '../../data/read.ts'
import { Confirm } from '../../ui/Dialog.tsx'
import { leavePush } from '../settings/push.ts'

/** [S4.05]. `dialog` goes outside the menu, which unmounts on close. */
export function useSignOut() {
  const { t } = useLingui()
  const { history } = useRouter()
  const me = useMe()?.id ?? null
  const [waiting, setWaiting] = useState(0)

  /** A screen just opened may not have the count. */
  async function start() {
    const stats = await ask('stats', {})
    const outbox = stats.kind === 'done' ? stats.answer.outbox : null
    const count = outbox === null ? 0 : outbox.waiting + outbox.sending + outbox.refused
    if (count > 0) setWaiting(count)
    else leave()
  }

  function leave() {
    void leavePush()
    // A protected screen without a session would redirect to sign-in.
    history.push('/')
    leaveSession(me)
  }

  return {
    start: () => void start(),
    dialog: (
      <Confirm
        open={waiting > 0}
        onClose={() => setWaiting(0)}
        danger={false}
        title={t`Se déconnecter ?`}
        action={t`Se déconnecter`}
        onConfirm={leave}
      >
        <p>
          <Plural
            value={waiting}
            one={`# envoi n’est pas encore parti. \
Rien n’est perdu : il reste sur ce téléphone et partira quand vous vous reconnecterez avec ce compte.`}
            other={`# envois ne sont pas encore partis. \
Rien n’est perdu : ils restent sur ce téléphone et partiront quand vous vous reconnecterez avec ce compte.`}
          />
        </p>
      </Confirm>
    ),
  }
}
