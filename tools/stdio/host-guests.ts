import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { App } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { answerCopy, CopyAsk } from '../../src/platform/backup/embedded-copy.ts';
import type { Log } from '../../src/platform/log.ts';
import { readLine, writeLine } from '../../src/platform/shared-folder/lines.ts';
import { offerFolder } from '../../src/platform/shared-folder/offer-folder.ts';
import { version } from '../../src/version.ts';
import type { Registry } from '../contract/registry.ts';
import type { GuestServer } from '../mcp/stdio/serve-guest.ts';
import { resolveCaller } from './resolve-caller.ts';

export type HostParts = {
  readonly app: App;
  readonly config: Config;
  readonly registry: Registry;
  readonly log: Log;
  /** Where files are fetched that answers to guests link to. */
  readonly baseUrl: string;
  /** Closes the database for a server that starts; absent for a process that keeps it. */
  readonly leave?: () => Promise<void>;
};

export type Host = {
  /** Takes no more guests, and lets those that are there have their answers for so many milliseconds. */
  close(waitMs: number): Promise<void>;
};

/**
 * Serves MCP to other processes of this user over the embedded database, which one process can have open, and runs their
 * commands. Nothing to do with PostgreSQL, which every process opens itself. Without it, as on a disk that has no sockets,
 * this process still works.
 */
export async function hostGuests(parts: HostParts): Promise<Host> {
  const { config, log } = parts;
  if (config.databaseUrl !== undefined) return { close: async () => {} };
  const guests = new Set<GuestServer>();
  const commands = new Set<Promise<void>>();
  const serve = async (socket: Socket, ask: unknown) => {
    if (!isCommand(ask)) return receiveGuest(socket, ask, parts, guests);
    const command = runForGuest(socket, ask, parts);
    commands.add(command);
    await command.finally(() => commands.delete(command));
  };
  const receive = (socket: Socket, ask: unknown) =>
    serve(socket, ask).catch((error: unknown) => {
      log.warn({ err: error }, 'a process that asked for the data was not served');
      socket.destroy();
    });
  const { dataDir } = config;
  const offer = await offerFolder({ dataDir, log, receive }).catch((error: unknown) => {
    log.warn({ err: error }, 'other processes cannot share the data of this one');
  });
  return {
    async close(waitMs) {
      await offer?.close();
      const answered = [...commands, ...[...guests].map(({ answered }) => answered())];
      const timer = new AbortController();
      await Promise.race([
        Promise.allSettled(answered),
        delay(waitMs, undefined, { signal: timer.signal }).catch(() => {}),
      ]);
      timer.abort();
      await Promise.all([...guests].map(({ close }) => close()));
    },
  };
}

function isCommand(ask: unknown): boolean {
  return typeof ask === 'object' && ask !== null && 'ask' in ask && ask.ask === 'command';
}

/** A guest that is there says so at once, in milliseconds. */
const GO_MS = 10_000;

/**
 * Runs a command of the operator, which another process would run itself if it could open the database. Only while that
 * process still waits for it: one that has given up may have asked again.
 */
async function runForGuest(socket: Socket, ask: unknown, { app, config, log }: HostParts): Promise<void> {
  const { CommandAsk, Go } = await import('../commands/road/command-ask.ts');
  const { runInPlace } = await import('../commands/road/run-in-place.ts');
  const { name, words } = CommandAsk.parse(ask);
  writeLine(socket, { state: 'ready' });
  Go.parse(await readLine(socket, AbortSignal.timeout(GO_MS)));
  const place = { config, app: async () => app, database: async () => app.database };
  const outcome = await runInPlace(name, words, place);
  log.info({ command: name, done: outcome.done }, 'a command of the operator ran');
  socket.end(JSON.stringify(outcome));
}

async function receiveGuest(
  socket: Socket,
  ask: unknown,
  { app, config, registry, log, baseUrl, leave }: HostParts,
  guests: Set<GuestServer>,
): Promise<void> {
  // A server without guests does not pay for the SDK.
  const { ConverseAsk, LeaveAsk } = await import('../mcp/stdio/guest.ts');
  if (LeaveAsk.safeParse(ask).success) {
    await leave?.();
    writeLine(socket, { state: leave ? 'ready' : 'stays' });
    socket.end();
    return;
  }
  if (CopyAsk.safeParse(ask).success) {
    writeLine(socket, await answerCopy(app.database, config.dataDir));
    socket.end();
    return;
  }
  const { key, locale, selection, output_dir: outputDir } = ConverseAsk.parse(ask);
  const caller = await resolveCaller(app, key).catch(() => undefined);
  if (!caller) {
    writeLine(socket, { state: 'wrong key' });
    socket.end();
    return;
  }
  const { serveGuest } = await import('../mcp/stdio/serve-guest.ts');
  const { withSaving } = await import('./saving-tools.ts');
  const tools = withSaving(registry, { outputDir, isPublic: config.publicUrl !== undefined });
  const served = { app, registry: tools, caller, locale, baseUrl, log, version, bound: selection };
  writeLine(socket, { state: 'ready' });
  const guest = serveGuest(socket, served);
  guests.add(guest);
  await guest.closed;
  guests.delete(guest);
}
