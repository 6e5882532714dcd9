import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as OldStreamableTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export type Asked = { readonly message: string; readonly url?: string };
export type Said = {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, boolean>;
};

export const YES: Said = { action: 'accept', content: { confirm: true } };
export const NO: Said = { action: 'decline' };

type Answer = {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
  readonly _meta?: unknown;
};

/** A client whose user is asked, and what they were asked. */
export type AskedClient = {
  readonly asked: readonly Asked[];
  list(): Promise<readonly { readonly name: string }[]>;
  call(name: string, input: Record<string, unknown>): Promise<Answer>;
  close(): Promise<void>;
};

/** What the person says to a question. */
export type Person = (asked: Asked) => Said;

type Connect = (url: string, key: string, person: Person) => Promise<AskedClient>;

const CAPABILITIES: ClientCapabilities = { elicitation: { form: {}, url: {} } };
const INFO = { name: 'asked', version: '1' };

/** Clients of every era that show a form and open pages. */
export const ASKED_CLIENTS: readonly (readonly [string, Connect])[] = [
  ['a client of revision 2026-07-28', current('2026-07-28')],
  ['a client of revision 2025-11-25', current('legacy')],
  [
    'an older SDK over Streamable HTTP',
    older((url, init) => new OldStreamableTransport(endpoint(url, '/mcp'), init)),
  ],
  ['an older SDK over HTTP+SSE', older((url, init) => new SSEClientTransport(endpoint(url, '/sse'), init))],
];

/** A client of the current revision, with the rounds of a call in the hands of the test. */
export async function connectRounds(url: string, key: string): Promise<Client> {
  const client = new Client(INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  await client.connect(new StreamableHTTPClientTransport(endpoint(url, '/mcp'), initOf(key)));
  return client;
}

function current(mode: '2026-07-28' | 'legacy'): Connect {
  return async (url, key, person) => {
    const asked: Asked[] = [];
    const client = new Client(INFO, {
      capabilities: CAPABILITIES,
      versionNegotiation: { mode: mode === 'legacy' ? mode : { pin: mode } },
    });
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params, asked, person));
    await client.connect(new StreamableHTTPClientTransport(endpoint(url, '/mcp'), initOf(key)));
    return {
      asked,
      list: async () => (await client.listTools()).tools,
      call: (name, input) => client.callTool({ name, arguments: input }),
      close: () => client.close(),
    };
  };
}

function older(transport: (url: string, init: ReturnType<typeof initOf>) => unknown): Connect {
  return async (url, key, person) => {
    const asked: Asked[] = [];
    const client = new OldClient(INFO, { capabilities: { elicitation: { form: {}, url: {} } } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params, asked, person));
    // The SDK's own classes are not its Transport under exactOptionalPropertyTypes.
    await client.connect(transport(url, initOf(key)) as OldTransport);
    return {
      asked,
      list: async () => (await client.listTools()).tools,
      call: (name, input) => client.callTool({ name, arguments: input }),
      close: () => client.close(),
    };
  };
}

function answer(params: { message: string; url?: unknown }, asked: Asked[], person: Person) {
  const { message, url } = params;
  const one = { message, ...(typeof url === 'string' && { url }) };
  asked.push(one);
  const { action, content } = person(one);
  return { action, ...(content && { content }) };
}

/** The address of a transport, keeping the query. */
function endpoint(url: string, path: string): URL {
  const address = new URL(url);
  address.pathname = path;
  return address;
}

function initOf(key: string) {
  return { requestInit: { headers: { Authorization: `Bearer ${key}` } } };
}
