import sharp from 'sharp'
import { Person, text } from '../support/api.ts'

/** A real JPEG of one colour, so that photos can be distinguished. */
export async function jpeg(background: string, width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer()
}

/** Uploads a photo as another device of the person; returns the id for a listing. */
export async function upload(url: string, person: Person, photo: Buffer): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg')
  const answer = await fetch(`${url}/api/uploads/`, {
    method: 'POST',
    headers: { authorization: `Token ${person.token}` },
    body: form,
  })
  return text(await answer.json(), 'upload_id')
}

/** Creates a listing on another device; returns its id. */
export async function listed(person: Person, title: string, more: object = {}): Promise<string> {
  const made = await person.ask('POST', 'listings/', {
    title,
    description: 'Cadre solide, deux pneus neufs.',
    category: 'sports',
    price: 45_000,
    region: 'kadiogo',
    town: 'ouagadougou',
    specs: { type: 'bicycle', condition: 'used' },
    ...more,
  })
  return text(made, 'id')
}

export async function newSeller(url: string): Promise<Person> {
  return new Person(url).register(`vend${Date.now() % 1e8}${Math.floor(Math.random() * 1000)}`)
}
