import { afterAll, beforeAll, expect, test } from 'vitest';
import { productRegistry } from '../../../tools/index.ts';
import { HTTP_CLIENTS } from '../../mcp/support/clients.ts';
import { toldOf } from '../../mcp/support/read-answer.ts';
import { newBareCaller, openTestApp, type TestApp, useTools } from '../../support/app.ts';
import { newBareKey, startTestServer, type TestServer } from '../../support/server.ts';

let app: TestApp;
let server: TestServer;

beforeAll(async () => {
  app = await openTestApp({
    SYNC_DEMO: 'true',
    ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
  });
  await app.sync.start();
  server = await startTestServer(app);
});
afterAll(async () => {
  await server.close();
  await app.close();
});

test('a model connects the demo in one call and syncs it', async () => {
  const call = useTools(app, await newBareCaller(app), { byModel: true, ask: async () => {} });
  const connected = await call('connect_demo');
  expect(connected).toMatchObject({
    created: true,
    store: { domain: 'demo.myshopify.com', status: 'connected' },
    sheet: { spreadsheet_id: 'demo', name: 'Demo', sheet_name: 'Sheet1', status: 'connected' },
  });
  const { store, sheet } = connected as { store: { id: string }; sheet: { id: string } };
  const pair = { store_id: store.id, sheet_id: sheet.id, direction: 'store_to_sheet' };
  const { plan_id: confirm } = await call('preview_sync', pair);
  expect(await call('run_sync', { ...pair, confirm })).toMatchObject({ status: 'succeeded' });
});

test('a second call finds what the first one connected', async () => {
  const call = useTools(app, await newBareCaller(app));
  const first = await call('connect_demo');
  expect(await call('connect_demo')).toEqual({ ...first, created: false });
  expect(await call('list_stores')).toMatchObject({ items: [{ domain: 'demo.myshopify.com' }] });
});

test('a call after one that connected only the store connects the sheet', async () => {
  const call = useTools(app, await newBareCaller(app));
  const store = await call('connect_store', { domain: 'demo.myshopify.com' });
  expect(await call('connect_demo')).toMatchObject({ created: true, store: { id: store['id'] } });
});

test('the demo counts as a store of the plan', async () => {
  const caller = await newBareCaller(app);
  const call = useTools(app, caller);
  await call('connect_demo');
  expect(await call('get_sync_usage')).toMatchObject({ stores: { used: 1 }, sheets: { used: 1 } });
});

test('where the demo is disabled, there is none', async () => {
  const bare = await openTestApp({ SYNC_DEMO: 'false' });
  const call = useTools(bare, await newBareCaller(bare));
  await expect(call('connect_demo')).rejects.toMatchObject({ key: 'not_configured.sync_demo' });
  await bare.close();
});

test.each([
  ['connect_store', '/stores'],
  ['connect_sheet', '/sheets'],
])('a model that calls %s is told who does it, and on which page', async (name, page) => {
  const [[, connect]] = HTTP_CLIENTS as [(typeof HTTP_CLIENTS)[number]];
  const model = await connect(server.url, (await newBareKey(app)).key);
  for (const answer of [
    await model.callTool(name, { domain: 'mine.myshopify.com', store_access_token: 'shpat_1' }),
    await model.callTool('run_tool', { name, arguments: {} }),
  ]) {
    expect(answer).toMatchObject({ isError: true, _meta: { code: 'person_required' } });
    const said = JSON.stringify(answer.content);
    expect(said).toContain(`Only a person can call ${name}`);
    expect(said).toContain(`on this page: ${server.url}${page}`);
    expect(said).toContain('connect_demo');
  }
  await model.close();
});

test('a model that undoes a run reads what to call next', async () => {
  const call = useTools(app, await newBareCaller(app));
  const { store, sheet } = (await call('connect_demo')) as { store: { id: string }; sheet: { id: string } };
  const pair = { store_id: store.id, sheet_id: sheet.id, direction: 'store_to_sheet' };
  const { run_id: id } = await call('run_sync', pair);
  const tool = productRegistry().find('revert_sync_run');
  if (!tool) throw new Error('no revert_sync_run');
  const undone = await call('revert_sync_run', { id });
  expect(undone).toMatchObject({ status: 'succeeded' });
  expect(toldOf(tool, undone)).toContain(`call read_tool list_sync_changes {"run_id":"${undone['id']}"}`);
  // As it is read where the wait ends before the run does.
  expect(toldOf(tool, { ...undone, status: 'applying' })).toContain(
    'Still applying. Call read_tool get_sync_run',
  );
});
