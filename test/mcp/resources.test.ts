import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { productRegistry } from '../../tools/index.ts';
import { PROMPTS } from '../../tools/mcp/prompts/prompts.ts';
import { kindOf, RESOURCE_KINDS, uriOf } from '../../tools/mcp/resources/kinds.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newKey, useRest } from '../support/server.ts';
import { type Connection, HTTP_CLIENTS } from './support/clients.ts';

let app: ServedApp;
let key: string;

beforeAll(async () => {
  app = await openServedApp({
    SYNC_DEMO: 'true',
    ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
  });
  ({ key } = await newKey(app));
  await app.sync.start();
});
afterAll(() => app.close());

const [, [, connectOlder]] = HTTP_CLIENTS as unknown as [unknown, [string, (typeof HTTP_CLIENTS)[number][1]]];

/** A client that is closed when the work has been done. */
async function using<T>(work: (client: Connection) => Promise<T>, credential = key): Promise<T> {
  const client = await connectOlder(app.url, credential);
  return work(client).finally(() => client.close());
}

async function read(uri: string, credential = key) {
  const { contents } = await using((client) => client.readResource(uri), credential);
  return contents[0];
}

describe.each(HTTP_CLIENTS)('%s', (_name, connect) => {
  test('lists the guides and the templates, and reads a guide', async () => {
    const client = await connect(app.url, key);
    const uris = (await client.listResources()).map(({ uri }) => uri);
    expect(uris).toEqual([
      'guide://getting-started',
      'guide://template-language',
      'guide://lint',
      'guide://video-templates',
      'template://footer@main',
      'template://password-reset@main',
      'template://product-launch@main',
      'template://receipt@main',
      'template://shop-layout@main',
      'template://welcome@main',
    ]);
    const { contents } = await client.readResource('guide://template-language');
    expect(contents).toMatchObject([
      { mimeType: 'text/markdown', text: expect.stringContaining('# Template language') },
    ]);
    await client.close();
  });

  test('gets a prompt in its own language, and completes the name of a template', async () => {
    const client = await connect(app.url, key, { 'accept-language': 'es' });
    const prompts = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(PROMPTS.map(({ name }) => name));
    const messages = await client.getPrompt('ship_template', { template: 'welcome' });
    expect(messages[0]?.content).toMatchObject({
      type: 'text',
      text: expect.stringContaining('Pon la plantilla welcome en producción'),
    });
    const values = await client.complete('template://{template}@{ref}', 'template', 'we');
    expect(values).toEqual(['welcome']);
    expect(
      await client.complete('template://{template}@{ref}', 'ref', 'prod', { template: 'welcome' }),
    ).toEqual(['production']);
    await client.close();
  });
});

test('a template is read by version, branch or environment, as text', async () => {
  const rest = useRest(app.url, key);
  await rest('POST', '/v1/templates', { body: { name: 'two words', html: '<p>one</p>' } });
  await rest('PATCH', '/v1/templates/two%20words', { body: { html: '<p>two</p>' } });
  for (const [ref, version, text] of [
    ['v1.0.0', 'v1.0.0', '<p>one</p>'],
    ['production', 'v1.0.0', '<p>one</p>'],
    ['main', 'v1.0.1', '<p>two</p>'],
  ])
    expect(await read(`template://two%20words@${ref}`)).toEqual({
      uri: `template://two%20words@${ref}`,
      mimeType: 'text/html',
      text,
      _meta: { 'stallhand/version': version, 'stallhand/subject': '' },
    });
  expect((await read('diff://two%20words/production..main'))?.text).toMatch(/-<p>one<\/p>\n(.*\n)?\+<p>two/);
});

test('a template is read filled with a fixture', async () => {
  expect((await read('template://receipt@production/rendered?fixture=sample'))?.text).toContain('<html');
  const { text } = (await read('fixture://receipt/sample')) ?? {};
  expect(Object.keys(JSON.parse(String(text)))).toContain('items');
});

test('a large template is read whole', async () => {
  const html = `<p>${'word '.repeat(50_000)}</p>`;
  await useRest(app.url, key)('POST', '/v1/templates', { body: { name: 'large', html } });
  expect((await read('template://large@main'))?.text).toBe(html);
});

test('a video and its captions are read by its id', async () => {
  const rest = useRest(app.url, key);
  const { body } = await rest('POST', '/videos', { body: { title: 'Mug', duration: 1 } });
  expect(JSON.parse(String((await read(`video://${body['id']}`))?.text))).toMatchObject({ title: 'Mug' });
});

test('what is not there, and what is of another account, is not found alike', async () => {
  const { key: other } = await newKey(app);
  await useRest(app.url, key)('POST', '/v1/templates', { body: { name: 'secret plan', html: 'x' } });
  for (const uri of [
    'template://nope@main',
    'video://vid_nope',
    'run://run_nope',
    'job://job_nope',
    'nothing://at-all',
    'guide://nope',
    'template://%ZZ@main',
  ])
    await expect(read(uri)).rejects.toThrow(/not found|Resource/i);
  await expect(read('template://secret%20plan@main', other)).rejects.toThrow(/not found|Resource/i);
});

test('a key without the scope of a kind cannot read it, and is told why', async () => {
  const { key: narrow } = await newKey(app, ['videos:read']);
  await expect(read('template://welcome@main', narrow)).rejects.toThrow(/templates:read/);
  const listed = await using((client) => client.listResources(), narrow);
  expect(listed.map(({ uri }) => uri)).toEqual([
    'guide://getting-started',
    'guide://template-language',
    'guide://lint',
    'guide://video-templates',
  ]);
});

test('a prompt that misses an argument, and one that does not exist, say so', async () => {
  await using(async (client) => {
    await expect(client.getPrompt('translate_template', { template: 'welcome' })).rejects.toThrow(
      'needs the argument language',
    );
    await expect(client.getPrompt('make_coffee', {})).rejects.toThrow("There is no prompt 'make_coffee'");
  });
});

test('review_changes begins with the diff, as text and as a picture', async () => {
  const rest = useRest(app.url, key);
  await rest('POST', '/v1/templates', { body: { name: 'thanks', html: '<p>Thanks</p>' } });
  await rest('PATCH', '/v1/templates/thanks', { body: { html: '<p>Thank you!</p>' } });
  const messages = await using((client) => client.getPrompt('review_changes', { template: 'thanks' }));
  expect(messages.map(({ content }) => content.type)).toEqual(['resource', 'image', 'text']);
  expect(messages[0]?.content).toMatchObject({
    resource: { uri: 'diff://thanks/production..main', text: expect.stringContaining('+<p>Thank you!') },
  });
});

test('an argument that was left out leaves no empty line in a prompt', async () => {
  const [message] = await using((client) => client.getPrompt('viral_hooks', { topic: 'mugs' }));
  expect(message?.content.text).toMatch(/^Write 5 opening lines .*\n\nTopic: mugs\n\nWrite them yourself/);
});

test('every kind of resource calls a tool that exists, and every prompt names only such tools', () => {
  const names = new Set(productRegistry().tools.map(({ name }) => name));
  expect(RESOURCE_KINDS.filter(({ tool }) => !names.has(tool))).toEqual([]);
  expect(PROMPTS.flatMap(({ tools }) => tools.filter((tool) => !names.has(tool)))).toEqual([]);
});

test('an address is the same after it was read', () => {
  for (const [uriTemplate, variables] of [
    ['template://{template}@{ref}', { template: 'a b.c', ref: 'feature/x' }],
    ['diff://{template}/{from}..{to}', { template: 'ñandú', from: 'v1.0.0', to: 'main' }],
    ['fixture://{template}/{fixture}', { template: 'x', fixture: 'sample.1' }],
  ] as const)
    expect(kindOf(uriOf(uriTemplate, variables))?.variables).toEqual(variables);
});

test('values that a tool lists are completed from its schema', async () => {
  const [aspects, platforms] = await using(async (client) => [
    await client.complete('video://{aspect}', 'aspect', ''),
    await client.complete('x://{platform}', 'platform', 'tik'),
  ]);
  expect(aspects).toContain('9:16');
  expect(platforms).toEqual(['tiktok']);
});
