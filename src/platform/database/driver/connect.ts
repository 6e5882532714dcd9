import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';

/** One of the hosts that a URL names. */
export type Host = {
  /** Connects, with TLS as the URL demands. Rejects with Node's error. */
  connect(): Promise<Socket>;
  /** Asks for a sign of life: whether it encrypts. Rejects with Node's error when there is none within 2 seconds. */
  probe(): Promise<void>;
};

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

const PROBE_TIMEOUT_MS = 2_000;

/** The hosts of an address, in its order. The driver's own connecting cannot be used: it does so only for sockets it opens itself. */
export function hostsOf({ host, port, path, ssl }: ServerAddress): readonly Host[] {
  if (path) {
    const open = () => connectTcp(path);
    return [{ connect: () => openTcp(open()), probe: () => askForLife(open()) }];
  }
  return host.map((name, index) => {
    const open = () => connectTcp({ host: name, port: port[index] ?? 5432 });
    return {
      connect: async () => negotiateTls(await openTcp(open()), name, ssl),
      probe: () => askForLife(open()),
    };
  });
}

async function askForLife(socket: Socket): Promise<void> {
  try {
    socket.write(SSL_REQUEST);
    await waitFor(socket, 'data', PROBE_TIMEOUT_MS);
  } finally {
    socket.destroy();
  }
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
