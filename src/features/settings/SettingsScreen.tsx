import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { clearAndReload } from '../../data/clear.ts'
import { useSession } from '../../data/session.ts'
import { setLowData, useSaveData } from '../../data/saveData.ts'
import { hasShortcuts, setShortcuts } from '../../data/shortcuts.ts'
import { setLanguage } from '../../locales/i18n.ts'
import { KeepOpen } from '../../parts/KeepOpen.tsx'
import { Page, Section } from '../../parts/Page.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Chip, ChipChoice } from '../../ui/Chip.tsx'
import { Asked } from '../../ui/Dialog.tsx'
import { Switch } from '../../ui/Field.tsx'
import { setTheme, type Theme, theme } from '../../ui/theme.ts'
import { toast } from '../../ui/toasts.ts'
import { resetInstall } from '../install/prompt.ts'
import { AccountSettings } from './AccountSettings.tsx'
import { ActionRow, LinkRow } from './ActionRow.tsx'
import { BlockedPeople } from './BlockedPeople.tsx'
import { DataNumbers } from './DataNumbers.tsx'
import { OfflineScreens } from './OfflineScreens.tsx'
import { Preferences } from './Preferences.tsx'
import { PushSettings } from './PushSettings.tsx'
import { signInTo } from '../../parts/links.ts'
import css from './settings.module.css'

/** [S2.14, S2.44, SURFACE 3] */
export function SettingsScreen() {
  const { t } = useLingui()
  const { token } = useSession()
  return (
    <Page title={t`Paramètres`} width="wide">
      <div className={css.columns}>
        <div className={css.column}>
          <div className={css.surface}>
            <Language />
            <Look />
            <DataUse />
            <Keyboard />
          </div>
          <div className={css.surface}>
            <Phone />
          </div>
        </div>
        <div className={css.column}>
          <div className={css.surface}>
            <Section id="notifications" title={t`Notifications`}>
              <PushSettings />
              {token === null ? (
                <ButtonLink {...signInTo('/settings')}>
                  {t`Se connecter pour régler les notifications`}
                </ButtonLink>
              ) : (
                <Preferences />
              )}
            </Section>
          </div>
          {token !== null && (
            <div className={css.surface}>
              <AccountSettings />
              <BlockedPeople />
            </div>
          )}
        </div>
      </div>
    </Page>
  )
}

function Language() {
  const { t, i18n } = useLingui()
  return (
    <Section title={t`Langue`}>
      <div className="row" role="group" aria-label={t`Langue`}>
        <Chip lang="fr" pressed={i18n.locale === 'fr'} onClick={() => void setLanguage('fr')}>
          Français
        </Chip>
        <Chip lang="en" pressed={i18n.locale === 'en'} onClick={() => void setLanguage('en')}>
          English
        </Chip>
      </div>
    </Section>
  )
}

function Look() {
  const { t } = useLingui()
  const [chosen, setChosen] = useState(theme)
  return (
    <Section title={t`Apparence`}>
      <ChipChoice<Theme>
        label={t`Apparence`}
        row="row"
        options={[
          ['system', t`Comme le téléphone`],
          ['light', t`Clair`],
          ['dark', t`Sombre`],
        ]}
        value={chosen}
        onValue={(one) => {
          setTheme(one)
          setChosen(one)
        }}
      />
    </Section>
  )
}

function DataUse() {
  const { t } = useLingui()
  const low = useSaveData()
  return (
    <Section id="data" title={t`Données et stockage`}>
      <Switch
        label={t`Économie de données`}
        hint={t`Les photos se chargent quand vous les touchez, rien d’avance.`}
        checked={low}
        onChecked={setLowData}
      />
      <OfflineScreens />
      <DataNumbers />
    </Section>
  )
}

/** [S13.66] */
function Keyboard() {
  const { t } = useLingui()
  const [on, setOn] = useState(hasShortcuts)
  return (
    <Section title={t`Clavier`}>
      <Switch
        label={t`Raccourcis d’une touche`}
        hint={t`/ va à la recherche ; j et k vont d’une ligne à l’autre dans les listes.`}
        checked={on}
        onChecked={(checked) => {
          setShortcuts(checked)
          setOn(checked)
        }}
      />
    </Section>
  )
}

function Phone() {
  const { t } = useLingui()
  return (
    <Section title={t`Ce téléphone`}>
      <KeepOpen />
      <div className={css.rows}>
        <LinkRow to="/outbox">{t`En attente d’envoi`}</LinkRow>
        <LinkRow to="/install">{t`Installer l’application`}</LinkRow>
        <ActionRow
          onClick={() => {
            resetInstall()
            toast(t`L’installation vous sera proposée à nouveau.`, { tone: 'good' })
          }}
        >
          {t`Proposer à nouveau l’installation`}
        </ActionRow>
        <Asked
          renderButton={(ask) => (
            <ActionRow onClick={ask}>{t`Vider le cache et recharger`}</ActionRow>
          )}
          danger={false}
          title={t`Vider le cache ?`}
          action={t`Vider et recharger`}
          onConfirm={() => void clearAndReload()}
        >
          <Trans>
            Les annonces et les photos enregistrées seront à télécharger de nouveau. Vos brouillons,
            vos messages en attente et votre connexion restent.
          </Trans>
        </Asked>
      </div>
    </Section>
  )
}
