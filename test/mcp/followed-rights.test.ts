import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../src/identity/caller.ts';
import { createNotices } from '../../src/platform/notices.ts';
import { createCatalogue } from '../../tools/mcp/catalog.ts';
import { follow } from '../../tools/mcp/subscriptions/follow.ts';
import { newBareCaller, openTestApp, PRODUCT, silentLog, type TestApp, useTools } from '../support/app.ts';

let app: TestApp;
let owner: Caller;
let template: string;
let video: string;
beforeAll(async () => {
  app = await openTestApp();
  owner = await newBareCaller(app);
  const call = useTools(app, owner);
  await call('create_template', { name: 'welcome', html: '<p>Hello</p>' });
  template = 'template://welcome@main';
  const { id } = await call('create_video', { title: 'Opening day', duration: 0.5, width: 64, height: 64 });
  video = String(id);
});
afterAll(() => app.close());

/** A conversation with a key that may read templates and videos, and notices that the test gives. */
async function converse() {
  const { id, key } = await app.keys.create(
    owner.accountId,
    'reader',
    ['templates:read', 'videos:read'],
    null,
  );
  const caller = await app.credentials.resolve(key, {});
  const notices = createNotices(['templates', 'videos']);
  const catalogue = createCatalogue(PRODUCT);
  const visit = { caller, locale: 'en', baseUrl: '' } as const;
  const told: string[] = [];
  let wake = () => {};
  const parts = {
    ...{ app: { ...app, notices }, log: silentLog, catalogue },
    visitOf: () => visit,
    choiceOf: () => catalogue.select([]),
  };
  const follower = follow(parts, visit, {
    async onUpdated(address) {
      told.push(address);
      wake();
    },
    onListChanged: async () => {},
    onEnd: () => {},
  });
  return {
    follower,
    visit,
    told,
    /** The key keeps one of its scopes. */
    keep: (scope: string) => app.database.sql`update api_keys set scopes = ${[scope]} where id = ${id}`,
    notify(channel: string, payload: string) {
      for (const listener of notices.listeners) if (listener.channel === channel) listener.onNotify(payload);
    },
    async until(address: string) {
      while (!told.includes(address)) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}

test('a task is pushed with the rights that its caller has then, not those it subscribed with', async () => {
  const { follower, keep, notify, until } = await converse();
  const task = `task:${video}`;
  await follower.add(task);
  expect(await follower.readTask(task)).toMatchObject({ taskId: video });
  await keep('templates:read');
  notify('videos', video);
  await until(task);
  await expect(follower.readTask(task)).rejects.toMatchObject({ code: 'insufficient_scope' });
  follower.close();
});

test('a change of a template is not told to a caller who may no longer read it', async () => {
  const { follower, told, keep, notify, until } = await converse();
  await follower.add(template);
  await follower.add(`task:${video}`);
  await keep('videos:read');
  await useTools(app, owner)('update_template', { name: 'welcome', html: '<p>Good morning</p>' });
  notify('templates', owner.accountId);
  notify('videos', video);
  await until(`task:${video}`);
  expect(told).toEqual([`task:${video}`]);
  follower.close();
});

test('a later request of a session subscribes with its own rights', async () => {
  const { follower, visit } = await converse();
  follower.actFor({ ...visit, caller: { ...visit.caller, scopes: ['videos:read'] } });
  await expect(follower.add(template)).rejects.toMatchObject({ code: 'insufficient_scope' });
  follower.close();
});
