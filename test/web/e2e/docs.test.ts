import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openServedApp } from '../../support/served-app.ts';
import { newPerson } from './person.ts';
import { useWeb } from './use-web.ts';

const web = useWeb();
const { person } = web;

const sampleOf = (name: string) =>
  person.page.$eval(`section[aria-label="${name}"] pre`, ({ textContent }) => textContent ?? '');

test('X1: Docs is a tab; its first call has three lines with the address of this server, and works as it stands', async () => {
  await person.open('/generator');
  await person.page.locator('main .tabs ::-p-text(Docs)').click();
  await person.page.waitForFunction(() => location.pathname === '/docs');
  await person.page.waitForSelector('pre');
  const call = await sampleOf('The first call');
  expect(call.split('\n')).toHaveLength(3);
  const { stdout } = await promisify(execFile)('sh', ['-c', call]);
  expect(JSON.parse(stdout)).toMatchObject({ template: 'welcome', missing_variables: [] });
});

test('X1: each assistant has its settings with this server, and the operations are one link away', async () => {
  for (const name of ['Claude Code', 'Cursor', 'VS Code']) {
    const settings = JSON.parse(await sampleOf(name));
    const [servers] = Object.values(settings) as [{ stallhand: { url: string } }];
    expect(servers.stallhand.url).toBe(`${web.app.url}/mcp`);
  }
  expect(JSON.parse(await sampleOf('Claude Desktop')).mcpServers.stallhand.args).toEqual([
    'mcp',
    '--url',
    web.app.url,
  ]);
  expect(await sampleOf('MCP')).toBe(`${web.app.url}/mcp`);
  expect(await person.page.$eval('main p a', (link) => link.getAttribute('href'))).toBe('/docs/api');
  expect(person.complaints).toEqual([]);
});

test('X1: it can be read before signing in, and a key is then a variable, never a value', async () => {
  const closed = await openServedApp();
  const visitor = await newPerson(web.browser, closed.url);
  await visitor.open('/docs');
  const shown = await visitor.page.waitForSelector('section[aria-label="The first call"] pre');
  expect(await shown?.evaluate(({ textContent }) => textContent)).toContain('Bearer $STALLHAND_API_KEY');
  await visitor.leave();
  await closed.close();
});
