import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin'
import babel from '@rolldown/plugin-babel'
import react from '@vitejs/plugin-react'
import type { PluginOption } from 'vite'
import { compileFrench } from './compileFrench.ts'
import { drawings } from './drawings.ts'
import { icons } from './icons.ts'
import { categories, texts } from './virtualModules.ts'

export const sources = (): PluginOption[] => [
  icons(),
  babel({ presets: [linguiTransformerBabelPreset({ descriptorFields: 'message' })] }),
  compileFrench(),
  react({ compiler: true }),
  lingui({ failOnCompileError: true }),
  categories(),
  texts(),
  drawings(),
]
