import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { AGENTS_SDK, installClients, type Launch, REAL_CLIENTS, type RealClient } from './clients.ts';
import { type ScriptedModel, startScriptedModel, toolNames } from './model.ts';

const data = { name: 'Ana' };
const SCRIPT = [
  { tool: 'create_template', input: { name: 'hello', html: '<p>Hi {{name}}</p>' } },
  { tool: 'read_tool', input: { name: 'preview_template', arguments: { template: 'hello', data } } },
  { tool: 'export_template', input: { template: 'hello', format: 'pdf', data } },
];

let installed: string;
let folder: string;
let server: Launch;

beforeAll(async () => {
  installed = await installClients();
}, 600_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-real-client-'));
  server = {
    command: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(new URL('../../tools/stdio.ts', import.meta.url)),
    ],
    env: { DATA_DIR: join(folder, 'data') },
  };
});
afterEach(() => rm(folder, { recursive: true, maxRetries: 10, retryDelay: 100 }));

/** Runs a client until it has nothing more to do; what it wrote. Its own limits of time hold. */
async function run(
  { bin, prepare }: RealClient,
  model: ScriptedModel,
): Promise<{ code: number; said: string }> {
  const { args, env } = prepare(server, folder, model.url);
  const client = spawn(join(installed, 'node_modules/.bin', bin), args, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, , [code]] = await Promise.all([
    text(client.stdout),
    text(client.stderr),
    once(client, 'exit'),
  ]);
  return { code: Number(code), said };
}

test.each(REAL_CLIENTS)(
  '$name $package connects on a first start, lists, calls, and gets the picture and the file',
  async (client) => {
    const model = await startScriptedModel(SCRIPT);
    try {
      const { code, said } = await run(client, model);
      const first = model.received[0];
      const last = model.received.at(-1) ?? '';
      expect({
        code,
        isDone: said.includes('DONE'),
        tools: toolNames(first).length,
        fences: new Set(last.match(/<data-[0-9a-f]{16}>/g)).size,
        hasPicture: last.includes('iVBORw0KGgo') === client.passesPictures,
        hasFile: last.includes('hello.pdf'),
      }).toEqual({ code: 0, isDone: true, tools: 24, fences: 3, hasPicture: true, hasFile: true });
      await expect.poll(serversLeft).toBe(0);
    } finally {
      await model.close();
    }
  },
);

/** Processes that work in the data folder of this test. Linux only. */
async function serversLeft(): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const settings = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')),
  );
  return settings.filter((text) => text.includes(`DATA_DIR=${server.env['DATA_DIR']}`)).length;
}

type AgentsServer = {
  connect(): Promise<void>;
  listTools(): Promise<readonly unknown[]>;
  callTool(name: string, input: object): Promise<readonly { readonly type: string }[]>;
  close(): Promise<void>;
};

test(`OpenAI's Agents SDK ${AGENTS_SDK}, which waits 5 s, connects on a first start, lists, calls, and gets the picture and the file`, async () => {
  const { MCPServerStdio } = createRequire(join(installed, 'package.json'))('@openai/agents') as {
    readonly MCPServerStdio: new (launch: Launch) => AgentsServer;
  };
  const mcp = new MCPServerStdio(server);
  await mcp.connect();
  try {
    expect(await mcp.listTools()).toHaveLength(24);
    const types = [];
    for (const { tool, input } of SCRIPT) {
      const blocks = await mcp.callTool(tool, input);
      types.push([...new Set(blocks.map(({ type }) => type))]);
    }
    expect(types).toEqual([['text'], ['text', 'image'], ['text', 'resource']]);
  } finally {
    await mcp.close();
  }
});
