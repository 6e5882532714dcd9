import { setTimeout as delay } from 'node:timers/promises';
import { type App, createApp } from '../../../src/app.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import { Fault } from '../../../src/errors.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { createLog } from '../../../src/platform/log.ts';
import { otherUserOf } from '../../../src/platform/shared-folder/holder-note.ts';
import { explain, Refusal } from '../command.ts';
import { askHolder, type Outcome } from './command-ask.ts';
import type { CommandName } from './command-names.ts';
import type { Place } from './operator-command.ts';
import { loadCommand } from './operator-commands.ts';

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
  const { databaseUrl, dataDir } = config;
  for (let tries = 1; ; tries++) {
    const answered = databaseUrl === undefined ? await askHolder(dataDir, name, words) : undefined;
    if (answered) return answered;
    const place = ownPlace(config);
    try {
      return { done: true, said: await run(words, place) };
    } catch (error) {
      await refuseAnother(dataDir, error);
      if (!isLocked(error) || tries === TRIES) throw error;
      await delay(PAUSE_MS);
    } finally {
      await place.close();
    }
  }
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

function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EACCES';
}

/** @throws Refusal when the server runs as another user, whose commands alone it takes */
async function refuseAnother(dataDir: string, error: unknown): Promise<void> {
  if (!isLocked(error) && !isForbidden(error)) return;
  const uid = await otherUserOf(dataDir);
  if (uid === undefined) return;
  throw new Refusal(
    `The database in ${dataDir} belongs to user ${uid}, and only that user can run commands on it. Use sudo -u '#${uid}'.`,
  );
}
