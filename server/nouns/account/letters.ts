import type { LetterOf } from '../../mail/job.ts'
import type { Services } from '../../route/index.ts'
import { announcementLetter, eventLetter } from '../notification/mail.ts'
import { accountToReset, newLink } from './mail-links.ts'
import { liveUser } from './user.ts'

export const letterOf: LetterOf<Services> = async (services, what, now) => {
  if (what.about === 'event') return eventLetter(services, what, now)
  if (what.about === 'announcement') return announcementLetter(services, what, now)
  const target = what.about === 'reset' ? await accountToReset(services, what.name, now) : what
  if (target === null) return null
  const user = await liveUser(services.database.db, target.user)
  if (user === null) return null
  const { address } = target
  const person = { username: user.username, language: user.language }
  const page = (path: string) => `${services.publicUrl}${path}`
  switch (what.about) {
    case 'verify':
    case 'reset': {
      // an address that was changed meanwhile gets no link
      if (user.email !== address) return null
      const token = await services.database.tx((tx) =>
        newLink(tx, { user: target.user, purpose: what.about, email: address }, now),
      )
      const path = what.about === 'verify' ? '/verify-email' : '/reset-password'
      const link = page(`${path}?uid=${target.user}&token=${token}`)
      return { address, letter: { ...person, template: what.about, link } }
    }
    case 'password_changed': {
      const link = page('/forgot-password')
      return { address, letter: { ...person, template: what.about, link } }
    }
    case 'email_changed':
      return { address, letter: { ...person, template: what.about } }
    case 'suspended':
      return { address, letter: { ...person, template: what.about, text: what.text } }
  }
}
