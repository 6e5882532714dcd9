/** The commands that a process with the database takes from another one of its user. */
export const COMMAND_NAMES = ['keys', 'migrate', 'admin', 'doctor-database'] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];
