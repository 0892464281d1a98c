import { useLingui } from '@lingui/react/macro'
import { Copy, Download, MessageCircle, Share2 } from 'lucide-react'
import { useState } from 'react'
import { Button, ButtonAnchor } from '../ui/Button.tsx'
import { copyText } from '../ui/copyText.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { download } from '../ui/download.ts'
import { toast } from '../ui/toasts.ts'
import { posterOf, type Shared } from './poster.ts'
import { qrOf } from './qr.ts'
import css from './ShareDialog.module.css'

export function ShareDialog({ shared, onClose }: { shared: Shared; onClose: () => void }) {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const { size, path } = qrOf(shared.url)
  const text = [shared.title, shared.strong, shared.url].filter((part) => part !== '').join('\n')

  async function withPoster(work: (file: File) => Promise<void> | void) {
    setBusy(true)
    try {
      const poster = await posterOf(shared)
      if (poster) await work(new File([poster], 'annonce.jpg', { type: 'image/jpeg' }))
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        toast(t`Impossible de partager. Copiez l’adresse de la page.`, { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }

  async function share(file: File) {
    const plain = { title: shared.title, text: shared.strong, url: shared.url }
    const whole = { ...plain, files: [file] }
    await navigator.share(navigator.canShare(whole) ? whole : plain)
  }

  async function copy() {
    if (!(await copyText(shared.url)))
      return toast(t`Impossible de copier. L’adresse est écrite sous le code.`, { tone: 'danger' })
    toast(t`Lien copié.`, { tone: 'good' })
    onClose()
  }

  return (
    <Dialog open onClose={onClose} title={t`Partager`}>
      <svg
        className={css.code}
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={t`Code QR de l’adresse`}
        shapeRendering="crispEdges"
      >
        <rect width={size} height={size} className={css.paper} />
        <path d={path} className={css.ink} />
      </svg>
      <p className={css.address}>{shared.url}</p>
      <div className="stack">
        {typeof navigator.share === 'function' && (
          <Button kind="main" icon={Share2} onClick={() => void withPoster(share)} busy={busy}>
            {t`Partager avec l’image`}
          </Button>
        )}
        <ButtonAnchor
          icon={MessageCircle}
          href={`https://wa.me/?text=${encodeURIComponent(text)}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          WhatsApp
        </ButtonAnchor>
        <Button icon={Copy} onClick={() => void copy()}>
          {t`Copier le lien`}
        </Button>
        <Button
          icon={Download}
          onClick={() => void withPoster((file) => download(file, file.name))}
          busy={busy}
        >
          {t`Enregistrer l’image`}
        </Button>
      </div>
    </Dialog>
  )
}
