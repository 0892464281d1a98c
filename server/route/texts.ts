import type { LocalizedText } from '#schema/wire/shapes'

interface Text extends LocalizedText {
  readonly status: number
}
const of = (status: number, fr: string, en: string): Text => ({ status, fr, en })

/**
 * Every error code with its status and texts [API 1.4]. `{min}`, `{max}` are replaced by the
 * field's bounds. A route may override the texts of field codes.
 */
export const texts = {
  parse_error: of(
    400,
    'Requête invalide. Actualisez la page et réessayez.',
    'Invalid request. Please refresh the page and try again.',
  ),
  idempotency_key_invalid: of(
    400,
    'Requête invalide. Actualisez la page et réessayez.',
    'Invalid request. Please refresh the page and try again.',
  ),
  invalid_credentials: of(
    400,
    'Échec de la connexion. Vérifiez vos identifiants.',
    'Failed to log in. Please check your credentials.',
  ),
  own_listing: of(
    400,
    'Vous ne pouvez pas démarrer une conversation avec votre propre annonce.',
    'You cannot start a conversation on your own listing.',
  ),
  cannot_follow_self: of(
    400,
    'Vous ne pouvez pas vous suivre vous-même.',
    'You cannot follow yourself.',
  ),
  cannot_review_self: of(
    400,
    'Vous ne pouvez pas vous évaluer vous-même.',
    'You cannot review yourself.',
  ),
  reset_link_invalid: of(
    400,
    'Impossible de mettre à jour le mot de passe. Le lien peut être expiré.',
    'The password could not be updated. The link may have expired.',
  ),
  verification_link_invalid: of(400, 'Lien invalide ou expiré.', 'Invalid or expired link.'),
  verification_params_missing: of(
    400,
    'Lien invalide. Paramètres manquants.',
    'Invalid link. Missing parameters.',
  ),

  required: of(400, 'Ce champ est obligatoire.', 'This field is required.'),
  blank: of(400, 'Ce champ ne peut pas être vide.', 'This field cannot be empty.'),
  too_short: of(400, '{min} caractères au minimum.', 'At least {min} characters.'),
  too_long: of(400, '{max} caractères au maximum.', '{max} characters at most.'),
  min_value: of(400, 'La valeur doit être au moins {min}.', 'The value must be at least {min}.'),
  max_value: of(400, 'La valeur doit être au plus {max}.', 'The value must be at most {max}.'),
  invalid: of(400, 'Valeur invalide.', 'Invalid value.'),
  invalid_choice: of(400, 'Valeur non autorisée.', 'Value not allowed.'),
  not_unique: of(400, 'Cette valeur est déjà utilisée.', 'This value is already in use.'),
  immutable: of(400, 'Ce champ ne peut pas être modifié.', 'This field cannot be changed.'),
  too_many_ids: of(400, '{max} identifiants au maximum.', '{max} ids at most.'),
  phone_invalid: of(400, 'Numéro de téléphone invalide.', 'Invalid phone number.'),
  message_empty: of(400, 'Le message ne peut pas être vide.', 'The message cannot be empty.'),
  password_too_short: of(
    400,
    'le mot de passe doit contenir au moins 6 caractères',
    'Password must be at least 6 characters long.',
  ),
  password_too_similar: of(
    400,
    "Le mot de passe doit différer du nom d'utilisateur.",
    'The password must differ from the username.',
  ),
  password_incorrect: of(400, 'Mot de passe actuel incorrect.', 'Current password is incorrect.'),
  username_taken: of(400, "Ce nom d'utilisateur est déjà pris.", 'This username is already taken.'),
  email_taken: of(
    400,
    'Cette adresse e-mail est déjà utilisée.',
    'This email address is already in use.',
  ),
  image_too_large: of(400, 'image trop lourde', 'image too large'),
  image_too_small: of(
    400,
    'Image trop petite (200 x 200 pixels minimum).',
    'Image too small (200 x 200 pixels minimum).',
  ),
  image_type_unsupported: of(
    400,
    "Format d'image non pris en charge.",
    'Unsupported image format.',
  ),
  image_unreadable: of(400, 'Image illisible.', 'The image could not be read.'),
  image_dimensions_too_large: of(
    400,
    "Dimensions de l'image trop grandes.",
    'Image dimensions are too large.',
  ),
  too_many_images: of(400, '5 images au maximum.', '5 images at most.'),
  upload_not_found: of(
    400,
    'Photo expirée. Envoyez-la de nouveau.',
    'Photo expired. Please upload it again.',
  ),

  endpoint_invalid: of(400, "Adresse d'abonnement invalide.", 'Invalid subscription address.'),
  key_invalid: of(400, "Clé d'abonnement invalide.", 'Invalid subscription key.'),

  not_authenticated: of(
    401,
    'Vous devez être connecté.',
    'Authentication required. Please log in and try again.',
  ),
  token_invalid: of(
    401,
    'Session expirée. Veuillez vous reconnecter.',
    'Session expired. Please log in again.',
  ),
  conversation_login_required: of(
    401,
    'Vous devez être connecté pour démarrer une conversation',
    'You must be signed in to start a conversation',
  ),

  account_suspended: of(403, 'Ce compte est suspendu.', 'This account is suspended.'),
  permission_denied: of(403, 'Action non autorisée.', 'You are not allowed to do this.'),
  cannot_message_user: of(
    403,
    'Vous ne pouvez pas écrire à cet utilisateur.',
    'You cannot message this user.',
  ),
  review_not_allowed: of(
    403,
    "Échangez d'abord avec ce vendeur avant de l'évaluer.",
    'Exchange messages with this seller before reviewing.',
  ),

  not_found: of(404, 'Introuvable.', 'Not found.'),
  listing_not_found: of(404, 'Annonce introuvable.', 'Listing not found.'),
  listing_unavailable: of(404, 'Annonce introuvable.', 'Listing not found.'),
  invalid_page: of(404, 'Page invalide.', 'Invalid page.'),
  method_not_allowed: of(405, 'Méthode non autorisée.', 'Method not allowed.'),

  edit_conflict: of(
    409,
    'Cette annonce a été modifiée entre-temps.',
    'This listing was changed in the meantime.',
  ),
  listing_not_approved: of(
    409,
    "L'annonce n'est pas encore approuvée.",
    'The listing is not approved yet.',
  ),
  listing_expired: of(
    409,
    "L'annonce a expiré. Réactivez-la.",
    'The listing has expired. Reactivate it.',
  ),
  listing_is_sold: of(409, "L'annonce est marquée vendue.", 'The listing is marked as sold.'),
  listing_unavailable_for_action: of(
    409,
    "Action impossible dans l'état actuel de l'annonce.",
    "Not possible in the listing's present state.",
  ),
  featured_limit: of(
    409,
    'Vous avez déjà 2 annonces à la une.',
    'You already have 2 featured listings.',
  ),
  listing_limit: of(
    409,
    "Nombre maximal d'annonces atteint.",
    'Maximum number of listings reached.',
  ),
  saved_search_limit: of(
    409,
    'Vous avez atteint 20 recherches enregistrées.',
    'You have reached 20 saved searches.',
  ),
  idempotency_in_progress: of(
    409,
    'Requête déjà en cours.',
    'This request is already in progress.',
  ),

  no_subscription: of(409, 'Aucun appareil abonné.', 'No subscribed device.'),
  subscription_gone: of(
    409,
    "L'abonnement de cet appareil a expiré. Réactivez les notifications.",
    "This device's subscription has ended. Enable notifications again.",
  ),

  cursor_expired: of(410, 'Synchronisation complète nécessaire.', 'A full sync is needed.'),
  payload_too_large: of(413, 'Envoi trop volumineux.', 'The upload is too large.'),
  uri_too_long: of(414, 'Adresse trop longue.', 'The address is too long.'),
  unsupported_media_type: of(
    415,
    'Type de contenu non pris en charge.',
    'Unsupported content type.',
  ),
  idempotency_key_reused: of(
    422,
    'Requête déjà utilisée avec un autre contenu.',
    'This request key was used with other content.',
  ),
  report_rate_limited: of(
    429,
    'Vous envoyez des signalements trop rapidement. Veuillez patienter et réessayer.',
    'You are sending reports too quickly. Please wait and try again.',
  ),
  cooldown: of(429, 'Veuillez patienter avant de redemander.', 'Please wait before asking again.'),
  rate_limited: of(
    429,
    'Trop de requêtes. Veuillez patienter et réessayer.',
    'Too many requests. Please wait and try again.',
  ),
  headers_too_large: of(431, 'En-têtes trop volumineux.', 'The request headers are too large.'),
  server_error: of(500, "Une erreur inattendue s'est produite.", 'An unexpected error occurred.'),
  push_service_error: of(
    502,
    'Le service de notification ne répond pas.',
    'The push service is not responding.',
  ),
  push_not_configured: of(
    503,
    'Notifications push non configurées.',
    'Push notifications are not configured.',
  ),
  service_unavailable: of(
    503,
    'Service momentanément indisponible.',
    'Service temporarily unavailable.',
  ),
  verification_unavailable: of(
    503,
    'Impossible de demander la vérification.',
    'Verification could not be requested.',
  ),
} as const satisfies Record<string, Text>

export type Code = keyof typeof texts
export const isCode = (word: string): word is Code => Object.hasOwn(texts, word)
