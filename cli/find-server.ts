import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../src/config.ts';
import { freshLogin } from './device-login.ts';
import type { Common } from './flags.ts';
import type { Program } from './program.ts';
import type { Server } from './server.ts';

/** How long this machine's server may take to say that it is there, in milliseconds. */
const LOOK_MS = 1_500;

/**
 * The server of a command: the one named (`--server`, STALLHAND_URL), the one signed in to, the one that runs on this
 * machine, or one that is started for the command and ends with it.
 */
export async function findServer(
  common: Common,
  { config, logins, terminal }: Pick<Program, 'config' | 'logins' | 'terminal'>,
): Promise<Server> {
  const { token = config.apiKey, account } = common;
  const named = common.server ?? config.url;
  const login = await freshLogin(logins);
  if (named !== undefined) {
    const url = withoutSlash(named);
    // A key is only sent to the server it was given for.
    return { url, token: token ?? (login?.url === url ? login.token : undefined), account, close: nothing };
  }
  if (login) return { url: login.url, token: token ?? login.token, account, close: nothing };
  const local = await runningHere();
  if (local !== undefined) return { url: local, token, account, close: nothing };
  if (terminal.isWatched) terminal.err('No server runs here: starting one for this command…\n');
  return { ...(await startHere()), token, account };
}

export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

async function runningHere(): Promise<string | undefined> {
  const { host, port } = readConfig();
  if (port === 0) return undefined;
  const url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
  const stop = new AbortController();
  const answer = fetch(`${url}/`, { headers: { accept: 'application/json' }, signal: stop.signal })
    .then((response) => response.json())
    .catch(() => undefined);
  const said: unknown = await Promise.race([answer, delay(LOOK_MS, undefined, { ref: false })]);
  stop.abort();
  const isOurs = typeof said === 'object' && said !== null && Reflect.get(said, 'name') === 'stallhand';
  return isOurs ? url : undefined;
}

async function startHere(): Promise<Pick<Server, 'url' | 'close'>> {
  const config = readConfig();
  // Loaded here: a command to a server elsewhere needs none of it.
  const { startServer } = await import('../http/serve.ts');
  const server = await startServer({
    ...config,
    port: 0,
    host: '127.0.0.1',
    loopback: true,
    logLevel: 'error',
  });
  return { url: server.url, close: () => server.stop() };
}

async function nothing(): Promise<void> {}
