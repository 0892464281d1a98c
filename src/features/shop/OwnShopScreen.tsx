import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { useScreen } from '../../app/screen.ts'
import { useMe } from '../../data/read.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'

/** [S2.08] */
export function OwnShopScreen() {
  const { t } = useLingui()
  const user = useMe()
  useScreen(t`Ma boutique`, false)
  return user ? (
    <Navigate to="/shop/$slug" params={{ slug: user.slug }} replace />
  ) : (
    <Skeleton shape="block" />
  )
}
