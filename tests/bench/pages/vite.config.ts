import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const pages = ['l2', 'l3', 'r1', 'store']

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  build: {
    target: ['chrome138'],
    outDir: '../../../.cache/bench',
    emptyOutDir: true,
    rolldownOptions: {
      input: Object.fromEntries(
        pages.map((page) => [page, `${import.meta.dirname}/${page}/index.html`]),
      ),
    },
  },
  worker: { format: 'es' },
  plugins: [react()],
})
