import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Caller, SCOPES } from '../../../src/identity/caller.ts';
import type { ModelAnswer } from '../../peers/model-answer.ts';
import { newCaller, type Tools, useTools } from '../../support/app.ts';
import { type ModelApp, openModelApp } from '../../support/model-app.ts';
import { GOOD, withHtml } from './mail.ts';

let model: ModelApp;
let caller: Caller;
let call: Tools;

beforeAll(async () => {
  model = await openModelApp();
});
beforeEach(async () => {
  caller = await newCaller(model.app);
  call = useTools(model.app, caller);
});
afterAll(() => model.close());

const generate = () => call('generate_template', { prompt: 'Welcome a new customer.' });
const written = (output: number, mail: unknown = GOOD): ModelAnswer => ({
  text: JSON.stringify(mail),
  usage: { input: 100, output },
});
const broken = withHtml((html) => html.replace('{{/each}}', ''));

async function units() {
  const { hooks_used, template_units, by_day } = await call('get_usage');
  const held = await model.app.database.sql`
    select id from quota_reservations where account_id = ${caller.accountId} and state = 'held'`;
  return { hooks_used, template_units, by_day, held: held.length };
}
const charged = (count: number) => ({ hooks_used: count, template_units: count, by_day: [], held: 0 });

test.each([
  [1, 1],
  [1000, 1],
  [1001, 2],
  [3500, 4],
  [90_000, 20],
])('a template of %i output tokens costs %i units', async (tokens, cost) => {
  model.server.script(written(tokens));
  await generate();
  expect(await units()).toEqual(charged(cost));
});

test('an edit costs the same, and what the model needed for repairs is included', async () => {
  model.server.script(written(1200, broken), written(1200, { ...GOOD, subject: 'Hello' }));
  await call('edit_template', { template: 'welcome', instruction: 'Greet.', branch: 'greet' });
  expect(await units()).toEqual(charged(3));
});

test('a mail that stays broken costs what the model wrote; a provider that fails costs nothing', async () => {
  model.server.script(written(500, broken), written(500, broken), written(500, broken));
  await expect(generate()).rejects.toMatchObject({ code: 'provider_bad_output' });
  expect(await units()).toEqual(charged(2));
  model.server.script({ fails: 401 });
  await expect(generate()).rejects.toMatchObject({ code: 'provider_auth' });
  expect(await units()).toEqual(charged(2));
});

test('who leaves while it is written pays for what came', async () => {
  const leaving = new AbortController();
  let heard = '';
  const text = (piece: string) => {
    heard += piece;
    if (heard.length >= 6000) leaving.abort();
  };
  const streamed = useTools(model.app, caller, { signal: leaving.signal, text });
  model.server.script({ pauses: 'x'.repeat(6000) });
  await expect(streamed('generate_template', { prompt: 'Welcome.' })).rejects.toThrow();
  expect(await units()).toEqual(charged(2));
});

test('with few units left a template costs no more than those; with none the model is not asked', async () => {
  await model.app.quota.reserve(caller.accountId, { units: 48 });
  model.server.script(written(9000));
  await generate();
  expect(await call('get_usage')).toMatchObject({ hooks_used: 50, template_units: 2, remaining: 0 });
  const asked = model.server.requests.length;
  await expect(generate()).rejects.toMatchObject({
    key: 'quota_exhausted.templates',
    status: 402,
    data: { hooks_used: 50, hooks_limit: 50, upgrade_url: '/billing' },
  });
  expect(model.server.requests.length).toBe(asked);
});

test('the local owner has no limit', async () => {
  const { id } = await model.app.accounts.local();
  const local = useTools(model.app, { accountId: id, actor: 'local', scopes: SCOPES, via: 'local' });
  await model.app.quota.reserve(id, { units: 500 });
  model.server.script(written(3000));
  await local('generate_template', { prompt: 'Welcome.' });
  expect(await local('get_usage')).toMatchObject({ template_units: 3, remaining: -1 });
});

test('a model that may not be asked, and a name that is taken, cost nothing', async () => {
  const strict = await openModelApp({ AI_MODELS: 'gpt-5.6-terra' });
  const owner = await newCaller(strict.app);
  const tools = useTools(strict.app, owner);
  const prompt = 'Welcome.';
  const refused = { key: 'model_not_allowed.server_key', status: 422 };
  await expect(tools('generate_template', { prompt, model: 'dear' })).rejects.toMatchObject(refused);
  const edit = { template: 'welcome', instruction: 'Greet.', model: 'dear' };
  await expect(tools('edit_template', edit)).rejects.toMatchObject(refused);
  await expect(tools('generate_hooks', { topic: 'bread', model: 'dear' })).rejects.toMatchObject(refused);
  await expect(tools('generate_template', { prompt, save: { name: 'welcome' } })).rejects.toMatchObject({
    code: 'name_taken',
  });
  expect(await tools('get_usage')).toMatchObject({ hooks_used: 0 });
  expect(strict.server.requests).toHaveLength(0);
  await strict.close();
});
