import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that has arrived, and the status it was answered with; undefined until then. */
export type Exchange = { readonly method: string; readonly path: string; status: number | undefined };

/** Stands before a server, changes nothing, and remembers what arrived: a page is not told how its request was answered. */
export async function startRecorder(target: number) {
  const exchanges: Exchange[] = [];
  const server = createServer((req, res) => {
    const exchange: Exchange = { method: req.method ?? '', path: req.url ?? '', status: undefined };
    exchanges.push(exchange);
    const options = {
      port: target,
      host: '127.0.0.1',
      path: req.url,
      method: req.method,
      headers: req.headers,
    };
    const onward = request(options, (answer) => {
      exchange.status = answer.statusCode;
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    res.on('close', () => onward.destroy());
    req.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A listening TCP server has an address of this form.
    port: (server.address() as AddressInfo).port,
    exchanges,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
