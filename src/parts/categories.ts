import Baby from 'lucide-react/icons/baby'
import BriefcaseBusiness from 'lucide-react/icons/briefcase-business'
import Camera from 'lucide-react/icons/camera'
import CarFront from 'lucide-react/icons/car-front'
import Gamepad2 from 'lucide-react/icons/gamepad-2'
import Headphones from 'lucide-react/icons/headphones'
import House from 'lucide-react/icons/house'
import Laptop from 'lucide-react/icons/laptop'
import Motorbike from 'lucide-react/icons/motorbike'
import PawPrint from 'lucide-react/icons/paw-print'
import Shapes from 'lucide-react/icons/shapes'
import Shirt from 'lucide-react/icons/shirt'
import Smartphone from 'lucide-react/icons/smartphone'
import Sofa from 'lucide-react/icons/sofa'
import Sparkles from 'lucide-react/icons/sparkles'
import Tv from 'lucide-react/icons/tv'
import Volleyball from 'lucide-react/icons/volleyball'
import Wrench from 'lucide-react/icons/wrench'
import slim, { aliases } from 'virtual:categories'
import type { Icon } from '../ui/Button.tsx'

const icons: Readonly<Record<string, Icon>> = {
  vehicles: CarFront,
  motos: Motorbike,
  properties: House,
  electronics: Tv,
  'mobile-tablet': Smartphone,
  'home-garden': Sofa,
  beauty: Sparkles,
  fashion: Shirt,
  jobs: BriefcaseBusiness,
  services: Wrench,
  sports: Volleyball,
  babies: Baby,
  animals: PawPrint,
  computers: Laptop,
  'audio-music': Headphones,
  'camera-photo': Camera,
  'games-consoles': Gamepad2,
}

/** The categories in display order, as the app was built with them; the server's counts and specs come by questions. */
export const categories = slim

const bySlug = new Map(slim.map((category) => [category.slug, category]))

export function categoryOf(slug: string): (typeof slim)[number] | undefined {
  return bySlug.get(slug)
}

/** An unknown category keeps a shape of its own. */
export function iconOf(slug: string): Icon {
  return icons[slug] ?? Shapes
}

/** The slug that an address means, aliases of the footer's links included; null: no such category, so no filter (D03). */
export function resolveCategory(text: string): string | null {
  const key = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
  const slug = aliases[key] ?? key
  return bySlug.has(slug) ? slug : null
}
