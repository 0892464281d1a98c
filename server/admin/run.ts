import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { newId } from '../ids.ts'
import type { Services } from '../route/index.ts'
import { announce } from './announce.ts'
import { type Asked, type Changed, type Command, misused, type Outcome, shown } from './command.ts'
import { listingCommands } from './listings.ts'
import { peopleCommands } from './people.ts'
import { reportCommands } from './reports.ts'
import { upkeepCommands } from './upkeep.ts'

const commands: readonly Command[] = [
  ...listingCommands,
  ...reportCommands,
  ...peopleCommands,
  announce,
  ...upkeepCommands,
]

export const order = v.object({ argv: v.array(v.string()), operator: v.string() })
export type Order = v.InferOutput<typeof order>

export async function runCommand(
  services: Services,
  { argv: [name = 'help', ...rest], operator }: Order,
): Promise<Outcome> {
  if (name === 'help' || name === '--help') return help()
  const command = commands.find(({ names }) => names.includes(name))
  if (!command) return misused(`no command ${name}`, ...help().lines)
  const read = parse(command, rest)
  if (read === null) return misused(usageOf(command))
  const asked: Asked = { ...read, now: services.clock(), services }
  if (command.look) return command.look(asked)
  const outcome = command.change
    ? await audited(asked, { name: command.names[0], change: command.change, operator })
    : misused(usageOf(command))
  if (outcome.code === 0) await command.after?.(asked)
  return outcome
}

async function audited(
  asked: Asked,
  {
    name,
    change,
    operator,
  }: { name: string; change: NonNullable<Command['change']>; operator: string },
): Promise<Changed> {
  const { services, options, now } = asked
  return services.database.tx(async (tx) => {
    const changed = await change(asked, tx)
    for (const target of changed.targets) {
      await tx
        .insertInto('audit')
        .values({
          id: newId(now.getTime()),
          at: now,
          command: name,
          target,
          detail: JSON.stringify(options),
          operator: operator.slice(0, 100),
        })
        .execute()
    }
    return changed
  })
}

function parse(command: Command, rest: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: command.options ?? {},
      allowPositionals: true,
      strict: true,
    })
    const [least, most] = command.args ?? [0, 0]
    if (positionals.length < least || positionals.length > most) return null
    const options: Record<string, string | boolean> = {}
    for (const [name, value] of Object.entries(values))
      if (typeof value === 'string' || typeof value === 'boolean') options[name] = value
    return { args: positionals, options }
  } catch {
    // an unknown option, or one without its value
    return null
  }
}

const usageOf = ({ names, usage }: Command) => `usage: ${names[0]} ${usage}`.trimEnd()

function help(): Outcome {
  return shown(
    [
      'npm run admin -- <command> [--json]',
      '',
      ...commands.flatMap((command) => [
        `  ${command.names.join(', ')} ${command.usage}`.trimEnd(),
        `      ${command.about}`,
      ]),
    ],
    commands.map(({ names, usage, about }) => ({ names, usage, about })),
  )
}
