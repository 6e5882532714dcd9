import type { CommandName } from './command-names.ts';
import type { OperatorCommand } from './operator-command.ts';

/** Loaded by the first that runs. */
const COMMANDS: Readonly<Record<CommandName, () => Promise<OperatorCommand>>> = {
  keys: async () => (await import('../key-commands.ts')).keyCommands,
  migrate: async () => (await import('../migrate-command.ts')).migrateCommand,
  admin: async () => (await import('../admin/admin.ts')).adminCommand,
  'doctor-database': async () => (await import('../doctor/database-command.ts')).databaseCommand,
};

export function loadCommand(name: CommandName): Promise<OperatorCommand> {
  return COMMANDS[name]();
}
