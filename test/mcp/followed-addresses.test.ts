import { expect, test } from 'vitest';
import { createNotices } from '../../src/platform/notices.ts';
import { createAllowance, createSubscriptions } from '../../tools/mcp/subscriptions/subscriptions.ts';
import { silentLog } from '../support/app.ts';

/** A conversation that follows any address, with notices that the test gives. */
function converse({ allowance = createAllowance() } = {}) {
  const notices = createNotices(['jobs']);
  const asked: string[] = [];
  const next = Promise.withResolvers<string>();
  const subscriptions = createSubscriptions({
    ...{ app: { notices }, log: silentLog, accountId: 'acc_1', allowance },
    renew: async () => {},
    subjectOf(uri) {
      asked.push(uri);
      const work = decodeURIComponent(uri.slice('job://'.length));
      return { key: work, work };
    },
    read: async (uri) => uri,
    list: async () => [],
    onUpdated: async (uri) => next.resolve(uri),
    onListChanged: async () => {},
    onEnd: () => {},
  });
  const notify = (payload: string) => notices.listeners[0]?.onNotify(payload);
  return { ...subscriptions, asked, notify, next: next.promise };
}

test('a thousand notices of others cost no look at the hundred addresses that are followed', async () => {
  const conversation = converse();
  for (let at = 0; at < 100; at++) await conversation.add(`job://job_${at}`);
  for (let at = 0; at < 1_000; at++) conversation.notify(`other_${at} 1`);
  expect(conversation.asked).toHaveLength(100);
  conversation.notify('job_70 2');
  expect(await conversation.next).toBe('job://job_70');
  expect(conversation.asked).toHaveLength(100);
  conversation.close();
});

test('spellings of one address are one subscription, told by the last', async () => {
  const conversation = converse();
  for (let at = 0; at < 150; at++) await conversation.add(at % 2 === 0 ? 'job://a' : 'job://%61');
  expect(['job://a', 'job://%61'].map(conversation.tells)).toEqual([false, true]);
  conversation.notify('a 1');
  expect(await conversation.next).toBe('job://%61');
  conversation.remove('job://a');
  expect(conversation.tells('job://%61')).toBe(false);
  conversation.close();
});

test('the conversations of an account share an allowance, and one that ends gives its part back', async () => {
  const allowance = createAllowance(150);
  const [first, second] = [converse({ allowance }), converse({ allowance })];
  for (let at = 0; at < 100; at++) await first.add(`job://job_${at}`);
  for (let at = 0; at < 50; at++) await second.add(`job://job_${at}`);
  await expect(second.add('job://more')).rejects.toMatchObject({
    key: 'conflict.subscriptions_of_account',
    params: { limit: 150 },
  });
  first.close();
  await second.add('job://more');
  expect(second.tells('job://more')).toBe(true);
  second.close();
});
