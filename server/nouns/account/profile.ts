import { isMembers } from '#schema/members'
import type { InferOutput } from 'valibot'
import { AVATAR_MIN_PX } from '#schema/limits'
import { phoneNumberOf } from '#schema/phoneNumber'
import type { editMe } from '#schema/wire/account'
import { pick } from '#schema/pick'
import { violated } from '../../db/open.ts'
import type { Tx } from '../../db/tables.ts'
import { avatarFolder, avatarUrl } from '../../files/variants.ts'
import { doubt, storePictures } from '../../files/orphanCheck.ts'
import {
  refuseField,
  refuseFields,
  type Exchange,
  type FieldFault,
  type UploadedFile,
} from '../../route/index.ts'
import { sendMail } from '../../mail/order.ts'
import { endLinks } from './mail-links.ts'
import { requirePassword } from './password.ts'
import { PROBES } from './sign-in.ts'
import { freeSlug, setUser, userNamed, type UserRow } from './user.ts'
import texts from './texts.json' with { type: 'json' }

type Edit = InferOutput<typeof editMe.body>

/** Cached lists may still show the old avatar [API 6.3]. */
const SHOWN_MS = 7 * 86_400_000

/** Each change mails two addresses, and the new one may belong to anybody. */
const addresses = { name: 'address', user: [{ count: 5, seconds: 24 * 3600 }] } as const

type Taking = Pick<Exchange, 'count' | 'services' | 'now' | 'signal'>

/** Checks an edit [API 7.4] and stores the avatar. */
export async function prepareEdit(
  taking: Taking,
  user: UserRow,
  edit: Edit,
  avatar: UploadedFile | undefined,
) {
  const faults = immutable(user, edit)
  const phone = typeof edit.phone === 'string' ? phoneNumberOf(edit.phone) : edit.phone
  if (phone === null && typeof edit.phone === 'string')
    faults['phone'] = [{ code: 'phone_invalid' }]
  if (typeof edit.avatar === 'string' && edit.avatar !== user.avatar)
    faults['avatar'] = [{ code: 'invalid' }]
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  const email = await newAddress(taking, user, edit)
  if (email !== null) await taking.count(addresses)
  const unchanged = edit.avatar === undefined || edit.avatar === user.avatar
  const picture =
    avatar === undefined ? (unchanged ? undefined : null) : await storeAvatar(taking, avatar)
  const set = {
    ...pick(edit, ['shop_name', 'language']),
    phone,
    bio: edit.bio === null ? '' : edit.bio,
    avatar: picture,
    ...(email !== null && { email, email_verified_at: null }),
  }
  return { set, email }
}

/** The first shop name sets the slug, once [D65]; a new address starts unverified. */
export async function applyEdit(
  tx: Tx,
  user: UserRow,
  { set, email }: Awaited<ReturnType<typeof prepareEdit>>,
  now: Date,
) {
  const slug =
    typeof set.shop_name === 'string' ? await firstShopSlug(tx, user.id, set.shop_name) : null
  if (slug !== null) await tx.insertInto('user_slug').values({ slug, user_id: user.id }).execute()
  const changed = { ...set, ...(slug !== null && { slug }) }
  if (Object.values(changed).every((value) => value === undefined)) return
  try {
    await setUser(tx, user.id, changed, now)
  } catch (error) {
    throw violated(error) === 'app_user_email_key' ? refuseField('email', 'email_taken') : error
  }
  if (user.avatar !== null && set.avatar !== undefined)
    await doubt(tx, avatarFolder(user.avatar), now, new Date(now.getTime() + SHOWN_MS))
  if (email === null) return
  await endLinks(tx, user.id, 'verify', now)
  // The old mailbox must not be able to take the account back.
  await endLinks(tx, user.id, 'reset', now)
  await sendMail(tx, { about: 'verify', user: user.id, address: email }, now)
  if (user.email !== null)
    await sendMail(tx, { about: 'email_changed', user: user.id, address: user.email }, now)
}

function immutable(user: UserRow, edit: Edit): Record<string, FieldFault[]> {
  const present = { ...user, slug: user.slug ?? '' }
  const faults: Record<string, FieldFault[]> = {}
  const requireSame = (name: keyof Edit, same: boolean) => {
    if (edit[name] !== undefined && !same) faults[name] = [{ code: 'immutable' }]
  }
  for (const name of ['id', 'username', 'slug'] as const)
    requireSame(name, edit[name] === present[name])
  for (const name of ['followers_count', 'following_count', 'items_sold'] as const)
    requireSame(name, Number(edit[name]) === present[name])
  // Counters change on their own.
  requireSame('counters', isMembers(edit.counters))
  return faults
}

async function newAddress(taking: Taking, user: UserRow, edit: Edit) {
  const email = edit.email?.toLowerCase()
  if (email === undefined || email === user.email) return null
  if (typeof edit.current_password !== 'string') throw refuseField('current_password', 'required')
  await requirePassword(taking, edit.current_password, user.password_hash)
  const takeBack = await taking.count(PROBES)
  const { db } = taking.services.database
  if ((await userNamed(db, email)) !== null) throw refuseField('email', 'email_taken')
  await takeBack()
  return email
}

async function storeAvatar({ services, now, signal }: Taking, file: UploadedFile) {
  if (file.tooLarge) throw refuseField('avatar', 'image_too_large')
  const picture = await services.imageWorker.avatar(file.path, signal)
  if ('code' in picture) {
    const { code } = picture
    const small = { text: texts.avatar_too_small, more: { min: AVATAR_MIN_PX } }
    throw refuseFields({ avatar: [{ code, ...(code === 'image_too_small' && small) }] })
  }
  await storePictures(services, [picture], now)
  return avatarUrl(picture.hash)
}

async function firstShopSlug(tx: Tx, user: string, shopName: string) {
  const slugs = await tx
    .selectFrom('user_slug')
    .select('slug')
    .where('user_id', '=', user)
    .execute()
  return slugs.length > 1 ? null : freeSlug(tx, shopName)
}
