import { useEffect, useState } from 'react'
import { keptPhoto } from '../data/photos.ts'
import { Shot } from './Shot.tsx'

export function KeptPhoto({
  id,
  alt,
  className,
}: {
  id: string | null
  alt: string
  className?: string | undefined
}) {
  const [kept, setKept] = useState<{ readonly id: string; readonly file: Blob | null } | null>(null)
  useEffect(() => {
    if (id === null) return undefined
    let shown = true
    void keptPhoto(id).then((file) => shown && setKept({ id, file }))
    return () => {
      shown = false
    }
  }, [id])
  return (
    <Shot
      file={kept !== null && kept.id === id ? kept.file : null}
      alt={alt}
      className={className}
    />
  )
}
