import { useLingui } from '@lingui/react/macro'
import {
  BellRing,
  Check,
  Compass,
  Download,
  EllipsisVertical,
  Globe,
  Share,
  Smartphone,
  SquarePlus,
} from 'lucide-react'
import guide from 'virtual:texts/add_to_home'
import { useTranslate } from '../../locales/format.ts'
import { Page, Section } from '../../parts/Page.tsx'
import { ButtonLink, type Icon } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import css from './install.module.css'
import { Benefits } from './Benefits.tsx'
import { platform } from './platform.ts'

const icons: Readonly<Record<string, Icon>> = {
  globe: Globe,
  'ellipsis-vertical': EllipsisVertical,
  smartphone: Smartphone,
  download: Download,
  check: Check,
  compass: Compass,
  share: Share,
  'square-plus': SquarePlus,
  bell: BellRing,
}

/** [S1.04, S2.20] */
export function AddToHomeScreen() {
  const { t } = useLingui()
  const translate = useTranslate()
  const here = platform()
  const guides = [guide.android_chrome, guide.iphone_safari]
  if (here.system === 'ios') guides.reverse()
  return (
    <Page title={t`Ajouter à l’écran d’accueil`}>
      {here.embedded && (
        <Notice tone="wait" icon={Compass}>
          <strong>{translate(guide.in_app_browser.title)}</strong>
          <p>{translate(guide.in_app_browser.body)}</p>
        </Notice>
      )}
      <Benefits />
      {guides.map(({ title, steps, note }) => (
        <Section key={title.fr} title={translate(title)} card>
          <ol className={css.steps}>
            {steps.map((step) => {
              const Sign = icons[step.icon] ?? Check
              return (
                <li key={step.n}>
                  <Sign />
                  <span>{translate(step)}</span>
                </li>
              )
            })}
          </ol>
          <p className="quiet">{translate(note)}</p>
        </Section>
      ))}
      <ButtonLink to="/install">{t`Installer l’application`}</ButtonLink>
    </Page>
  )
}
