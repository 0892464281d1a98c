import { type PictureFacts, variantNames } from './variants.ts'
import type { PreparedPicture } from './imageWorker/job.ts'
import type { FileStore } from './storage.ts'

export async function keepPicture(store: FileStore, { files, folder }: PreparedPicture) {
  await Promise.all([...files].map(([name, bytes]) => store.put(`${folder}/${name}`, bytes)))
}

export async function copyPicture(store: FileStore, { hash, width }: PictureFacts, folder: string) {
  await Promise.all(
    variantNames(width).map(async (name) => {
      const bytes = await store.get(`images/${hash}/${name}`)
      if (!bytes) throw new Error(`picture ${hash} lacks ${name}`)
      await store.put(`${folder}/${name}`, bytes)
    }),
  )
}
