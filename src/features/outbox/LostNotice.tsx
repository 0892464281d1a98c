import { Plural, Trans } from '@lingui/react/macro'
import type { Lost } from '../../data/lost.ts'
import { forgetLost } from '../../data/waits.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

export function LostNotice({ lost: { count, messages } }: { lost: Lost }) {
  return (
    <Notice
      tone="danger"
      live="alert"
      action={
        <Button kind="quiet" onClick={forgetLost}>
          <Trans>J’ai compris</Trans>
        </Button>
      }
    >
      <strong>
        {messages === count ? (
          <Plural
            value={count}
            one="# message n’a pas pu être conservé."
            other="# messages n’ont pas pu être conservés."
          />
        ) : (
          <Plural
            value={count}
            one="# envoi n’a pas pu être conservé."
            other="# envois n’ont pas pu être conservés."
          />
        )}
      </strong>{' '}
      <Trans>Les données de ce site ont été effacées de ce téléphone avant l’envoi.</Trans>
    </Notice>
  )
}
