import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeNote } from '../../src/platform/shared-folder/holder-note.ts';
import { outputOf, textOf } from '../mcp/support/read-answer.ts';
import { startProcess } from './server-process.ts';
import { startOldStdio, startStdio } from './stdio-client.ts';

type Calls = { callTool: Awaited<ReturnType<typeof startStdio>>['client']['callTool'] };

const PATIENT = { timeout: 120_000 };

// Each start opens an embedded database, which a busy machine takes its time for.
describe('processes on one folder of data', { timeout: 300_000 }, () => {
  let dataDir: string;
  const ending: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sharing-'));
  });
  afterEach(async () => {
    await Promise.all(ending.splice(0).map((end) => end()));
    await rm(dataDir, { recursive: true, force: true });
  });

  const env = (more: Record<string, string> = {}) => ({ DATA_DIR: dataDir, ...more });

  async function assistant(more?: Record<string, string>) {
    const started = await startStdio(env(more));
    ending.push(() => started.client.close());
    return started;
  }

  async function oldAssistant() {
    const started = await startOldStdio(env());
    ending.push(() => started.client.close());
    const callTool = (params: { name: string; arguments: Record<string, unknown> }) =>
      started.client.callTool(params, undefined, PATIENT);
    return { client: { callTool } as unknown as Calls, pid: started.pid };
  }

  const create = (client: Calls, name: string) =>
    client.callTool({ name: 'create_template', arguments: { name, html: '<p>Hi</p>' } }, PATIENT);
  const versionOf = async (client: Calls, name: string) => {
    const answer = await client.callTool({ name: 'get_template', arguments: { name } }, PATIENT);
    return answer.isError ? textOf(answer) : (outputOf(answer) as { version: string }).version;
  };

  test('two assistants that start at once, of either SDK, see what the other writes', async () => {
    const [ana, ben] = await Promise.all([assistant(), oldAssistant()]);
    await Promise.all([create(ana.client, 'of-ana'), create(ben.client, 'of-ben')]);
    expect(await versionOf(ana.client, 'of-ben')).toBe('v1.0.0');
    expect(await versionOf(ben.client, 'of-ana')).toBe('v1.0.0');
  });

  test('a server takes the data over from an assistant, and serves assistants from then on', async () => {
    const ana = await assistant();
    await create(ana.client, 'of-ana');
    const server = await startProcess(dataDir);
    ending.push(server.kill);
    expect((await server.rest('GET', '/v1/templates/of-ana')).status).toBe(200);
    const ben = await oldAssistant();
    await Promise.all([create(ana.client, 'more-of-ana'), create(ben.client, 'of-ben')]);
    expect((await server.rest('GET', '/v1/templates/more-of-ana')).status).toBe(200);
    expect((await server.rest('GET', '/v1/templates/of-ben')).status).toBe(200);
  });

  test('nothing that was acknowledged is lost when the holder is killed, and the others go on', async () => {
    const server = await startProcess(dataDir);
    const [ana, ben] = [await assistant(), await oldAssistant()];
    await versionOf(ana.client, 'welcome');
    const acknowledged: string[] = [];
    const told: string[] = [];
    const write = async (client: Calls, who: string) => {
      for (let number = 0; number < 12; number++) {
        const answer = await create(client, `${who}-${number}`);
        if (answer.isError) told.push(textOf(answer));
        else acknowledged.push(`${who}-${number}`);
        if (acknowledged.length === 6) await server.kill();
      }
    };
    await Promise.all([write(ana.client, 'ana'), write(ben.client, 'ben')]);

    expect(acknowledged.length + told.length).toBe(24);
    // A call that was under way is told of; one that could not be found out may have been done, and says it exists.
    expect(told.length).toBeLessThanOrEqual(2);
    for (const sentence of told) expect(sentence).toContain('The process that had the database open ended');
    for (const name of acknowledged) expect(await versionOf(ben.client, name)).toBe('v1.0.0');
  });

  test('a killed assistant keeps nobody out', async () => {
    const ana = await assistant();
    await create(ana.client, 'of-ana');
    process.kill(ana.pid, 'SIGKILL');
    const ben = await assistant();
    expect(await versionOf(ben.client, 'of-ana')).toBe('v1.0.0');
  });

  test('each process keeps to its own settings', async () => {
    const output = join(dataDir, 'saved');
    const ana = await assistant();
    await create(ana.client, 'of-ana');
    const reader = await assistant({ READ_ONLY: 'true', OUTPUT_DIR: output });
    await expect(create(reader.client, 'of-reader')).rejects.toMatchObject({ code: -32602 });
    const args = { template: 'of-ana', format: 'html', save_to: 'of-ana.html' };
    const answer = await reader.client.callTool({ name: 'export_template', arguments: args }, PATIENT);
    expect(textOf(answer)).toContain(join(output, 'of-ana.html'));
    expect(await readFile(join(output, 'of-ana.html'), 'utf8')).toContain('Hi');
    const wrong = await assistant({ MCP_API_KEY: 'sh_live_wrong' });
    expect(await versionOf(wrong.client, 'of-ana')).toContain('key or token is wrong');
  });

  test('a stranger at the address of a holder learns no key, and the data are opened without it', async () => {
    const heard: string[] = [];
    const fake = createServer((socket) => {
      socket
        .on('error', () => {})
        .on('data', (data) => {
          heard.push(String(data));
          socket.write(`${JSON.stringify({ nonce: 'n'.repeat(44), proof: 'p'.repeat(44) })}\n`);
        });
    });
    await new Promise<void>((listening) => fake.listen(join(dataDir, 'fake.sock'), listening));
    await writeNote(dataDir, join(dataDir, 'fake.sock'));
    const ana = await assistant({ MCP_API_KEY: 'sh_live_secret' });
    expect(await versionOf(ana.client, 'welcome')).toContain('key or token is wrong');
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.join('')).not.toContain('sh_live_secret');
    fake.close();
  });

  test('a holder whose secret is lost is named in the answer, by its process', async () => {
    const ana = await assistant();
    await create(ana.client, 'of-ana');
    const note = JSON.parse(await readFile(join(dataDir, 'holder.json'), 'utf8'));
    await writeFile(join(dataDir, 'holder.json'), JSON.stringify({ ...note, secret: `${'A'.repeat(43)}=` }));
    const ben = await assistant();
    expect(await versionOf(ben.client, 'of-ana')).toContain(`Process ${ana.pid} is using the database`);
    expect(await readdir(dataDir)).toContain('holder.json');
  });
});
