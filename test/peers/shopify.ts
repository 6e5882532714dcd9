import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import {
  createShopifyEmulator,
  type ShopifyEmulator,
  type ShopifyEmulatorOptions,
} from '../../src/emulators/shopify/shopify.ts';

export type ShopifyPeer = {
  /** Origin: SHOPIFY_BASE_URL. */
  readonly url: string;
  /** The first shop. */
  readonly emulator: ShopifyEmulator;
  /** The shop of this domain. Throws where there is none. */
  shop(domain: string): ShopifyEmulator;
  /** One more shop on the same address. */
  add(options: ShopifyEmulatorOptions & { readonly domain: string }): ShopifyEmulator;
  close(): Promise<void>;
};

/**
 * Shops on a port of this machine. Which one is meant says `X-Forwarded-Host`; without it, the only one. A connection
 * that a fault ends is cut.
 */
export async function startShopifyPeer(options: ShopifyEmulatorOptions = {}): Promise<ShopifyPeer> {
  const emulator = createShopifyEmulator(options);
  const shops = new Map([[emulator.domain, emulator]]);

  function shopOf({ headers }: IncomingMessage): ShopifyEmulator | undefined {
    const host = headers['x-forwarded-host'];
    if (typeof host === 'string') return shops.get(host);
    return shops.size === 1 ? emulator : undefined;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const shop = shopOf(request);
    if (!shop) return void response.writeHead(404, { 'content-type': 'text/html' }).end('no such shop');
    const answer = await shop.fetch(`https://${shop.domain}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (!answer.body) return void response.end();
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), response);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    // A TCP server that listens has an address with a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    emulator,
    shop(domain) {
      const found = shops.get(domain);
      if (!found) throw new Error(`there is no shop ${domain}`);
      return found;
    },
    add(more) {
      const shop = createShopifyEmulator(more);
      shops.set(shop.domain, shop);
      return shop;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function headersOf({ headers }: IncomingMessage): Headers {
  const kept = Object.entries(headers).filter(([name]) => name !== 'content-length' && name !== 'connection');
  return new Headers(kept.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}
