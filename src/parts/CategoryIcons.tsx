import {
  Baby,
  BriefcaseBusiness,
  Camera,
  CarFront,
  Gamepad2,
  Headphones,
  House,
  Laptop,
  Motorbike,
  PawPrint,
  Shapes,
  Shirt,
  Smartphone,
  Sofa,
  Sparkles,
  Tv,
  Volleyball,
  Wrench,
} from 'lucide-react'
import { type ComponentType, createElement } from 'react'

const icons: Readonly<Record<string, ComponentType>> = {
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
