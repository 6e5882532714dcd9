import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldStreamableTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';

type Notice = { progress: number; total?: number | undefined; message?: string | undefined };
type Options = { onprogress?: (notice: Notice) => void; signal?: AbortSignal };
type Answer = {
  content?: unknown;
  structuredContent?: unknown;
  isError?: unknown;
  _meta?: Readonly<Record<string, unknown>> | undefined;
};

export type PromptMessage = { content: { type: string; text?: string; resource?: unknown } };

/** What the tests need of a client, whichever SDK and revision it speaks. */
export type Connection = {
  listTools(): Promise<
    readonly {
      name: string;
      description?: string | undefined;
      inputSchema: unknown;
      outputSchema?: unknown;
      annotations?: unknown;
    }[]
  >;
  callTool(name: string, args?: Record<string, unknown>, options?: Options): Promise<Answer>;
  readResource(
    uri: string,
  ): Promise<{ contents: readonly { mimeType?: string | undefined; blob?: unknown; text?: unknown }[] }>;
  listResources(): Promise<readonly { uri: string }[]>;
  listPrompts(): Promise<readonly { name: string }[]>;
  getPrompt(name: string, args: Record<string, string>): Promise<readonly PromptMessage[]>;
  /** Values for a place of a resource address. */
  complete(
    uri: string,
    name: string,
    value: string,
    others?: Record<string, string>,
  ): Promise<readonly string[]>;
  instructions(): string | undefined;
  close(): Promise<void>;
};

export type Connect = (url: string, key?: string, headers?: Record<string, string>) => Promise<Connection>;

/** Every kind of client over HTTP. */
export const HTTP_CLIENTS: readonly (readonly [string, Connect])[] = [
  ['a client of revision 2026-07-28', connectCurrent('2026-07-28')],
  ['a client of revision 2025-11-25', connectCurrent('legacy')],
  [
    'an older SDK over Streamable HTTP',
    connectOld('/mcp', (url, init) => new OldStreamableTransport(url, init)),
  ],
  ['an older SDK over HTTP+SSE', connectOld('/sse', (url, init) => new SSEClientTransport(url, init))],
];

function connectCurrent(mode: '2026-07-28' | 'legacy'): Connect {
  return async (url, key = 'key-of-ana', headers = {}) => {
    const client = currentClient(mode);
    const requestInit = { headers: { Authorization: `Bearer ${key}`, ...headers } };
    await client.connect(new StreamableHTTPClientTransport(endpoint(url, '/mcp'), { requestInit }));
    return fromCurrent(client);
  };
}

type Init = { requestInit: { headers: Record<string, string> } };

function connectOld(path: string, transport: (url: URL, init: Init) => unknown): Connect {
  return async (url, key = 'key-of-ana', headers = {}) => {
    const client = new OldClient({ name: 'test', version: '1' });
    const init = { requestInit: { headers: { Authorization: `Bearer ${key}`, ...headers } } };
    // The SDK's own classes are not its Transport under exactOptionalPropertyTypes.
    await client.connect(transport(endpoint(url, path), init) as OldTransport);
    return fromOld(client);
  };
}

/** The address of a transport, keeping the query. */
function endpoint(url: string, path: string): URL {
  const address = new URL(url);
  address.pathname = path;
  return address;
}

type Command = { command: string; args: string[]; stderr: 'pipe' };

/** Every kind of client over standard input and output. */
export const STDIO_CLIENTS: readonly (readonly [string, (command: Command) => Promise<Connection>])[] = [
  ['a client of revision 2026-07-28', (command) => connectStdio('2026-07-28', command)],
  ['a client of revision 2025-11-25', (command) => connectStdio('legacy', command)],
  [
    'an older SDK',
    async (command) => {
      const client = new OldClient({ name: 'test', version: '1' });
      await client.connect(new OldStdioTransport(command));
      return fromOld(client);
    },
  ],
];

async function connectStdio(mode: '2026-07-28' | 'legacy', command: Command): Promise<Connection> {
  const client = currentClient(mode);
  await client.connect(new StdioClientTransport(command));
  return fromCurrent(client);
}

function currentClient(mode: '2026-07-28' | 'legacy'): Client {
  return new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: mode === 'legacy' ? mode : { pin: mode } } },
  );
}

function fromCurrent(client: Client): Connection {
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args = {}, options = {}) => client.callTool({ name, arguments: args }, options),
    readResource: (uri) => client.readResource({ uri }),
    ...readsOf(client),
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}

function fromOld(client: OldClient): Connection {
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args = {}, options = {}) =>
      client.callTool({ name, arguments: args }, undefined, options),
    readResource: (uri) => client.readResource({ uri }),
    ...readsOf(client),
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  };
}

/** What both SDKs call alike. */
function readsOf(
  client: Pick<Client, 'listResources' | 'listPrompts' | 'getPrompt' | 'complete'> | OldClient,
) {
  return {
    listResources: async () => (await client.listResources()).resources,
    listPrompts: async () => (await client.listPrompts()).prompts,
    getPrompt: async (name: string, args: Record<string, string>) =>
      (await client.getPrompt({ name, arguments: args })).messages as PromptMessage[],
    complete: async (uri: string, name: string, value: string, others: Record<string, string> = {}) => {
      const answer = await client.complete({
        ref: { type: 'ref/resource', uri },
        argument: { name, value },
        context: { arguments: others },
      });
      return answer.completion.values;
    },
  };
}

export { confirmationOf, outputOf, partsOf, textOf } from './read-answer.ts';
