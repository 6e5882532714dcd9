import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getMcpConfigForManifest, unpackExtension, v0_3, validateManifest } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newKey } from '../support/server.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MiB = 2 ** 20;

let folder: string;
let app: ServedApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-bundles-'));
  app = await openServedApp();
  await promisify(execFile)('npm', ['run', 'mcpb', '--', folder], { cwd: ROOT, maxBuffer: 64 * MiB });
}, 900_000);
afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

test('connect is below 2 MiB, local below 120 MiB, and server.json has the hash of connect', async () => {
  const connect = `stallhand-connect-${version}.mcpb`;
  const local = `stallhand-local-${version}.mcpb`;
  expect((await readdir(folder)).filter((name) => name.includes('.'))).toEqual([
    'server.json',
    connect,
    local,
  ]);
  expect((await stat(join(folder, connect))).size).toBeLessThan(2 * MiB);
  expect((await stat(join(folder, local))).size).toBeLessThan(120 * MiB);
  const { packages } = JSON.parse(await readFile(join(folder, 'server.json'), 'utf8'));
  const sha256 = createHash('sha256')
    .update(await readFile(join(folder, connect)))
    .digest('hex');
  expect(packages.at(-1)).toMatchObject({ registryType: 'mcpb', fileSha256: sha256 });
});

test('connect, unpacked and started as its manifest says, has the tools of a running server', async () => {
  const { key } = await newKey(app);
  expect(await toolsOf('connect', { url: app.url, api_key: key })).toContain('render_template');
});

test('connect without a key that the server knows says so', async () => {
  await expect(toolsOf('connect', { url: app.url, api_key: 'sh_live_wrong' })).rejects.toThrow(
    /the call to the Stallhand server at .* failed/i,
  );
});

test('local, unpacked and started as its manifest says, has the tools of the product', async () => {
  expect(await toolsOf('local', { data: join(folder, 'data') })).toContain('render_template');
});

async function toolsOf(name: string, userConfig: Readonly<Record<string, string>>): Promise<string[]> {
  const extensionPath = join(folder, name);
  const mcpbPath = join(folder, `stallhand-${name}-${version}.mcpb`);
  expect(await unpackExtension({ mcpbPath, outputDir: extensionPath, silent: true })).toBe(true);
  expect(validateManifest(join(extensionPath, 'manifest.json'))).toBe(true);
  const manifest = v0_3.McpbManifestSchema.parse(
    JSON.parse(await readFile(join(extensionPath, 'manifest.json'), 'utf8')),
  );
  const config = await getMcpConfigForManifest({
    manifest,
    extensionPath,
    systemDirs: { HOME: folder },
    userConfig: { ...userConfig },
    pathSeparator: '/',
  });
  const client = new Client({ name: 'desktop', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: config?.command ?? '',
      args: config?.args ?? [],
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...config?.env },
      cwd: folder,
      stderr: 'pipe',
    }),
    { timeout: 120_000 },
  );
  const { tools } = await client.listTools();
  await client.close();
  return tools.map((tool) => tool.name);
}
