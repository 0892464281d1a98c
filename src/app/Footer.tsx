import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import variables from 'virtual:texts/variables'
import { APP_NAME } from '#schema/app'
import { setLanguage } from '../locales/i18n.ts'
import { useFormat, useTranslate } from '../locales/format.ts'
import { operator } from '../parts/operator.ts'
import { categoryOf } from '../parts/categories.ts'
import { classes } from '../ui/classes.ts'
import { useMedia } from '../ui/media.ts'
import css from './Footer.module.css'

/** [S2.03] */
const links = [
  ['electronics', 'electronics'],
  ['cars', 'vehicles'],
  ['real-estate', 'properties'],
  ['fashion', 'fashion'],
] as const

/** [S2.26] */
export function Footer() {
  const { t } = useLingui()
  const translate = useTranslate()
  const { language } = useFormat()
  const { contact } = operator()
  const open = useMedia('(min-width: 721px)')
  return (
    <footer className={css.footer}>
      <div className={css.inside}>
        <details open={open} className={css.part}>
          <summary>{t`Liens utiles`}</summary>
          <Link to="/listings">{t`Toutes les annonces`}</Link>
          <Link to="/create-listing">{t`Publier une annonce`}</Link>
          <Link to="/help">{t`Aide`}</Link>
          <Link to="/help" hash="safety">{t`Conseils de sécurité`}</Link>
          <Link to="/install">{t`Installer l’application`}</Link>
        </details>
        <details open={open} className={css.part}>
          <summary>{t`Catégories`}</summary>
          {links.map(([alias, slug]) => (
            <Link key={alias} to="/listings" search={{ category: alias }}>
              {translate(categoryOf(slug)?.name) ?? alias}
            </Link>
          ))}
        </details>
        <details open={open} className={css.part}>
          <summary>{t`Nous joindre`}</summary>
          {contact !== null && <a href={`mailto:${contact}`}>{contact}</a>}
          {variables.support_phone !== '' && (
            <a href={`tel:${variables.support_phone}`}>{variables.support_phone}</a>
          )}
          {variables.whatsapp !== '' && (
            <a href={`https://wa.me/${variables.whatsapp.replace(/\D/g, '')}`}>WhatsApp</a>
          )}
          {variables.postal_address !== '' && <address>{variables.postal_address}</address>}
          <span>{t`Assistance en français, en mooré et en dioula`}</span>
        </details>
        <div className={css.part}>
          <div role="group" aria-label={t`Langue`} className={classes('row', css.languages)}>
            {(['fr', 'en'] as const).map((one) => (
              <button
                key={one}
                type="button"
                lang={one}
                aria-pressed={language === one}
                onClick={() => void setLanguage(one)}
              >
                {one.toUpperCase()}
              </button>
            ))}
          </div>
          <Link to="/privacy">{t`Confidentialité`}</Link>
          <Link to="/terms">{t`Conditions`}</Link>
          <span>{APP_NAME}</span>
        </div>
      </div>
    </footer>
  )
}
