import { setTimeout as delay } from 'node:timers/promises';
import { type App, createApp } from '../../../src/app.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import { Fault } from '../../../src/errors.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { createLog } from '../../../src/platform/log.ts';
import { explain } from '../command.ts';
import { askHolder, type Outcome } from './command-ask.ts';
import type { CommandName } from './command-names.ts';
import type { Place } from './operator-command.ts';
import { loadCommand } from './operator-commands.ts';
import { requireOwnData } from './require-own-data.ts';

/** A process that takes the data is reached a moment later. */
const TRIES = 5;
const PAUSE_MS = 500;

/** Runs a command of the operator from a script: prints what it says, and sets the exit code. */
export async function runCommandLine(name: CommandName, words = process.argv.slice(2)): Promise<void> {
  const { done, said } = await runCommand(name, words, readConfig());
  (done ? process.stdout : process.stderr).write(`${said}\n`);
  if (!done) process.exitCode = 1;
}

/**
 * Runs a command where the database is: a process that has the embedded one open runs it, else this process opens the
 * database for it. PostgreSQL takes any number of processes, so there it always runs here.
 * In: the name and words of a command. Out: what it says, and whether it is done. Invariant: the embedded database is
 * never opened by two processes.
 */
export async function runCommand(
  name: CommandName,
  words: readonly string[],
  config: Config,
): Promise<Outcome> {
  const { usage, help, run } = await loadCommand(name);
  if (words.includes('--help') || words.includes('-h')) return { done: true, said: help?.(words) ?? usage };
  try {
    return await whereTheDataIs(config, name, words, run);
  } catch (error) {
    return { done: false, said: explain(error, usage) };
  }
}

async function whereTheDataIs(
  config: Config,
  name: CommandName,
  words: readonly string[],
  run: (words: readonly string[], place: Place) => Promise<string>,
): Promise<Outcome> {
  for (let tries = 1; ; tries++) {
    const answered = await askServer(config, name, words);
    if (answered) return answered;
    const place = ownPlace(mayMigrate(config, name) ? config : { ...config, migrateOnStart: false });
    try {
      return { done: true, said: await run(words, place) };
    } catch (error) {
      if (!isLocked(error) || tries === TRIES) throw error;
      await delay(PAUSE_MS);
    } finally {
      await place.close();
    }
  }
}

/**
 * The answer of the process that has the embedded database open; undefined if this process should open the
 * database.
 */
async function askServer({ databaseUrl, dataDir }: Config, name: CommandName, words: readonly string[]) {
  if (databaseUrl !== undefined) return undefined;
  await requireOwnData(dataDir);
  return askHolder(dataDir, name, words);
}

/**
 * `admin` looks after what is there: on PostgreSQL it may be of another release than the servers, and only they change the
 * schema. `keys` comes before the first start.
 */
function mayMigrate({ databaseUrl }: Config, name: CommandName): boolean {
  return databaseUrl === undefined || name !== 'admin';
}

/** Opens what the command needs, in this process. */
function ownPlace(config: Config): Place & { close(): Promise<void> } {
  const opened: (() => Promise<void>)[] = [];
  const kept = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const it = await opening;
    opened.push(it.close);
    return it;
  };
  return {
    config,
    app: (): Promise<App> => kept(createApp({ config, log: createLog(config.logLevel) })),
    database: (): Promise<Database> =>
      kept(openDatabase({ url: config.databaseUrl, dataDir: config.dataDir })),
    async close() {
      for (const close of opened.splice(0)) await close();
    },
  };
}

function isLocked(error: unknown): boolean {
  return error instanceof Fault && error.key === 'unavailable.database_locked';
}
