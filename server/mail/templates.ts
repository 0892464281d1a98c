import type { Language } from '#schema/wire/shapes'

export interface Letter {
  readonly template: keyof typeof fr
  readonly language: Language
  readonly username: string
  /** Absolute URL. */
  readonly link?: string
  /** Its own text, for an announcement or a ban. */
  readonly text?: string
  readonly title?: string
}

/** With the address that it goes to. */
export interface Posted {
  readonly letter: Letter
  readonly address: string
}

type Words = (letter: Letter) => { readonly subject: string; readonly lines: readonly string[] }

const link = ({ link: address }: Letter): string[] =>
  address === undefined ? [] : ['', address, '']

const fr = {
  verify: (letter) => ({
    subject: 'Confirmez votre adresse e-mail',
    lines: [
      `Bonjour ${letter.username},`,
      '',
      'Pour confirmer votre adresse e-mail, ouvrez ce lien dans les 48 heures :',
      ...link(letter),
      'Si vous n’avez rien demandé, ignorez ce message.',
    ],
  }),
  reset: (letter) => ({
    subject: 'Choisissez un nouveau mot de passe',
    lines: [
      `Bonjour ${letter.username},`,
      '',
      'Pour choisir un nouveau mot de passe, ouvrez ce lien dans les 2 heures. Il ne sert qu’une fois :',
      ...link(letter),
      'Si vous n’avez rien demandé, ignorez ce message : votre mot de passe reste le même.',
    ],
  }),
  password_changed: (letter) => ({
    subject: 'Votre mot de passe a été modifié',
    lines: [
      `Bonjour ${letter.username},`,
      '',
      'Le mot de passe de votre compte vient d’être modifié.',
      '',
      'Si ce n’était pas vous, demandez aussitôt un nouveau mot de passe :',
      ...link(letter),
    ],
  }),
  email_changed: (letter) => ({
    subject: 'Votre adresse e-mail a été modifiée',
    lines: [
      `Bonjour ${letter.username},`,
      '',
      'L’adresse e-mail de votre compte vient d’être remplacée par une autre.',
      '',
      'Si ce n’était pas vous, changez votre mot de passe et écrivez-nous.',
      ...link(letter),
    ],
  }),
  suspended: (letter) => ({
    subject: 'Votre compte est suspendu',
    lines: [
      `Bonjour ${letter.username},`,
      '',
      'Votre compte a été suspendu pour la raison suivante :',
      '',
      letter.text ?? '',
    ],
  }),
  announcement: (letter) => ({
    subject: letter.title ?? '',
    lines: [`Bonjour ${letter.username},`, '', letter.text ?? '', ...link(letter)],
  }),
  event: (letter) => ({
    subject: letter.title ?? '',
    lines: [
      `Bonjour ${letter.username},`,
      '',
      letter.text ?? '',
      ...link(letter),
      'Vous recevez ce message parce que vos préférences le demandent ; elles se changent dans les paramètres.',
    ],
  }),
} as const satisfies Record<string, Words>

const en: Record<keyof typeof fr, Words> = {
  verify: (letter) => ({
    subject: 'Confirm your email address',
    lines: [
      `Hello ${letter.username},`,
      '',
      'To confirm your email address, open this link within 48 hours:',
      ...link(letter),
      'If you did not ask for this, ignore this message.',
    ],
  }),
  reset: (letter) => ({
    subject: 'Choose a new password',
    lines: [
      `Hello ${letter.username},`,
      '',
      'To choose a new password, open this link within 2 hours. It works once:',
      ...link(letter),
      'If you did not ask for this, ignore this message: your password stays the same.',
    ],
  }),
  password_changed: (letter) => ({
    subject: 'Your password was changed',
    lines: [
      `Hello ${letter.username},`,
      '',
      'The password of your account was just changed.',
      '',
      'If this was not you, ask for a new password at once:',
      ...link(letter),
    ],
  }),
  email_changed: (letter) => ({
    subject: 'Your email address was changed',
    lines: [
      `Hello ${letter.username},`,
      '',
      'The email address of your account was just replaced by another one.',
      '',
      'If this was not you, change your password and write to us.',
      ...link(letter),
    ],
  }),
  suspended: (letter) => ({
    subject: 'Your account is suspended',
    lines: [
      `Hello ${letter.username},`,
      '',
      'Your account was suspended for this reason:',
      '',
      letter.text ?? '',
    ],
  }),
  announcement: (letter) => ({
    subject: letter.title ?? '',
    lines: [`Hello ${letter.username},`, '', letter.text ?? '', ...link(letter)],
  }),
  event: (letter) => ({
    subject: letter.title ?? '',
    lines: [
      `Hello ${letter.username},`,
      '',
      letter.text ?? '',
      ...link(letter),
      'You get this message because your preferences ask for it; you can change them in the settings.',
    ],
  }),
}

const templates: Record<Language, Record<keyof typeof fr, Words>> = { fr, en }

/** Each link has a line of its own [D121]. */
export function wordsOf(letter: Letter, sender: string): { subject: string; text: string } {
  const { subject, lines } = templates[letter.language][letter.template](letter)
  return {
    subject: letter.language === 'en' ? `${sender}: ${subject}` : `${sender}\u00a0: ${subject}`,
    text: `${lines.join('\n').trimEnd()}\n\n${sender}\n`,
  }
}
