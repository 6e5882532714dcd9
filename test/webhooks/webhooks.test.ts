import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../src/identity/caller.ts';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../support/app.ts';
import { type Heard, verified } from './workshop.ts';

// In open mode, as here, a receiver may be on this machine.

let app: TestApp;
let server: Server;
let url: string;
let heard: Heard[] = [];
let status = 204;
let caller: Caller;
let call: Tools;

beforeAll(async () => {
  app = await openTestApp({ SYNC_DEMO: 'true', ENCRYPTION_KEY: 'the key of a test, which nobody else has' });
  app.webhooks.start({ presentVideo: (video) => video });
  server = createServer(async (req, res) => {
    heard.push({ headers: req.headers, body: await text(req), path: req.url ?? '' });
    res.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  // A TCP server that listens has an address with a port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
});
beforeEach(async () => {
  caller = await newBareCaller(app);
  call = useTools(app, caller);
  heard = [];
  status = 204;
});
afterAll(async () => {
  await app.close();
  server.closeAllConnections();
  server.close();
});

/** What has been heard, once there are as many. */
async function events(secret: unknown, count: number): Promise<unknown[]> {
  await expect.poll(() => heard.length).toBe(count);
  return heard.map((one) => verified(String(secret), one));
}

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const ALL = { timestamp: moment };

test('a webhook is told of versions, merges and promotions, signed with its secret', async () => {
  const { secret } = await call('create_webhook', {
    url,
    events: ['template.version.created', 'branch.merged', 'environment.promoted'],
  });
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  await call('create_template', { name: 'welcome', html: '<p>Hi {{name}}</p>' });
  await call('create_branch', { template: 'welcome', name: 'holiday' });
  await call('update_template', {
    name: 'welcome',
    branch: 'holiday',
    html: '<p>Ho {{name}}</p>',
    message: 'ho',
  });
  await call('merge_branch', { template: 'welcome', branch: 'holiday' });
  await call('promote_template', { template: 'welcome', to: 'production', from: 'main', note: 'go' });
  await call('rollback_template', { template: 'welcome', environment: 'production' });
  const version = { template: 'welcome', author: 'test' };
  const promoted = { template: 'welcome', environment: 'production', actor: 'test' };
  const told = (await events(secret, 6)) as { type: string }[];
  expect(new Set(told)).toEqual(
    new Set([
      {
        ...ALL,
        type: 'template.version.created',
        data: { ...version, version: 'v1.0.0', branch: 'main', bump: 'none', message: '' },
      },
      {
        ...ALL,
        type: 'template.version.created',
        data: { ...version, version: 'v1.0.1-holiday.1', branch: 'holiday', bump: 'patch', message: 'ho' },
      },
      {
        ...ALL,
        type: 'template.version.created',
        data: { ...version, version: 'v1.0.1', branch: 'main', bump: 'patch', message: 'Merge holiday' },
      },
      {
        ...ALL,
        type: 'branch.merged',
        data: {
          ...{ template: 'welcome', branch: 'holiday', into: 'main', actor: 'test' },
          ...{ version: 'v1.0.1', previous: 'v1.0.0' },
        },
      },
      {
        ...ALL,
        type: 'environment.promoted',
        data: { ...promoted, version: 'v1.0.1', previous: 'v1.0.0', action: 'promoted', note: 'go' },
      },
      {
        ...ALL,
        type: 'environment.promoted',
        data: { ...promoted, version: 'v1.0.0', previous: 'v1.0.1', action: 'rolled_back', note: '' },
      },
    ]),
  );
});

test('a webhook is told of hooks, whoever wrote them', async () => {
  const { secret } = await call('create_webhook', { url, events: ['hooks.generated'] });
  const { generation_id } = await call('generate_hooks', {
    topic: 'sourdough',
    count: 3,
    provider: 'builtin',
  });
  const text = expect.any(String);
  const hook = { id: text, text, style: text, score: expect.any(Number) };
  expect(await events(secret, 1)).toEqual([
    {
      type: 'hooks.generated',
      timestamp: moment,
      data: {
        ...{ id: generation_id, topic: 'sourdough', provider: 'builtin', model: null },
        ...{ platform: expect.anything(), language: 'en' },
        hooks: Array(3).fill(hook),
      },
    },
  ]);
});

test('a webhook is told of a finished run, and not of a preview', async () => {
  await app.sync.start();
  const { secret } = await call('create_webhook', { url, events: ['sync.run.finished'] });
  const store = await call('connect_store', { domain: 'demo.myshopify.com', store_access_token: 'any' });
  const sheet = await call('connect_sheet', { spreadsheet_id: 'demo', access_token: 'any' });
  const order = { store_id: store['id'], sheet_id: sheet['id'], direction: 'store_to_sheet' };
  await call('preview_sync', order);
  const run = await call('run_sync', order);
  expect(await events(secret, 1)).toEqual([
    {
      type: 'sync.run.finished',
      timestamp: moment,
      data: {
        ...{ id: run['run_id'], config_id: expect.any(String), store_id: store['id'], sheet_id: sheet['id'] },
        ...{ trigger: 'manual', direction: 'store_to_sheet', status: run['status'], changed: run['changed'] },
        ...{ failed: 0, skipped: run['skipped'], conflicts: 0, errors: 0, finished_at: moment },
      },
    },
  ]);
});

test('each webhook hears only what it subscribed to, of its own account', async () => {
  const other = await newBareCaller(app);
  const { secret } = await call('create_webhook', { url, events: ['template.version.created'] });
  await call('create_webhook', { url, events: ['branch.merged'] });
  await call('create_webhook', { url, events: ['template.version.created'], enabled: false });
  await useTools(app, other)('create_webhook', { url, events: ['branch.merged'] });
  await useTools(app, other)('create_template', { name: 'theirs', html: 'x' });
  await call('create_template', { name: 'mine', html: 'x' });
  expect(await events(secret, 1)).toMatchObject([{ data: { template: 'mine' } }]);
});

test('a change that is rolled back tells nobody', async () => {
  await call('create_webhook', { url, events: ['template.version.created'] });
  await call('create_template', { name: 'one', html: 'x' });
  const rejected = call('create_template', { name: 'one', html: 'y' });
  await expect(rejected).rejects.toMatchObject({ code: 'name_taken' });
  await app.database.sql
    .begin(async (tx) => {
      await tx`select emit_event(${caller.accountId}, 'template.version.created', '{}')`;
      throw new Error('no');
    })
    .catch(() => {});
  const rows = await app.database.sql`
    select data ->> 'template' as template from webhook_deliveries where account_id = ${caller.accountId}`;
  expect(rows).toEqual([{ template: 'one' }]);
});

test('the secret is shown when it is made, and never again', async () => {
  const { id, secret, ...made } = await call('create_webhook', {
    url,
    events: ['hooks.generated', 'hooks.generated'],
    description: 'shop',
  });
  expect(made).toEqual({
    ...{ url, events: ['hooks.generated'], description: 'shop', enabled: true, status: 'active' },
    ...{ failing_since: null, former_secret_until: null, created_at: moment, updated_at: moment },
  });
  expect(id).toMatch(/^whk_/);
  expect(await call('get_webhook', { id })).toEqual({ id, ...made });
  expect(await call('list_webhooks')).toEqual({ items: [{ id, ...made }], next_cursor: null });
  expect(JSON.stringify(await call('list_audit_events'))).not.toContain(String(secret).slice(6));
  const stored = await app.database.sql`select * from webhooks where id = ${String(id)}`;
  expect(JSON.stringify(stored)).not.toContain(String(secret).slice(6));
});

test('after a rotation both secrets sign for a day, then only the new one', async () => {
  const { id, secret: former } = await call('create_webhook', { url, events: ['hooks.generated'] });
  const rotated = await call('rotate_webhook_secret', { id });
  expect(rotated).toMatchObject({ id, former_secret_until: moment });
  expect(rotated['secret']).not.toBe(former);
  await call('ping_webhook', { id });
  for (const secret of [former, rotated['secret']])
    expect(await events(secret, 1)).toMatchObject([{ type: 'webhook.ping', data: { webhook_id: id } }]);
  expect(String(heard[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2);
  await app.database.sql`update webhooks set former_until = now() where id = ${String(id)}`;
  await call('ping_webhook', { id });
  expect(String(heard[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  const last = heard.slice(1);
  expect(last.map((one) => verified(String(rotated['secret']), one))).toHaveLength(1);
  expect(() => last.map((one) => verified(String(former), one))).toThrow();
});

test('a ping says what the receiver answered, also while the webhook is disabled, and is no failure of it', async () => {
  const { id } = await call('create_webhook', { url, events: ['hooks.generated'], enabled: false });
  status = 500;
  expect(await call('ping_webhook', { id })).toEqual({
    ...{
      id: expect.stringMatching(/^dlv_/),
      message_id: expect.stringMatching(/^msg_/),
      type: 'webhook.ping',
    },
    ...{ status: 'failed', attempts: 1, response_status: 500, reason: null, next_attempt_at: null },
    ...{ happened_at: moment, attempted_at: moment, created_at: moment },
  });
  status = 200;
  expect(await call('ping_webhook', { id })).toMatchObject({ status: 'delivered', response_status: 200 });
  expect(await call('get_webhook', { id })).toMatchObject({ status: 'paused', failing_since: null });
});

test('an event can be sent again, as the same message', async () => {
  const { id } = await call('create_webhook', { url, events: ['template.version.created'] });
  await call('create_template', { name: 'one', html: 'x' });
  const delivered = () => call('list_webhook_deliveries', { id, status: 'delivered' });
  await expect.poll(async () => (await delivered())['items']).toHaveLength(1);
  const [first] = (await delivered())['items'] as [{ id: string; message_id: string }];
  const again = await call('resend_webhook_delivery', { id, delivery: first.id });
  expect(again).toMatchObject({ message_id: first.message_id, status: 'waiting', attempts: 0 });
  expect(again['id']).not.toBe(first.id);
  await expect.poll(() => heard.length).toBe(2);
  expect(new Set(heard.map(({ body }) => body)).size).toBe(1);
  await call('update_webhook', { id, enabled: false });
  await expect(call('resend_webhook_delivery', { id, delivery: first.id })).rejects.toMatchObject({
    key: 'conflict.webhook_disabled',
  });
});

test('disabling a webhook gives up what waits, and deleting it forgets everything', async () => {
  status = 500;
  const { id } = await call('create_webhook', { url, events: ['template.version.created'] });
  await call('create_template', { name: 'one', html: 'x' });
  await expect
    .poll(() => call('get_webhook', { id }))
    .toMatchObject({ status: 'failing', failing_since: moment });
  await call('update_webhook', { id, enabled: false });
  expect(await call('list_webhook_deliveries', { id })).toMatchObject({
    items: [{ status: 'failed', reason: 'disabled', next_attempt_at: null }],
  });
  expect(await call('update_webhook', { id, enabled: true })).toMatchObject({ status: 'active' });
  expect(await call('delete_webhook', { id })).toEqual({ deleted: true });
  await expect(call('list_webhook_deliveries', { id })).rejects.toMatchObject({ key: 'not_found.webhook' });
  const left = await app.database.sql`
    select from webhook_deliveries where account_id = ${caller.accountId}`;
  expect(left).toHaveLength(0);
});

test('an account has at most ten webhooks, also when they are created at once', async () => {
  const made = await Promise.allSettled(
    Array.from({ length: 12 }, () => call('create_webhook', { url, events: ['branch.merged'] })),
  );
  expect(made.filter(({ status: result }) => result === 'rejected')).toMatchObject([
    { reason: { key: 'plan_limit.webhooks' } },
    { reason: { key: 'plan_limit.webhooks' } },
  ]);
});

test('a caller subscribes only to what it may read, and changes the receiver only of that', async () => {
  const { id } = await call('create_webhook', { url, events: ['billing.subscription.changed'] });
  const scopes = ['account:read', 'account:write', 'hooks:read'] as const;
  const limited = useTools(app, { ...caller, scopes });
  const denied = { key: 'insufficient_scope.events', params: { scope: 'billing:read' } };
  const events = ['billing.subscription.changed'];
  await expect(limited('create_webhook', { url, events })).rejects.toMatchObject(denied);
  await expect(limited('update_webhook', { id, events })).rejects.toMatchObject(denied);
  await expect(app.webhooks.update({ ...caller, scopes }, String(id), { url })).rejects.toMatchObject(denied);
  expect(await limited('update_webhook', { id, enabled: false })).toMatchObject({ status: 'paused' });
  expect(await limited('create_webhook', { url, events: ['hooks.generated'] })).toMatchObject({
    enabled: true,
  });
});

test('every change is in the audit log, without the path of the URL', async () => {
  const { id } = await call('create_webhook', {
    url: 'https://a.example.com/walnut/secret',
    events: ['branch.merged'],
  });
  await call('update_webhook', { id, enabled: false });
  await call('rotate_webhook_secret', { id });
  await call('delete_webhook', { id });
  const log = await call('list_audit_events', { target: id });
  expect(log).toMatchObject({
    items: ['deleted', 'rotated', 'updated', 'created'].map((action) => ({
      action: `webhook.${action}`,
      detail: { host: 'a.example.com', events: ['branch.merged'] },
    })),
  });
  expect(JSON.stringify(log)).not.toContain('walnut');
});

test('on a public server, only public HTTPS addresses are receivers', async () => {
  const strict = await openTestApp({ AUTH_MODE: 'required' });
  const owner = useTools(strict, await newBareCaller(strict));
  const refused = [
    ...['http://shop.example.com/', 'https://user:word@shop.example.com/', 'https://shop.example.com:8443/'],
    ...[
      'https://10.0.0.8/',
      'https://169.254.169.254/latest/meta-data',
      'https://0x7f.1/',
      'https://127.0.0.1/',
    ],
    ...['https://[::1]/', 'https://[::ffff:127.0.0.1]/', 'https://intranet/', 'https://localhost/'],
    ...['http://localhost:3000/', 'ftp://shop.example.com/', 'nonsense'],
  ];
  try {
    for (const wrong of refused)
      await expect(owner('create_webhook', { url: wrong, events: ['branch.merged'] })).rejects.toMatchObject({
        key: 'validation_failed.webhook_url',
      });
    expect(
      await owner('create_webhook', { url: 'https://shop.example.com/x', events: ['branch.merged'] }),
    ).toMatchObject({ status: 'active' });
  } finally {
    await strict.close();
  }
});
