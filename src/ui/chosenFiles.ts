import type { ChangeEvent } from 'react'

/** For an input of files, which is emptied: the same file can be chosen again. */
export function chosenFiles(onChoose: (files: readonly File[]) => void) {
  return ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const files = [...(target.files ?? [])]
    target.value = ''
    if (files.length > 0) onChoose(files)
  }
}
