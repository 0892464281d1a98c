import type { CommandRules } from '../noun.ts'
import { commands as account } from './account/commands.ts'
import { commands as conversation } from './conversation/commands.ts'
import { commands as favourite } from './favourite/commands.ts'
import { commands as follow } from './follow/commands.ts'
import { commands as listing } from './listing/commands.ts'
import { commands as own } from './listing/ownCommands.ts'
import { commands as notification } from './notification/commands.ts'
import { commands as report } from './report/commands.ts'
import { commands as review } from './review/commands.ts'
import { commands as search } from './search/commands.ts'

/** Apart from the questions: the service worker needs only commands. */
export const commands: Required<CommandRules> = {
  ...conversation,
  ...favourite,
  ...listing,
  ...own,
  ...notification,
  ...account,
  ...report,
  ...follow,
  ...review,
  ...search,
}
