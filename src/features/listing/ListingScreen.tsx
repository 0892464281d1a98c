import { useScreen } from '../../app/screen.ts'

export function ListingScreen() {
  useScreen('')
  return <h1>Listing</h1>
}
