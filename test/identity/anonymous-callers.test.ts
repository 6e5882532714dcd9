import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnonymousCallers, createAnonymousCallers } from '../../src/identity/anonymous-callers.ts';
import { createServerSecret } from '../../src/platform/server-secret.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let callers: AnonymousCallers;

beforeAll(async () => {
  database = await openTestDatabase();
  const secret = createServerSecret({ sql: database.sql, encryptionKey: undefined });
  callers = createAnonymousCallers({ secret, now: () => Date.UTC(2026, 10, 21) });
});
afterAll(() => database.close());

test.each([
  ['the same /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true, true],
  ['the same /48', '2001:db8:1:2::1', '2001:db8:1:3::1', false, true],
  ['another /48', '2001:db8:1:2::1', '2001:db8:2:2::1', false, false],
  ['the same IPv4 address, also written as IPv6', '203.0.113.7', '::ffff:203.0.113.7', true, true],
  ['the same /24', '203.0.113.7', '203.0.113.8', false, true],
  ['another /24', '203.0.113.7', '203.0.114.7', false, false],
])('%s: %s and %s', async (_what, one, other, sameVisitor, sameNetwork) => {
  const [first, second] = [await callers.callerAt(one), await callers.callerAt(other)];
  expect(first.visitor === second.visitor).toBe(sameVisitor);
  expect(first.visitorNetwork === second.visitorNetwork).toBe(sameNetwork);
});

test('nothing of the address is kept, and the two hashes of a caller differ', async () => {
  const { visitor, visitorNetwork, ...rest } = await callers.callerAt('203.0.113.7');
  expect(JSON.stringify([visitor, visitorNetwork, rest])).not.toContain('203.0');
  expect(visitor).not.toBe(visitorNetwork);
});
