import { useLingui } from '@lingui/react/macro'
import { useTranslate } from '../../locales/translate.ts'
import { categories } from '../../parts/categories.ts'
import { Choice, Group } from '../../ui/Field.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { StepProps } from './check.ts'
import css from './CreateListingScreen.module.css'

/** The category [S3.03]; specs of other categories stay, in case the user switches back. */
export function CategoryStep({ form, set, wrong }: StepProps) {
  const { t } = useLingui()
  const translate = useTranslate()
  const fault = wrong['category']
  return (
    <>
      {fault && (
        <Notice tone="danger" live="alert">
          {translate(fault)}
        </Notice>
      )}
      <Group legend={t`Que vendez-vous ?`} className={css.categories}>
        {categories.map(({ slug, name }) => (
          <Choice
            key={slug}
            type="radio"
            name="category"
            required
            aria-invalid={fault ? true : undefined}
            label={translate(name)}
            checked={form.category === slug}
            onChange={() => set({ category: slug })}
          />
        ))}
      </Group>
    </>
  )
}
