import Check from 'lucide-react/icons/check'
import guide from 'virtual:texts/add_to_home'
import { useSay } from '../../locales/say.ts'
import css from './install.module.css'

export function Benefits() {
  const say = useSay()
  return (
    <ul className={css.benefits}>
      {guide.benefits.map((benefit) => (
        <li key={benefit.fr}>
          <Check />
          {say(benefit)}
        </li>
      ))}
    </ul>
  )
}
