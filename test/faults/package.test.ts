import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { outputOf } from '../mcp/support/read-answer.ts';
import { installExamples } from '../support/install-page.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-package-'));
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT, maxBuffer: 2 ** 26 });
  await writeFile(join(folder, 'package.json'), '{}');
  const tarball = join(folder, `stallhand-${version}.tgz`);
  const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', tarball, ...options], { cwd: folder });
  environment = {
    // The command comes from the installed package, Node from where the tests have it.
    PATH: [join(folder, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter),
    HOME: folder,
  };
}, 1_200_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('npx stallhand --version runs the compiled program, without source and without a second Node', async () => {
  const { stdout } = await run('npx', ['stallhand', '--version'], { cwd: folder, env: environment });
  expect(stdout.trim()).toBe(version);
  expect((await readdir(join(folder, 'node_modules/stallhand'))).sort()).toEqual([
    ...['README.md', 'bin', 'dist', 'package.json'],
  ]);
  const packages = await readdir(join(folder, 'node_modules'));
  expect(packages.filter((name) => ['node', 'typescript', 'prettier', 'googleapis'].includes(name))).toEqual(
    [],
  );
});

test('an install takes about half of the 931 MB that an earlier one took: at most 465', async () => {
  const { stdout } = await run('du', ['-sm', join(folder, 'node_modules')]);
  expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(465);
});

test('stallhand serve answers a first render, a guide of its documents and a PDF', async () => {
  const server = spawn('stallhand', ['serve'], {
    cwd: folder,
    env: { ...environment, DATA_DIR: join(folder, 'data'), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await addressOf(server.stdout);
    const rendered = await post(`${url}/v1/render`, { template: 'welcome', data: { name: 'Ana' } });
    expect(await rendered.json()).toMatchObject({
      template: 'welcome',
      html: expect.stringContaining('Ana'),
    });
    const linted = await post(`${url}/v1/lint`, { template: 'receipt', fixture: 'sample' });
    expect(await linted.json()).toMatchObject({ score: 100 });
    const mjml = {
      html: '<mjml><mj-body><mj-section><mj-column><mj-text>Hi</mj-text></mj-column></mj-section></mj-body></mjml>',
    };
    expect((await post(`${url}/v1/render`, mjml)).status).toBe(200);
    const pdf = await post(`${url}/v1/export`, { template: 'receipt', fixture: 'sample', format: 'pdf' });
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    for (const page of ['/', '/openapi.json', '/video-templates/default/preview'])
      expect([page, (await fetch(url + page)).status]).toEqual([page, 200]);
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
});

test('stallhand mcp, as the install page starts it, lists tools, renders and reads a guide', async () => {
  const example = installExamples('').find((each) => 'command' in each);
  if (!example || !('command' in example)) throw new Error('no example');
  const client = new Client({ name: 'installed', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: example.command,
      args: [...example.args],
      env: { ...environment, ...example.env, DATA_DIR: join(folder, 'assistant') },
      cwd: folder,
      stderr: 'pipe',
    }),
    { timeout: 120_000 },
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('render_template');
  const input = { template: 'welcome', data: { name: 'Ana' } };
  const answer = await client.callTool({ name: 'render_template', arguments: input });
  expect(outputOf(answer)).toMatchObject({ template: 'welcome', version: 'v1.0.0' });
  const { contents } = await client.readResource({ uri: 'guide://template-language' });
  expect(contents).toMatchObject([{ text: expect.stringContaining('# Template language') }]);
  await client.close();
});

test('a server with S3_BUCKET but without the package for S3 does not start, and says how to install it', async () => {
  const s3 = {
    S3_BUCKET: 'files',
    S3_REGION: 'eu-central-1',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'key',
  };
  const env = { ...environment, ...s3, DATA_DIR: join(folder, 'in-a-bucket'), PORT: '0' };
  await expect(run('stallhand', ['serve'], { cwd: folder, env })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('npm install @aws-sdk/client-s3@3'),
  });
  expect(await readdir(folder)).not.toContain('in-a-bucket');
});

test('a server with traces but without the packages for them does not start, and says how to install them', async () => {
  const env = { ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', PORT: '0' };
  await expect(run('stallhand', ['serve'], { cwd: folder, env })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('npm install @opentelemetry/api@1'),
  });
});

test('a Node that is too old gets one sentence', async () => {
  const launcher = join(folder, 'node_modules/stallhand/bin/stallhand.cjs');
  const old = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); require(${JSON.stringify(launcher)})`;
  await expect(run(process.execPath, ['-e', old])).rejects.toMatchObject({
    code: 1,
    stderr:
      'Stallhand needs Node 24 or newer, and this is Node 20.20.2. Install it from https://nodejs.org and try again.\n',
  });
});

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, url] = / serves (http:\S+)/.exec(line) ?? [];
    if (url !== undefined) {
      // What follows is not read, and must not fill the pipe.
      output.resume();
      return url;
    }
  }
  throw new Error('stallhand serve ended');
}

function post(url: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
