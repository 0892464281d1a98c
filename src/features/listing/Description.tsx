import { useLingui } from '@lingui/react/macro'
import { classes } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import css from './Description.module.css'
import { isLong } from './longText.ts'
import { Fold, Part } from './Part.tsx'

export function Description({ text }: { text: string | undefined }) {
  const { t } = useLingui()
  return (
    <Part title={t`Description`}>
      {text === undefined ? (
        <Skeleton shape="block" />
      ) : (
        <Fold folds={isLong(text)} more={t`Lire la suite`} className={css.more}>
          {(folded) => (
            <p dir="auto" className={classes(css.text, folded && css.folded)}>
              {text}
            </p>
          )}
        </Fold>
      )}
    </Part>
  )
}
