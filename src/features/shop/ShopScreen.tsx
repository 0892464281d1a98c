import { useScreen } from '../../app/screen.ts'

export function ShopScreen() {
  useScreen('')
  return <h1>Shop</h1>
}
