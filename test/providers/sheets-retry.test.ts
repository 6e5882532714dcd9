import { describe, expect, test } from 'vitest';
import { openWorkshop, readAll, signal } from './sheets-workshop.ts';

const SHEET1 = { title: 'Sheet1', id: 0 };
const cell = (value: string) => [{ row: 1, column: 0, values: [value] }];
const write = { key: 'k', signal };

describe('a lost answer', () => {
  test.each(['drop_before', 'drop_after', 500, 502, 503] as const)(
    'is asked for again, also for a write: %s',
    async (trouble) => {
      const { client, book, emulator } = await openWorkshop();
      emulator.troubles.plan(trouble, trouble);
      await client.write(SHEET1, cell('x'), write);
      expect(book.rows('Sheet1')).toEqual([['x']]);
      expect(client.calls()).toEqual({ reads: 0, writes: 3 });
    },
  );

  test('is asked for six times, the waits doubling, and then the service does not answer', async () => {
    const { client, clock, emulator } = await openWorkshop();
    emulator.troubles.plan(503, 503, 503, 503, 503, 503, 503);
    await expect(client.read(SHEET1, signal)).rejects.toMatchObject({
      key: 'sheet_unavailable.no_answer',
      params: {},
    });
    expect(clock.slept).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
    expect(emulator.troubles.waiting()).toBe(1);
  });

  test('that takes longer than its deadline is asked for again', async () => {
    const { client, emulator } = await openWorkshop({ adapter: { deadlineMs: 200 } });
    emulator.troubles.plan('hang');
    expect((await readAll(client, SHEET1, signal)).rows).toEqual([]);
    expect(client.calls()).toEqual({ reads: 2, writes: 0 });
  });

  test('that is slow is waited for', async () => {
    const { client, clock, emulator } = await openWorkshop();
    emulator.troubles.plan({ slow: 30_000 });
    expect((await readAll(client, SHEET1, signal)).rows).toEqual([]);
    expect(clock.slept).toEqual([30_000]);
    expect(client.calls()).toEqual({ reads: 1, writes: 0 });
  });

  test('is not asked for again when the caller has gone', async () => {
    const { client, emulator } = await openWorkshop({ adapter: { deadlineMs: 60_000 } });
    emulator.troubles.plan('hang');
    const gone = new AbortController();
    const reading = client.read(SHEET1, gone.signal);
    await expect.poll(() => emulator.calls.length).toBe(1);
    gone.abort(new Error('gone'));
    await expect(reading).rejects.toThrow('gone');
    expect(client.calls()).toEqual({ reads: 1, writes: 0 });
  });

  test('is nothing asked at all of a caller that has gone before', async () => {
    const { client } = await openWorkshop();
    await expect(client.read(SHEET1, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(client.calls()).toEqual({ reads: 0, writes: 0 });
  });
});

describe('the quota of a minute', () => {
  test('is waited for until the next minute begins', async () => {
    const { client, clock } = await openWorkshop();
    for (let call = 0; call < 61; call++) await client.read(SHEET1, signal);
    expect(clock.slept).toHaveLength(1);
    expect(clock.now() % 60_000).toBe(1_000);
    expect(client.calls()).toEqual({ reads: 62, writes: 0 });
  });

  test('counts reads and writes apart', async () => {
    const { client, clock } = await openWorkshop();
    for (let call = 0; call < 60; call++) {
      await client.read(SHEET1, signal);
      await client.write(SHEET1, cell(`${call}`), write);
    }
    expect(clock.slept).toEqual([]);
  });

  test('that never comes back is given up after a quarter of an hour', async () => {
    const { client, clock, emulator } = await openWorkshop({ peer: { quota: { read: 0 } } });
    const before = clock.now();
    await expect(client.read(SHEET1, signal)).rejects.toMatchObject({ key: 'sheet_unavailable.no_answer' });
    expect(emulator.calls).toHaveLength(16);
    expect(clock.now() - before).toBeLessThanOrEqual(16 * 60_000);
  });
});

describe('whatever goes wrong', () => {
  test('what was written is there, once, for every one of 25 courses of trouble', async () => {
    for (let seed = 1; seed <= 25; seed++) {
      const { client, book } = await openWorkshop({
        tabs: [{ title: 'Sheet1', rowCount: 3 }],
        peer: { troubles: { rate: 0.25, seed } },
      });
      const expected: (string | number)[][] = [];
      for (let batch = 0; batch < 4; batch++) {
        const rows = [0, 1, 2].map((row) => [`SKU-${batch * 3 + row}`, row]);
        const cells = rows.map((values, index) => ({ row: batch * 3 + index + 1, column: 0, values }));
        await client.write(SHEET1, cells, { key: `batch ${batch}`, signal });
        expected.push(...rows);
      }
      expect((await readAll(client, SHEET1, signal)).rows, `seed ${seed}`).toEqual(expected);
      expect(book.grid('Sheet1'), `seed ${seed}`).toEqual({ rows: 12, columns: 26 });
    }
  });

  test('a large write arrives whole in a tab without remains, for every one of 6 courses of trouble', async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => [`SKU-${index}`, 'x'.repeat(3_000)]);
    for (let seed = 1; seed <= 6; seed++) {
      const { client, book } = await openWorkshop({ peer: { troubles: { rate: 0.4, seed } } });
      const cells = rows.map((values, index) => ({ row: index + 1, column: 0, values }));
      await client.write(SHEET1, cells, { key: 'large', signal });
      expect(book.tabs(), `seed ${seed}`).toEqual(['Sheet1']);
      expect(book.rows('Sheet1'), `seed ${seed}`).toEqual(rows);
    }
  });
});

test('an answer that is no answer of the API is none', async () => {
  const { open } = await openWorkshop({
    adapter: {
      fetch: async () => new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } }),
    },
  });
  await expect((await open()).read(SHEET1, signal)).rejects.toMatchObject({
    key: 'sheet_unavailable.no_answer',
  });
});

test('a way to another place is not followed: the token would go along', async () => {
  const asked: string[] = [];
  const { open } = await openWorkshop({
    adapter: {
      fetch: async (input, init) => {
        asked.push(`${init?.redirect} ${new URL(String(input)).pathname}`);
        return new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } });
      },
    },
  });
  await expect((await open()).describe(signal)).rejects.toMatchObject({ key: 'sheet_unavailable.no_answer' });
  expect(new Set(asked)).toEqual(new Set(['manual /v4/spreadsheets/book']));
});
