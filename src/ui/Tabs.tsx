import { type KeyboardEvent, type ReactNode, useId } from 'react'
import css from './Tabs.module.css'

export interface Tab<K extends string> {
  readonly key: K
  readonly label: ReactNode
}

/** One panel of several; arrow keys change it. `children` is the panel of the chosen tab. */
export function Tabs<K extends string>({ label, tabs, chosen, onChoose, children }: { label: string; tabs: readonly Tab<K>[]; chosen: K; onChoose: (key: K) => void; children: ReactNode }) {
  const id = useId()

  function move(event: KeyboardEvent<HTMLDivElement>): void {
    const here = tabs.findIndex((tab) => tab.key === chosen)
    const steps: Record<string, number> = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: -1 }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = tabs.at(step % tabs.length)
    if (!next) return
    onChoose(next.key)
    event.currentTarget.querySelector<HTMLElement>(`[id="${id}-${next.key}"]`)?.focus()
  }

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its tabs take the focus */}
      <div role="tablist" aria-label={label} className={css.list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            aria-selected={tab.key === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === chosen ? 0 : -1}
            className={css.tab}
            onClick={() => onChoose(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} className={css.panel}>
        {children}
      </div>
    </>
  )
}
