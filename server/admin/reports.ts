import { changed, type Command, refused, shown, table, textOf } from './command.ts'

const list: Command = {
  names: ['reports'],
  usage: '[--open]',
  about: 'what people reported, newest first',
  options: { open: { type: 'boolean' } },
  async look({ options, services: { database } }) {
    const all = database.db
      .selectFrom('report as r')
      .leftJoin('listing as l', 'l.id', 'r.listing_id')
      .leftJoin('app_user as u', 'u.id', 'r.user_id')
      .select([
        'r.id',
        'r.category',
        'r.message',
        'r.listing_id',
        'l.title',
        'r.user_id',
        'u.username',
        'r.created_at',
        'r.closed_at',
        'r.note',
      ])
      .orderBy('r.created_at', 'desc')
      .orderBy('r.id', 'desc')
      .limit(500)
    const rows = await (
      options['open'] === true ? all.where('r.closed_at', 'is', null) : all
    ).execute()
    const about = (row: (typeof rows)[number]) =>
      row.listing_id === null ? (row.username ?? '') : `${row.listing_id} ${row.title ?? ''}`
    return shown(
      table([
        ['ID', 'AT', 'STATE', 'KIND', 'ABOUT', 'MESSAGE'],
        ...rows.map((row) => [
          row.id,
          row.created_at.toISOString().slice(0, 16),
          row.closed_at === null ? 'open' : 'closed',
          row.category,
          about(row),
          row.message.replaceAll('\n', ' '),
        ]),
      ]),
      rows,
    )
  },
}

const close: Command = {
  names: ['close-report'],
  usage: '<report id> [--note "…"]',
  about: 'a report that is dealt with',
  options: { note: { type: 'string' } },
  args: [1, 1],
  async change({ args: [id = ''], options, now }, tx) {
    const closed = await tx
      .updateTable('report')
      .set({ closed_at: now, note: textOf(options['note']) })
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .returning('id')
      .execute()
    return closed.length === 0
      ? refused(`no open report ${id}`)
      : changed(`${id} closed`, id, { id })
  },
}

const deleteReview: Command = {
  names: ['delete-review'],
  usage: '<review id>',
  about: 'a review that breaks the rules',
  args: [1, 1],
  async change({ args: [id = ''] }, tx) {
    const gone = await tx.deleteFrom('review').where('id', '=', id).returning('seller_id').execute()
    return gone.length === 0
      ? refused(`review ${id} is not there`)
      : changed(`${id} deleted`, id, { id })
  },
}

export const reportCommands: readonly Command[] = [list, close, deleteReview]
