import { useLingui } from '@lingui/react/macro'
import { useLocation } from '@tanstack/react-router'
import { Bookmark } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useSession } from '../../data/session.ts'
import { signInTo } from '../../parts/links.ts'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import type { Address } from '../browse/filterParams.ts'
import { RenameSearch, useSavedSearch } from './useSavedSearch.tsx'
import css from './SaveSearch.module.css'

interface Props {
  filters: Address
  children: (shown: { isSaved: boolean; onSwitch: () => void }) => ReactNode
}

/** [S13.52]. */
export function SaveSearch(props: Pick<Props, 'filters'>) {
  const { t } = useLingui()
  return (
    <Savable {...props}>
      {({ isSaved, onSwitch }) => (
        <IconButton
          label={t`Enregistrer la recherche`}
          icon={Bookmark}
          aria-pressed={isSaved}
          className={css.bookmark}
          onClick={onSwitch}
        />
      )}
    </Savable>
  )
}

export function SaveSearchButton(props: Pick<Props, 'filters'>) {
  const { t } = useLingui()
  return (
    <Savable {...props}>
      {({ isSaved, onSwitch }) => (
        <Button
          kind={isSaved ? 'plain' : 'main'}
          icon={Bookmark}
          aria-pressed={isSaved}
          onClick={onSwitch}
        >
          {t`Enregistrer la recherche`}
        </Button>
      )}
    </Savable>
  )
}

function Savable(props: Props) {
  const { token } = useSession()
  return token === null ? <SavableLater {...props} /> : <SavableNow {...props} />
}

function SavableNow({ filters, children }: Props) {
  const { isSaved, search, toggle } = useSavedSearch(filters)
  const [naming, setNaming] = useState(false)
  return (
    <>
      {children({ isSaved, onSwitch: () => void toggle(() => setNaming(true)) })}
      {naming && <RenameSearch search={search} onClose={() => setNaming(false)} />}
    </>
  )
}

function SavableLater({ children }: Pick<Props, 'children'>) {
  const { t } = useLingui()
  const [asking, setAsking] = useState(false)
  const next = useLocation({ select: ({ href }) => href })
  return (
    <>
      {children({ isSaved: false, onSwitch: () => setAsking(true) })}
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t`Enregistrer la recherche`}
        actions={
          <ButtonLink kind="main" {...signInTo(next)}>
            {t`Se connecter`}
          </ButtonLink>
        }
      >
        <p>{t`Connectez-vous pour enregistrer cette recherche et recevoir une alerte à chaque nouvelle annonce.`}</p>
      </Dialog>
    </>
  )
}
