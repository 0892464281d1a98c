import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { useTranslate } from '../locales/format.ts'
import { IconButton } from './Button.tsx'
import css from './Toasts.module.css'
import { classes } from './classes.ts'
import { dismiss, onToast, shownToast } from './toasts.ts'
import { after } from './effects.ts'

const SHOWN_MS = 5000
const WITH_ACTION_MS = 9000

export function Toasts() {
  const { t } = useLingui()
  const translate = useTranslate()
  const toast = useSyncExternalStore(onToast, shownToast, () => null)

  useEffect(() => {
    if (!toast) return undefined
    return after(toast.action ? WITH_ACTION_MS : SHOWN_MS, () => dismiss(toast.id))
  }, [toast])

  return (
    <div
      className={css.place}
      role={toast?.tone === 'danger' ? 'alert' : 'log'}
      aria-live={toast?.tone === 'danger' ? 'assertive' : 'polite'}
    >
      {toast && (
        <div key={toast.id} className={classes(css.toast, css[toast.tone])}>
          <p className={css.text}>
            {toast.title !== undefined && (
              <strong className={css.title}>{translate(toast.title)}</strong>
            )}
            {translate(toast.text)}
          </p>
          {toast.action && (
            <button
              type="button"
              className={css.action}
              onClick={() => {
                toast.action?.run()
                dismiss(toast.id)
              }}
            >
              {toast.action.label}
            </button>
          )}
          <IconButton label={t`Fermer`} icon={X} onClick={() => dismiss(toast.id)} />
        </div>
      )}
    </div>
  )
}
