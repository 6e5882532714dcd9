import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outputOf } from '../mcp/support/read-answer.ts';

const ENTRY = fileURLToPath(new URL('../../tools/stdio.ts', import.meta.url));

// Each start opens an embedded database, which a busy machine takes its time for.
describe('npm run mcp', { timeout: 120_000 }, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-entry-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const environment = (more: Record<string, string> = {}) => ({
    DATA_DIR: join(folder, 'data'),
    ...more,
  });
  const run = (more?: Record<string, string>) =>
    spawn(process.execPath, [ENTRY], { env: environment(more), stdio: ['pipe', 'pipe', 'pipe'] });

  test('serves the product to the local owner', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const command = {
      command: process.execPath,
      args: [ENTRY],
      env: environment(),
      stderr: 'ignore' as const,
    };
    await client.connect(new StdioClientTransport(command));
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain('search_tools');
    const input = { template: 'welcome', data: { name: 'Ana' } };
    const answer = await client.callTool({ name: 'render_template', arguments: input });
    expect(outputOf(answer)).toMatchObject({ template: 'welcome', version: 'v1.0.0' });
    await client.close();
  });

  test('ends with 0 when it is told to stop', async () => {
    const child = run();
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test.each([
    ['a key that does not work', { MCP_API_KEY: 'sh_live_wrong' }, 'key or token is wrong'],
    ['a toolset that does not exist', { TOOLSETS: 'movies' }, "unknown toolset 'movies'"],
  ])('does not start with %s, and says so on standard error alone', async (_what, settings, reason) => {
    const child = run(settings);
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    expect({ output, code }).toEqual({ output: '', code: 1 });
    expect(errors).toContain(reason);
  });
});

test('a server without MCP over HTTP loads no SDK for it', async () => {
  const server = new URL('../../http/server.ts', import.meta.url);
  const hooks = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) => {
      if (name.startsWith('@modelcontextprotocol/')) process.stdout.write(name + ' ');
      return next(name, context);
    } });
    await import(${JSON.stringify(server.href)});
    process.stdout.write('loaded');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', hooks], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(await text(child.stdout)).toBe('loaded');
});
