import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a server on which everything can be cut or held up. */
export type TcpProxy = {
  readonly url: string;
  cut(how: 'end' | 'reset'): void;
  /** From now on connections are taken and nothing passes, as with a stopped server. */
  freeze(): void;
  /** What was held up passes. */
  thaw(): void;
  down(): Promise<void>;
  up(): Promise<void>;
  /** True if the server connection with this client port goes through this proxy. */
  carries(port: number): boolean;
};

export async function startProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let listeningPort = 0;
  let isFrozen = false;
  const cut = (how: 'end' | 'reset') => {
    for (const socket of sockets) how === 'reset' ? socket.resetAndDestroy() : socket.destroy();
  };
  const freeze = () => {
    isFrozen = true;
    for (const socket of sockets) socket.pause();
  };
  const thaw = () => {
    isFrozen = false;
    for (const socket of sockets) socket.resume();
  };
  const up = async () => {
    server = createServer((client) => {
      const upstream = connect(Number(port || 5432), hostname);
      client.pipe(upstream).pipe(client);
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => {}).on('close', () => sockets.delete(socket));
        if (isFrozen) socket.pause();
      }
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => client.destroy());
    });
    await new Promise<void>((resolve) => server?.listen(listeningPort, '127.0.0.1', resolve));
    const address = server.address();
    listeningPort = typeof address === 'object' && address ? address.port : 0;
  };
  const down = async () => {
    const closed = new Promise((resolve) => server?.close(resolve));
    cut('reset');
    await closed;
  };
  await up();
  const url = new URL(target);
  url.host = `127.0.0.1:${listeningPort}`;
  const carries = (clientPort: number) => [...sockets].some(({ localPort }) => localPort === clientPort);
  return { url: url.href, cut, freeze, thaw, down, up, carries };
}
