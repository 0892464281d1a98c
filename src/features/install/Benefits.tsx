import { Check } from 'lucide-react'
import guide from 'virtual:texts/add_to_home'
import { useTranslate } from '../../locales/format.ts'
import css from './install.module.css'

export function Benefits() {
  const translate = useTranslate()
  return (
    <ul className={css.benefits}>
      {guide.benefits.map((benefit) => (
        <li key={benefit.fr}>
          <Check />
          {translate(benefit)}
        </li>
      ))}
    </ul>
  )
}
