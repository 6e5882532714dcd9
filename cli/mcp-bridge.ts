import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

type Remote = {
  readonly url: string;
  readonly token: () => Promise<string | undefined>;
  readonly account?: string | undefined;
};

/**
 * MCP over standard input and output for a server elsewhere: each message goes on as it is, so the client and the server
 * agree on a revision by themselves. Ends when the client closes its end.
 */
export async function bridgeMcp({ url, token, account }: Remote): Promise<void> {
  const address = new URL(/\/mcp(\?|$)/.test(url) ? url : `${url.replace(/\/+$/, '')}/mcp`);
  const remote = new StreamableHTTPClientTransport(address, {
    requestInit: {
      headers: {
        ...(account !== undefined && { 'stallhand-account': account }),
      },
    },
    async fetch(to, init) {
      const headers = new Headers(init?.headers);
      const credential = await token();
      if (credential !== undefined) headers.set('authorization', `Bearer ${credential}`);
      return fetch(to, { ...init, headers });
    },
  });
  const local = new StdioServerTransport();
  const closed = Promise.withResolvers<void>();
  let initialize: unknown;

  local.onclose = closed.resolve;
  local.onmessage = (message) => {
    if ('method' in message && message.method === 'initialize' && 'id' in message) initialize = message.id;
    remote.send(message).catch((error: unknown) => void refuse(local, message, error, address));
  };
  remote.onmessage = (message) => {
    // Later requests of an older client carry the revision in a header.
    const version = 'id' in message && message.id === initialize ? versionOf(message) : undefined;
    if (version !== undefined) remote.setProtocolVersion(version);
    void local.send(message);
  };
  remote.onerror = (error) => process.stderr.write(`${error.message}\n`);
  await remote.start();
  await local.start();
  await closed.promise;
  await remote.close();
}

function versionOf(message: JSONRPCMessage): string | undefined {
  if (!('result' in message)) return undefined;
  const { protocolVersion } = message.result as { protocolVersion?: unknown };
  return typeof protocolVersion === 'string' ? protocolVersion : undefined;
}

/** A request that could not be sent on is answered here: its client would wait for ever. */
async function refuse(
  local: StdioServerTransport,
  message: JSONRPCMessage,
  error: unknown,
  address: URL,
): Promise<void> {
  const cause = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${cause}\n`);
  if (!('method' in message) || !('id' in message)) return;
  const text = `The call to the Stallhand server at ${address.origin} failed: ${cause}. Check the address and the key.`;
  await local.send({ jsonrpc: '2.0', id: message.id, error: { code: -32000, message: text } });
}
