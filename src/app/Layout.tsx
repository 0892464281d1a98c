import { Outlet } from '@tanstack/react-router'
import { Toasts } from '../ui/Toasts.tsx'

export function Layout() {
  return (
    <>
      <main>
        <Outlet />
      </main>
      <Toasts />
    </>
  )
}
