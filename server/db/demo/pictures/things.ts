import * as animals from './things/animals.ts'
import * as appliances from './things/appliances.ts'
import * as clothes from './things/clothes.ts'
import * as furniture from './things/furniture.ts'
import * as goods from './things/goods.ts'
import * as houses from './things/houses.ts'
import * as motos from './things/motos.ts'
import * as phones from './things/phones.ts'
import * as screens from './things/screens.ts'
import * as sound from './things/sound.ts'
import * as vehicles from './things/vehicles.ts'

/** Everything the demo can draw. */
export const THINGS = { ...animals, ...appliances, ...clothes, ...furniture, ...goods, ...houses, ...motos, ...phones, ...screens, ...sound, ...vehicles }
export type ThingName = keyof typeof THINGS
