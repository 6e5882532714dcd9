import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createOauthStore } from '../../../src/identity/connected-apps/oauth-store.ts';
import { createServerSecret } from '../../../src/platform/server-secret.ts';
import { openTestApp } from '../../support/app.ts';

const TWO_DAYS_MS = 48 * 3_600_000;
const MINUTE = 60;

let app: Awaited<ReturnType<typeof openTestApp>>;
beforeAll(async () => {
  app = await openTestApp();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => app.close());

/** On a machine whose clock is ahead; every node goes by the same `now`. */
function storeAhead(milliseconds: number) {
  const real = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: real + milliseconds });
  const { sql } = app.database;
  return createOauthStore({
    ...{ sql, connectedApps: app.connectedApps, now: () => real },
    secret: createServerSecret({ sql, encryptionKey: undefined }),
  });
}

const seconds = () => Math.floor(Date.now() / 1000);

test.each([
  ['exact', 'two days ahead', 0, TWO_DAYS_MS],
  ['two days ahead', 'exact', TWO_DAYS_MS, 0],
  ['two days ahead', 'two days behind', TWO_DAYS_MS, -TWO_DAYS_MS],
])(
  'a code of a node whose clock is %s has its minute at a node whose clock is %s',
  async (_of, _at, of, at) => {
    const id = `code-${of}-${at}`;
    const maker = storeAhead(of);
    const value = { iat: seconds(), exp: seconds() + MINUTE, scope: 'templates:read' };
    await maker.put('AuthorizationCode', id, value, MINUTE);
    vi.useRealTimers();
    const taker = storeAhead(at);
    await taker.sweep();
    const found = await taker.find('AuthorizationCode', id);
    expect(found).toMatchObject({ scope: 'templates:read' });
    expect(Math.abs(Number(found?.['exp']) - seconds() - MINUTE)).toBeLessThan(5);
    expect(Math.abs(Number(found?.['iat']) - seconds())).toBeLessThan(5);
  },
);
