import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { App } from '../../src/app.ts';
import type { Caller } from '../../src/identity/caller.ts';
import type { Locale } from '../../src/language.ts';
import type { Log } from '../../src/platform/log.ts';
import type { Registry } from '../contract/registry.ts';
import { createCatalogue } from './catalog.ts';
import { createMcpServerFactory, type McpExtension } from './mcp.ts';
import type { Selection } from './selection.ts';
import { serveListening } from './stdio/listening.ts';
import { openStandardStreams } from './stdio/standard-streams.ts';

export type StdioMcpParts = {
  readonly app: App;
  readonly registry: Registry;
  /** Who every call acts as: the owner of MCP_API_KEY, or the local owner. */
  readonly caller: Caller;
  readonly locale: Locale;
  /** Where the server is reached over HTTP, for the links it answers. */
  readonly baseUrl: string;
  readonly log: Log;
  readonly version: string;
  /** Which tools the operator lets clients use. */
  readonly bound?: Selection;
  readonly extension?: McpExtension | undefined;
  /** The client's end; without one, these streams, or the standard streams of the process. */
  readonly transport?: Transport;
  readonly stdin?: Readable;
  readonly stdout?: Writable;
};

export type StdioMcp = {
  /** Resolves when the client has closed its end or `close` was called. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
};

/**
 * Serves MCP to one client, over standard input and output or what is like it, every revision of it, until the client closes its end.
 * @throws ConfigError when the operator's selection has a name that does not exist.
 */
export function serveStdioMcp(parts: StdioMcpParts): StdioMcp {
  const { registry, bound, caller, locale, baseUrl, log } = parts;
  const catalogue = createCatalogue(registry, bound);
  const visit = { caller, locale, baseUrl };
  const visitOf = () => visit;
  const server = createMcpServerFactory({ ...parts, catalogue }, visitOf);
  const choiceOf = () => catalogue.select([]);
  const { transport = openStandardStreams(parts.stdin, parts.stdout) } = parts;
  serveListening(transport, visit, { ...parts, catalogue, visitOf, choiceOf });
  const onerror = (error: Error) => log.debug({ err: error }, 'mcp');
  const door = serveStdio(() => server(), { transport, onerror });
  return { closed: closing(transport), close: door.close };
}

/** Resolves once the transport closes, from either side. Other `onclose` handlers still run. */
function closing(transport: Transport): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    resolve();
  };
  return promise;
}
