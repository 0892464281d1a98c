import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { Stats } from '#schema/port/request'
import { ask } from '../../data/ask.ts'
import { dataPrice, setDataPrice, useCost } from '../../locales/cost.ts'
import { useFormat } from '../../locales/format.ts'
import { TextField } from '../../ui/Field.tsx'
import css from './settings.module.css'

const EVERY_MS = 5000

export function DataNumbers() {
  const { t } = useLingui()
  const format = useFormat()
  const cost = useCost()
  const stats = useStats()
  const [price, setPrice] = useState(() => String(dataPrice()))
  const both = (bytes: Stats['bytes']) => bytes.sent + bytes.received
  const socket = { open: t`ouverte`, connecting: t`en cours`, closed: t`fermée` }

  // A browser without storage estimates has a quota of 0.
  const room = (bytes: number) => (stats?.storage.quota === 0 ? t`inconnu` : format.bytes(bytes))

  return (
    <>
      <dl className="ruled" aria-busy={stats === null}>
        <Fact name={t`Aujourd’hui`}>{stats && cost(both(stats.bytes))}</Fact>
        <Fact name={t`Ce mois-ci`}>{stats && cost(both(stats.month))}</Fact>
        <Fact name={t`Enregistré sur ce téléphone`}>{stats && room(stats.storage.usage)}</Fact>
      </dl>
      <TextField
        label={t`Prix d’un Go (F CFA)`}
        hint={t`Selon votre forfait. Il sert à estimer ce que chaque envoi coûte.`}
        inputMode="numeric"
        autoComplete="off"
        value={price}
        onValue={(value) => {
          const digits = value.replace(/\D/gu, '').slice(0, 6)
          setPrice(digits)
          if (Number(digits) > 0) setDataPrice(Number(digits))
        }}
      />
      {stats && (
        <details>
          <summary className={css.more}>{t`Tous les chiffres`}</summary>
          <dl className="ruled">
            <Fact name={t`Envoyé aujourd’hui`}>{format.bytes(stats.bytes.sent)}</Fact>
            <Fact name={t`Reçu aujourd’hui`}>{format.bytes(stats.bytes.received)}</Fact>
            <Fact name={t`Place disponible`}>{room(stats.storage.quota)}</Fact>
            <Fact name={t`Envois en attente`}>
              {format.number(stats.outbox.waiting + stats.outbox.sending)}
            </Fact>
            <Fact name={t`Envois refusés`}>{format.number(stats.outbox.refused)}</Fact>
            <Fact name={t`Liaison directe`}>{socket[stats.socket]}</Fact>
            <Fact name={t`Cet onglet mène`}>{stats.leader ? t`oui` : t`non`}</Fact>
            {Object.entries(stats.counts).map(([name, count]) => (
              <Fact key={name} name={name} code>
                {format.number(count)}
              </Fact>
            ))}
            {Object.entries(stats.versions).map(([name, version]) => (
              <Fact key={name} name={name} code>
                {version}
              </Fact>
            ))}
          </dl>
        </details>
      )}
    </>
  )
}

function Fact({ name, code, children }: { name: string; code?: boolean; children: string | null }) {
  return (
    <div className={css.fact}>
      <dt>{code === true ? <code>{name}</code> : name}</dt>
      <dd>{children ?? '…'}</dd>
    </div>
  )
}

function useStats() {
  const [stats, setStats] = useState<Stats | null>(null)
  useEffect(() => {
    let left = false
    const look = async () => {
      const outcome = await ask('stats', {})
      if (!left && outcome.kind === 'done') setStats(outcome.answer)
    }
    void look()
    const timer = setInterval(() => void look(), EVERY_MS)
    return () => {
      left = true
      clearInterval(timer)
    }
  }, [])
  return stats
}
