import { useScreen } from '../../app/screen.ts'

export function HomeScreen() {
  useScreen('')
  return <h1>Home</h1>
}
