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
import { type ComponentType, createElement } from 'react'

type Sign = ComponentType

const icons: Readonly<Record<string, Sign>> = {
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

export function CategoryIcon({ slug }: { slug: string }) {
  return createElement(icons[slug] ?? Shapes, null)
}
