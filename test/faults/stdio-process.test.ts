import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outputOf, textOf } from '../mcp/support/read-answer.ts';
import { startStdio } from './stdio-client.ts';

const PATIENT = { timeout: 120_000 };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
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

  test('does not start with a toolset that does not exist, and says so on standard error alone', async () => {
    const child = run({ TOOLSETS: 'movies' });
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    expect({ output, code }).toEqual({ output: '', code: 1 });
    expect(errors).toContain("unknown toolset 'movies'");
  });

  test('with a key that does not work, lists its tools and tells each call why it is refused', async () => {
    const { client } = await startStdio(environment({ MCP_API_KEY: 'sh_live_wrong' }));
    expect((await client.listTools()).tools.length).toBeGreaterThan(20);
    for (let times = 0; times < 2; times++) {
      const answer = await client.callTool({ name: 'list_templates', arguments: {} }, PATIENT);
      expect(answer.isError).toBe(true);
      expect(textOf(answer)).toContain('key or token is wrong');
    }
    await client.close();
  });

  test.runIf(process.platform === 'linux')('answers first within 1.5 seconds of processor time', async () => {
    // The first start compiles what later ones load; either has this much.
    for (const start of ['first', 'second']) {
      const child = run({ NODE_COMPILE_CACHE: join(folder, 'compiled') });
      child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
      await once(child.stdout, 'data');
      const seconds = await processorSeconds(child.pid ?? 0);
      console.info(`${start} start: ${seconds} s of processor time until the first answer`);
      expect(seconds).toBeLessThanOrEqual(1.5);
      child.stdin.end();
      await once(child, 'exit');
    }
  });

  test('ends quietly when its client goes away before the first answer', async () => {
    const child = run();
    child.stdout.destroy();
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect({ errors, code }).toEqual({ errors: '', code: 0 });
  });
});

/** Seconds that a process has worked, in all its threads. Linux only. */
async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

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
