import { describe, expect, test } from 'vitest';
import { useTools } from '../../support/app.ts';
import { BREAD, hooksAnswer, raw } from '../hooks-answer.ts';
import { BREAD_TOO, faultOf, topic, useWriting } from './use-writing.ts';

const writing = useWriting();
const { call, used, stored } = writing;
const [one, two, three, four, five] = BREAD;

describe('a repeat with the idempotency key of a call', () => {
  const once = (key: string, input: Record<string, unknown> = {}) =>
    useTools(writing.app, writing.caller, { idempotencyKey: key })('generate_hooks', {
      ...{ topic, language: 'en', count: 3 },
      ...input,
    });
  /** What a server leaves that is killed before it could answer: the key goes free after two minutes. */
  const loseAnswer = (key: string) => writing.app.database.sql`
    update idempotency_keys set answer = null, created_at = now() - interval '3 minutes'
    where account_id = ${writing.caller.accountId} and key = ${key}`;
  const aDayLater = () => writing.app.database.sql`
    update idempotency_keys
    set created_at = created_at - interval '25 hours', began_at = began_at - interval '25 hours'
    where account_id = ${writing.caller.accountId}`;

  test('that was cut off before it could answer gets its finished hooks, and is not charged again', async () => {
    writing.server.script(hooksAnswer(one, two, three));
    const first = await once('again');
    await loseAnswer('again');
    const asked = writing.server.requests.length;
    expect(await once('again')).toEqual(first);
    expect(writing.server.requests).toHaveLength(asked);
    expect([await used(), (await stored()).length]).toEqual([3, 3]);
  });

  test('a day later is a generation of its own, also when the first was deleted', async () => {
    writing.server.script(hooksAnswer(one, two, three), hooksAnswer(four, five, BREAD_TOO));
    const first = await once('monday');
    await aDayLater();
    const second = await once('monday');
    expect(second['hooks']).toEqual([four[0], five[0], BREAD_TOO[0]]);
    expect(await once('monday')).toEqual(second);
    await call('delete_generation', { id: first['generation_id'] });
    await call('delete_generation', { id: second['generation_id'] });
    await aDayLater();
    writing.server.script(hooksAnswer(one, two, three));
    expect(await once('monday')).toMatchObject({ count: 3, quota: { hooks_used: 9 } });
  });

  test('after what was delivered of a call that failed gets that, and is not charged again', async () => {
    writing.server.script({ drips: JSON.stringify({ hooks: BREAD.map(raw) }), everyMs: 1 });
    const leaving = new AbortController();
    const heard: unknown[] = [];
    const event = () => {
      if (heard.push('hook') === 2) leaving.abort();
    };
    const listened = useTools(writing.app, writing.caller, {
      idempotencyKey: 'cut',
      event,
      signal: leaving.signal,
    });
    const wish = { topic, language: 'en', count: 3 };
    await expect(listened('generate_hooks', wish)).rejects.toThrow();
    expect(await once('cut')).toMatchObject({ hooks: [one[0], two[0]], quota: { hooks_used: 2 } });
  });

  test('says again that fewer units were left than asked for', async () => {
    const { id } = await writing.app.quota.reserve(writing.caller.accountId, { units: 48 });
    await writing.app.quota.settle(writing.caller.accountId, id, 48);
    writing.server.script(hooksAnswer(one, two));
    const first = await once('few');
    expect(first).toMatchObject({
      count: 2,
      quota_limited: true,
      notice: expect.stringMatching(/^Your quota covered 2 of/),
    });
    await loseAnswer('few');
    expect(await once('few')).toEqual(first);
  });

  test('says again that patterns are no model', async () => {
    const first = await once('patterns', { provider: 'builtin' });
    await loseAnswer('patterns');
    expect(await once('patterns', { provider: 'builtin' })).toEqual(first);
  });

  test('but for another topic is another generation', async () => {
    writing.server.script(hooksAnswer(one, two, three));
    await once('other');
    await loseAnswer('other');
    writing.server.script(hooksAnswer(four, five), hooksAnswer());
    expect(await once('other', { topic: 'rye' })).toMatchObject({ hooks: [four[0], five[0]] });
    expect(await used()).toBe(5);
  });

  test('is refused without another model call when its finished hooks were deleted', async () => {
    writing.server.script(hooksAnswer(one, two, three));
    const { generation_id: id } = await once('gone');
    await loseAnswer('gone');
    await call('delete_generation', { id });
    const asked = writing.server.requests.length;
    expect((await faultOf(once('gone'))).key).toBe('conflict.hooks_deleted');
    expect(writing.server.requests).toHaveLength(asked);
  });
});
