import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import Heart from 'lucide-react/icons/heart'
import Send from 'lucide-react/icons/send'
import WifiOff from 'lucide-react/icons/wifi-off'
import type { ReactNode } from 'react'
import { UpdateOffer } from '../../src/app/UpdateOffer.tsx'
import { PushNudge } from '../../src/features/messages/ChatNotices.tsx'
import { DeliveryMark } from '../../src/parts/DeliveryMark.tsx'
import { Price } from '../../src/parts/Price.tsx'
import { Stars } from '../../src/parts/SellerFacts.tsx'
import { Verified } from '../../src/parts/Verified.tsx'
import { When } from '../../src/parts/When.tsx'
import { Avatar } from '../../src/ui/Avatar.tsx'
import { Badge } from '../../src/ui/Badge.tsx'
import { Button, IconButton } from '../../src/ui/Button.tsx'
import { Chip, chipRow } from '../../src/ui/Chip.tsx'
import { Empty } from '../../src/ui/Empty.tsx'
import {
  Choice,
  RadioGroup,
  SelectField,
  Switch,
  TextArea,
  TextField,
} from '../../src/ui/Field.tsx'
import { Notice } from '../../src/ui/Notice.tsx'
import { Skeleton } from '../../src/ui/Skeleton.tsx'

const LONG = 'Anticonstitutionnellement-électromécanique'

const column = { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' } as const

/** The parts that need no data, each in all its looks. */
export function Parts() {
  return (
    <I18nProvider i18n={i18n}>
      <main style={{ ...column, padding: 16, gap: 24 }}>
        <h1>Parts</h1>
        <Section title="Boutons">
          <div className="row">
            <Button kind="main" icon={Send}>
              Envoyer
            </Button>
            <Button>Modifier</Button>
            <Button kind="quiet">Annuler</Button>
            <Button kind="danger">Supprimer</Button>
            <Button kind="main" busy>
              Publier
            </Button>
            <Button kind="main" wide>
              {LONG}
            </Button>
            <Button>{LONG}</Button>
            <IconButton label="Enregistrer" icon={Heart} />
          </div>
        </Section>
        <Section title="Filtres">
          <div className={chipRow}>
            <Chip>Motos</Chip>
            <Chip pressed>Téléphones</Chip>
            <Chip pressed removable aria-label="Enlever Ouagadougou">
              Ouagadougou
            </Chip>
            <Chip>{LONG}</Chip>
          </div>
        </Section>
        <Section title="Champs">
          <TextField label="Titre" hint="Ce que vous vendez" defaultValue="" />
          <TextField label="Prix (F CFA)" error="Indiquez un prix." defaultValue="abc" />
          <TextField label="Bloqué" disabled defaultValue={LONG} />
          <TextArea label="Description" counter={20} value={LONG} onValue={() => undefined} />
          <SelectField
            label="Ville"
            none="Choisissez"
            options={[
              ['ouagadougou', 'Ouagadougou'],
              ['long', LONG],
            ]}
            defaultValue="long"
          />
          <Choice label="Rester connecté" note="Sur ce téléphone" defaultChecked />
          <Switch label="Économie de données" hint="Les photos se chargent au toucher." />
          <RadioGroup
            legend="État"
            name="condition"
            value="used"
            options={[
              ['new', 'Neuf'],
              ['used', 'Occasion'],
            ]}
            onValue={() => undefined}
          />
        </Section>
        <Section title="Avis">
          <Notice>Une ligne.</Notice>
          <Notice tone="wait" icon={WifiOff} action={<Button>Réessayer</Button>}>
            Hors ligne depuis 10 min.
          </Notice>
          <Notice tone="danger">{LONG}</Notice>
          <Notice tone="good">Tout est envoyé.</Notice>
        </Section>
        <Section title="Bandeaux">
          <UpdateOffer onLater={() => undefined} />
          <PushNudge me="U1" onDone={() => undefined} />
        </Section>
        <Section title="Vide">
          <Empty icon={Heart} title="Aucun favori" text="Touchez le cœur d’une annonce." />
        </Section>
        <Section title="Chargement">
          <Skeleton shape="photo" />
          <Skeleton shape="title" />
          <Skeleton />
        </Section>
        <Section title="Données">
          <div className="row">
            <Avatar src={null} name="Awa Traoré" size="l" />
            <Avatar src={null} name="" />
            <Badge count={3} label="3 messages" />
            <Badge count={1200} label="1 200 messages" />
            <Stars rating={4} />
            <Verified />
            <Price price={1_250_000} category="motos" />
            <Price price={null} category="jobs" />
            <When at="2026-03-01T09:00:00Z" />
            {(['queued', 'sending', 'sent', 'read', 'refused'] as const).map((state) => (
              <DeliveryMark key={state} state={state} />
            ))}
          </div>
        </Section>
      </main>
    </I18nProvider>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section style={{ ...column, gap: 12 }}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
