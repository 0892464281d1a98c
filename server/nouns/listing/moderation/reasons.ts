import type { Language, LocalizedText } from '#schema/wire/shapes'

/** Rejection reasons that moderators give by code; owners read them in their language [API 16]. */
export const REASONS: Readonly<Record<string, LocalizedText>> = {
  photo_missing: {
    fr: 'Les photos ne montrent pas l’article. Ajoutez au moins une photo prise par vous.',
    en: 'The photos do not show the item. Add at least one photo you took yourself.',
  },
  photo_contact: {
    fr: 'Une photo contient un numéro de téléphone ou un logo. Retirez-le et renvoyez l’annonce.',
    en: 'A photo contains a phone number or a logo. Remove it and send the ad again.',
  },
  photo_stolen: {
    fr: 'Les photos viennent d’une autre annonce ou d’Internet.',
    en: 'The photos come from another ad or from the Internet.',
  },
  wrong_category: {
    fr: 'La catégorie ne correspond pas. Choisissez la bonne et renvoyez.',
    en: 'The category does not match. Choose the right one and send again.',
  },
  title_unclear: {
    fr: 'Le titre ne dit pas ce qui est vendu.',
    en: 'The title does not say what is for sale.',
  },
  price_unrealistic: {
    fr: 'Le prix ne correspond pas à l’article. Indiquez le vrai prix.',
    en: 'The price does not match the item. Enter the real price.',
  },
  duplicate: {
    fr: 'Cette annonce existe déjà. Modifiez l’ancienne au lieu d’en créer une autre.',
    en: 'This ad already exists. Edit the first one instead of creating another.',
  },
  prohibited: {
    fr: 'Cet article est interdit sur la place de marché. Voir la liste des articles interdits.',
    en: 'This item is not allowed here. See the list of prohibited goods.',
  },
  counterfeit: {
    fr: 'L’annonce propose une copie de marque. Elle ne peut pas être publiée.',
    en: 'The ad offers a counterfeit brand item and cannot be published.',
  },
  missing_papers: {
    fr: 'Pour une moto ou un véhicule, précisez la situation des papiers.',
    en: 'For a motorbike or vehicle, say what papers exist.',
  },
  land_document: {
    fr: 'Pour une parcelle, indiquez le document disponible (titre foncier, PUH, attestation).',
    en: 'For land, state which document exists (title deed, PUH, certificate).',
  },
  advance_fee: {
    fr: 'L’annonce demande de l’argent avant de voir l’article. Ce n’est pas accepté.',
    en: 'The ad asks for money before the item is seen. This is not accepted.',
  },
  job_fee: {
    fr: 'Une offre d’emploi ne peut pas demander de frais au candidat.',
    en: 'A job ad may not ask the applicant for a fee.',
  },
  contact_in_text: {
    fr: 'Ne mettez pas de numéro dans le titre ou la description : utilisez le champ téléphone.',
    en: 'Do not put a number in the title or text: use the phone field.',
  },
  personal_data: {
    fr: 'L’annonce contient des données personnelles d’une autre personne.',
    en: 'The ad contains someone else’s personal data.',
  },
}

/**
 * Translates a predefined reason, which is stored in French; a moderator's own text stays
 * unchanged.
 */
export function reasonIn(kept: string | null, language: Language): string | null {
  return Object.values(REASONS).find(({ fr }) => fr === kept)?.[language] ?? kept
}
