import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from './person.ts';
import { useWeb } from './use-web.ts';

const run = promisify(execFile);

const web = useWeb(() => ({ MCP_ENABLED: 'true' }));
const { person } = web;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stallhand-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Opens "Show as code" and reads all three ways. */
async function shownAt({ page }: Person) {
  await page.locator('[aria-label="Show as code"]').click();
  const code = () =>
    page.$eval(
      '[role="dialog"] section[aria-label="Show as code"] pre',
      ({ textContent }) => textContent ?? '',
    );
  const pick = async (way: string) => {
    await page.locator(`[role="dialog"] label ::-p-text(${way})`).click();
    return code();
  };
  await page.waitForSelector('[role="dialog"] pre');
  const shown = { curl: await code(), typescript: await pick('TypeScript'), mcp: await pick('MCP') };
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role="dialog"]', { hidden: true });
  return shown;
}

test('T9: the editor shows its email as code: curl, TypeScript and MCP each return it', async () => {
  await person.open('/templates/welcome');
  const field = await person.page.waitForSelector('[aria-label="Value of name"]');
  await field?.click({ count: 3 });
  await field?.type("O'Hara & Sons $5");
  const { curl, typescript, mcp } = await shownAt(person);

  const fromShell = await run('sh', ['-c', curl.replace('curl ', 'curl -s ')]);

  const file = join(folder, 'call.ts');
  await writeFile(file, typescript);
  const fromProgram = await run(process.execPath, [file]);

  const { method, params } = JSON.parse(mcp);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${web.app.url}/mcp`)));
  const fromAssistant = await client.callTool(params);
  await client.close();

  const email = expect.stringContaining('O&#x27;Hara &amp; Sons $5');
  expect([method, JSON.stringify(fromAssistant.content)]).toEqual(['tools/call', email]);
  expect(JSON.parse(fromShell.stdout)).toMatchObject({
    template: 'welcome',
    html: email,
    missing_variables: [],
  });
  expect(fromProgram.stdout).toContain('O&#x27;Hara &amp; Sons $5');
});

test('T9: a video and hooks show what their forms would send, never the key of a provider', async () => {
  await person.open('/videos/new?template=quote&title=Less%20is%20more');
  const { curl } = await shownAt(person);
  expect(curl).toMatch(/^curl -X POST 'http[^']+\/videos' \\/);
  expect(curl).toContain('"title": "Less is more"');
  await person.page.select('select:has(option[value="transparent"])', 'transparent');
  expect(JSON.parse((await shownAt(person)).mcp)).toMatchObject({
    params: { name: 'create_video', arguments: { format: 'webm', transparent: true } },
  });

  await person.open('/generator');
  await person.page.locator('textarea').fill('Sourdough at home');
  const { mcp } = await shownAt(person);
  expect(JSON.parse(mcp)).toMatchObject({
    params: { name: 'generate_hooks', arguments: { topic: 'Sourdough at home' } },
  });
  expect(person.complaints).toEqual([]);
});
