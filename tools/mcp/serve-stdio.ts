import { type Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { App } from '../../src/app.ts';
import type { Caller } from '../../src/identity/caller.ts';
import type { Locale } from '../../src/language.ts';
import type { Log } from '../../src/platform/log.ts';
import type { Registry } from '../contract/registry.ts';
import { createCatalogue } from './catalog.ts';
import { createMcpServerFactory, type McpExtension } from './mcp.ts';
import type { Selection } from './selection.ts';

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
  /** The standard streams of the process, unless others are given. */
  readonly stdin?: Readable;
  readonly stdout?: Writable;
};

export type StdioMcp = {
  /** Resolves when the client has closed its end or `close` was called. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
};

/**
 * Serves MCP over standard input and output, every revision of it, until the client closes its end.
 * @throws ConfigError when the operator's selection has a name that does not exist.
 */
export function serveStdioMcp(parts: StdioMcpParts): StdioMcp {
  const { registry, bound, caller, locale, baseUrl, log } = parts;
  const catalogue = createCatalogue(registry, bound);
  const server = createMcpServerFactory({ ...parts, catalogue }, () => ({ caller, locale, baseUrl }));
  const transport = new StdioServerTransport(
    parts.stdin ?? process.stdin,
    parts.stdout ?? ownStandardOutput(),
  );
  const onerror = (error: Error) => log.debug({ err: error }, 'mcp');
  const door = serveStdio(() => server(), { transport, onerror });
  return { closed: closing(transport), close: door.close };
}

/** Resolves once the transport closes, from either side. Other `onclose` handlers still run. */
function closing(transport: StdioServerTransport): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    resolve();
  };
  return promise;
}

/**
 * Standard output for the protocol alone: what anything else in the process prints goes to standard error, since one
 * stray line would end the conversation.
 */
function ownStandardOutput(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      write(chunk, done);
    },
  });
}
