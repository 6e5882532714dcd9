import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';

/** The server's address, as the driver parses it from the URL. */
export type ServerAddress = {
  readonly host: readonly string[];
  readonly port: readonly number[];
  /** Path of a Unix socket. */
  readonly path: string | false | undefined;
  /** `sslmode` of the URL, or options for Node's TLS. */
  readonly ssl: boolean | string | object | undefined;
};

const CONNECT_TIMEOUT_MS = 10_000;
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Connects to the first reachable host, with TLS as `ssl` demands. Rejects with Node's error for the last host.
 * The driver's own connecting cannot be used: it does so only for sockets it opens itself.
 */
export async function connect({ host, port, path, ssl }: ServerAddress): Promise<Socket> {
  if (path) return openTcp(connectTcp(path));
  let failure: unknown;
  for (const [index, name] of host.entries()) {
    try {
      const socket = await openTcp(connectTcp({ host: name, port: port[index] ?? 5432 }));
      return await negotiateTls(socket, name, ssl);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

const PROBE_TIMEOUT_MS = 2_000;

/** Asks a host for a sign of life: whether it encrypts. Rejects with Node's error when it gives none within 2 seconds. */
async function askForLife(socket: Socket): Promise<void> {
  try {
    socket.write(SSL_REQUEST);
    await waitFor(socket, 'data', PROBE_TIMEOUT_MS);
  } finally {
    socket.destroy();
  }
}

/** Resolves when one of the hosts gives a sign of life. Otherwise rejects with the error of the first. */
export async function probe({ host, port, path }: ServerAddress): Promise<void> {
  const sockets = path
    ? [connectTcp(path)]
    : host.map((name, index) => connectTcp({ host: name, port: port[index] ?? 5432 }));
  const asked = sockets.map(askForLife);
  await Promise.any(asked).catch(() => asked[0]);
}

async function openTcp(socket: Socket): Promise<Socket> {
  socket.setNoDelay(true).setKeepAlive(true, 60_000);
  await waitFor(socket, 'connect');
  return socket;
}

async function negotiateTls(socket: Socket, host: string, ssl: ServerAddress['ssl']): Promise<Socket> {
  if (!ssl || ssl === 'disable') return socket;
  socket.write(SSL_REQUEST);
  const [answer] = await waitFor(socket, 'data');
  if (!(answer instanceof Buffer) || answer.toString() !== 'S') {
    if (ssl === 'prefer' || ssl === 'allow') return socket;
    socket.destroy();
    throw new Error('the server does not encrypt, but sslmode asks for it');
  }
  const secure = connectTls({ socket, ...(isIP(host) ? {} : { servername: host }), ...tlsOptions(ssl) });
  await waitFor(secure, 'secureConnect');
  return secure;
}

/** As in libpq, `require` encrypts without verifying the server; `verify-*` verifies it. */
function tlsOptions(ssl: NonNullable<ServerAddress['ssl']>): ConnectionOptions {
  if (typeof ssl === 'object') return ssl;
  return { rejectUnauthorized: !['require', 'prefer', 'allow'].includes(String(ssl)) };
}

/** Waits for the event. An error or the timeout destroys the socket and rejects. */
async function waitFor(socket: Socket, event: string, timeoutMs = CONNECT_TIMEOUT_MS): Promise<unknown[]> {
  try {
    return await once(socket, event, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    socket.on('error', () => {}).destroy();
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
    throw Object.assign(new Error('the server did not answer in time', { cause: error }), {
      code: 'ETIMEDOUT',
    });
  }
}
