import type { ManifestOptions } from 'vite-plugin-pwa'
import { APP_NAME } from '../schema/app.ts'
import { SHARE_PATH } from '../schema/port/share.ts'

export const manifest: Partial<ManifestOptions> = {
  id: '/',
  name: `${APP_NAME} · petites annonces`,
  short_name: APP_NAME,
  description: 'Achetez et vendez près de chez vous, même sans réseau.',
  lang: 'fr',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  theme_color: '#0A6847',
  background_color: '#F7F5F1',
  categories: ['shopping'],
  share_target: {
    action: SHARE_PATH,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      title: 'title',
      text: 'text',
      url: 'url',
      files: [{ name: 'photos', accept: ['image/*'] }],
    },
  },
  icons: [
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    {
      src: '/icon-maskable-512.png',
      sizes: '512x512',
      type: 'image/png',
      purpose: 'maskable',
    },
  ],
}
