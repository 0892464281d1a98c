import { useScreen } from '../../app/screen.ts'

export function BrowseScreen() {
  useScreen('')
  return <h1>Browse</h1>
}
