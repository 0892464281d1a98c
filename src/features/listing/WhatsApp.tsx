import { icon } from '../../ui/icon.tsx'

/** A receiver in a speech bubble. */
export const WhatsApp = icon(
  'M3 21l1.7-4.6a9 9 0 1 1 3.3 3.1z' +
    'M9 8.2c0 3.6 3.2 6.8 6.8 6.8l.9-1.9-2.2-1.2-1 .9a5.6 5.6 0 0 1-2.3-2.3l.9-1L10.900 7.300z',
)
