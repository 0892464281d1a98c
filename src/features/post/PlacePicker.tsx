import { useLingui } from '@lingui/react/macro'
import { MapPin } from 'lucide-react'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import type { Places } from '#schema/wire/catalogue'
import type { Sentence } from '../../locales/problems.ts'
import { usePlaces } from '../../parts/catalogue.ts'
import { PlaceFields } from '../../parts/PlaceFields.tsx'
import { TextField } from '../../ui/Field.tsx'
import { classes } from '../../ui/classes.ts'
import {
  findPlaces,
  type FoundPlace,
  placeCandidates,
  type PlaceSlugs,
  samePlace,
} from './findPlaces.ts'
import css from './PlacePicker.module.css'

interface Props {
  place: PlaceSlugs
  /** Places of earlier listings, the latest first. */
  last: readonly PlaceSlugs[]
  error: Sentence | undefined
  onPlace: (place: PlaceSlugs) => void
}

/** A place by typing [S13.42], or by its lists. */
export function PlacePicker({ place, last, error, onPlace }: Props) {
  const { t } = useLingui()
  const places = usePlaces()
  return (
    <>
      {places && <PlaceSearch places={places} place={place} last={last} onPlace={onPlace} />}
      <div className={css.lists}>
        <PlaceFields
          place={place}
          none={[t`Choisir`, t`Choisir`, t`Choisir`]}
          required
          error={error}
          onPlace={onPlace}
        />
      </div>
    </>
  )
}

function PlaceSearch({ places, place, last, onPlace }: Omit<Props, 'error'> & { places: Places }) {
  const { t } = useLingui()
  const id = useId()
  const [open, setOpen] = useState(false)
  /** null: shows the chosen place. */
  const [text, setText] = useState<string | null>(null)
  const [at, setAt] = useState(-1)
  const all = useMemo(() => placeCandidates(places), [places])
  const chosen = all.find((one) => samePlace(one, place))
  const shown = open ? findPlaces(all, places, text ?? '', last) : []

  function close() {
    setOpen(false)
    setText(null)
    setAt(-1)
  }

  function choose({ region, town, neighbourhood }: FoundPlace) {
    onPlace({ region, town, neighbourhood })
    close()
  }

  function keys(event: KeyboardEvent) {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const typed = (text ?? '').trim() !== ''
    const option = shown[at] ?? (typed ? shown[0] : undefined)
    if (event.key === 'Escape' && open) close()
    else if (event.key === 'Enter' && option) choose(option)
    else if (by !== 0) {
      setOpen(true)
      // One more position: none is active.
      setAt((now) => ((now + 1 + by + shown.length + 1) % (shown.length + 1)) - 1)
    } else return
    event.preventDefault()
  }

  return (
    <div className={css.search}>
      <TextField
        label={t`Lieu`}
        placeholder={t`Ville ou quartier`}
        hint={open && shown.length === 0 ? t`Aucun lieu trouvé.` : undefined}
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={shown[at] ? `${id}-${at}` : undefined}
        autoComplete="off"
        enterKeyHint="done"
        value={text ?? nameOf(chosen)}
        onValue={(value) => {
          setText(value)
          setOpen(true)
          setAt(-1)
        }}
        onFocus={({ target }) => {
          setOpen(true)
          target.select()
          // The list needs room above a keyboard.
          if (target.getBoundingClientRect().bottom > innerHeight / 2)
            target.scrollIntoView({ block: 'start' })
        }}
        onBlur={close}
        onKeyDown={keys}
        end={<MapPin className="field-icon" />}
      />
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label={t`Lieux`}
        hidden={shown.length === 0}
        className={css.list}
      >
        {shown.map((one, index) => (
          // The input keeps the focus and handles the keys.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <li
            key={`${one.region} ${one.town} ${one.neighbourhood}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={classes(css.option, index === at && css.active)}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(one)}
          >
            <span>{one.name}</span>
            {one.within !== '' && <span className="quiet">{one.within}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}

function nameOf(place: FoundPlace | undefined) {
  if (!place) return ''
  return place.neighbourhood === '' || place.within === ''
    ? place.name
    : `${place.name}, ${place.within}`
}
