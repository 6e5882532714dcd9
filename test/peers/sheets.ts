import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  createSheetsEmulator,
  type SheetsEmulator,
  type SheetsEmulatorOptions,
} from '../../src/emulators/sheets/sheets.ts';
import { sheetsDiscovery } from './sheets-discovery.ts';

export type SheetsPeer = {
  readonly url: string;
  readonly emulator: SheetsEmulator;
  /** What was asked or answered and is not described by the published document. */
  readonly violations: readonly string[];
  /** Stops it; throws where something undocumented was asked or answered. */
  readonly close: () => Promise<void>;
};

/** Google Sheets and its token endpoint on a port of this machine. Every call is held to the published document. */
export async function startSheetsPeer(options: SheetsEmulatorOptions = {}): Promise<SheetsPeer> {
  const emulator = createSheetsEmulator(options);
  const violations: string[] = [];
  const answering = checked(emulator.fetch, violations);
  const server = createServer((request, response) => {
    void serve(request, response, answering);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // A server on a port has such an address.
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    emulator,
    violations,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      if (violations.length > 0) throw new Error(`undocumented: ${violations.join('; ')}`);
    },
  };
}

type Send = (
  url: URL,
  init: { method: string; headers: Headers; body: string; signal: AbortSignal },
) => Promise<Response>;

/** The same answers, with both sides of every call held to the published document. */
function checked(send: SheetsEmulator['fetch'], violations: string[]): Send {
  const discovery = sheetsDiscovery();
  return async (url, { body, ...init }) => {
    const response = send(url, { ...init, ...(body !== '' && { body }) });
    if (url.pathname === '/token') return response;
    const { id, faults } = discovery.call(init.method, url, body);
    violations.push(...faults);
    const answered = await response;
    if (id === undefined || !answered.ok) return answered;
    violations.push(...discovery.answer(id, await answered.clone().json()));
    return answered;
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, send: Send): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    const body = await text(request);
    const url = new URL(request.url ?? '/', 'http://sheets.test');
    const headers = new Headers({ authorization: request.headers.authorization ?? '' });
    const answer = await send(url, { method: request.method ?? 'GET', headers, body, signal: gone.signal });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  } catch {
    // The emulator lost it, before or after it happened.
    request.socket.destroy();
  }
}
