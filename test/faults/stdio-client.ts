import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const ENTRY = fileURLToPath(new URL('../../tools/stdio.ts', import.meta.url));

type Revision = '2026-07-28' | '2025-11-25';

/** An assistant's client and the process `npm run mcp` that it starts. */
export async function startStdio(env: Record<string, string>, revision: Revision = '2026-07-28') {
  const transport = new StdioClientTransport(commandWith(env));
  const mode = revision === '2026-07-28' ? { pin: revision } : 'legacy';
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0 };
}

/** The same with the SDK of 2025. */
export async function startOldStdio(env: Record<string, string>) {
  const transport = new OldStdioTransport(commandWith(env));
  const client = new OldClient({ name: 'test', version: '1' });
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0 };
}

function commandWith(env: Record<string, string>) {
  return { command: process.execPath, args: [ENTRY], env, stderr: 'ignore' as const };
}
