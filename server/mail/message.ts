export type Mail = Readonly<{
  id: string
  to: string
  subject: string
  text: string
  at: Date
}>

/**
 * RFC 5322 in 8bit, so that every link stays on one line [API 16, D121]; nodemailer would encode
 * the text.
 */
export function messageOf({ id, to, subject, text, at }: Mail, from: string) {
  const domain = /@([A-Za-z0-9.-]+)/.exec(from)?.[1] ?? 'localhost'
  return [
    `From: ${addressOf(from)}`,
    `To: <${to}>`,
    `Subject: ${encoded(subject)}`,
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${domain}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    'Auto-Submitted: auto-generated',
    '',
    ...text.split('\n'),
  ].join('\r\n')
}

function addressOf(from: string) {
  const [, name, address] = /^(.*?)\s*<([^<>]+)>$/.exec(from) ?? []
  return name === undefined || name === '' || address === undefined
    ? from
    : `${encoded(name)} <${address}>`
}

/** RFC 2047, at most 75 characters a word. Control characters could end the header. */
function encoded(text: string) {
  const plain = text.replaceAll(/\p{Cc}+/gu, ' ')
  if (/^[ -~]*$/.test(plain)) return plain
  const words: string[] = []
  let word = ''
  for (const letter of plain) {
    if (Buffer.byteLength(word + letter) > 42) {
      words.push(word)
      word = ''
    }
    word += letter
  }
  return [...words, word]
    .map((part) => `=?utf-8?B?${Buffer.from(part).toString('base64')}?=`)
    .join('\r\n ')
}
