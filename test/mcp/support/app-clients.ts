import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The protocol revisions: the current one, and those with sessions. */
export const ERAS = ['2026-07-28', 'legacy'] as const;
export type Era = (typeof ERAS)[number];

export const SHOWS_APPS = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

/** A client that says it shows apps. No key is the person at a server that asks for none. */
export function connectWithApps(url: string, key: string | undefined, era: Era): Promise<Client> {
  return connect(url, key, era, SHOWS_APPS);
}

export function connectPlain(url: string, key: string, era: Era): Promise<Client> {
  return connect(url, key, era, {});
}

async function connect(
  url: string,
  key: string | undefined,
  era: Era,
  capabilities: object,
): Promise<Client> {
  const versionNegotiation = { mode: era === 'legacy' ? era : { pin: era } } as const;
  const client = new Client({ name: 'host', version: '1' }, { capabilities, versionNegotiation });
  const requestInit = { headers: key === undefined ? {} : { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}
