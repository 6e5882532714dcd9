import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Generation } from '../../../src/hooks/history/generation-repo.ts';
import { createHistoryExport, HISTORY_FORMATS } from '../../../src/hooks/history/history-export.ts';
import type { HistoryFormat } from '../../../src/hooks/history/history-format.ts';
import { newBareCaller, openTestApp, type TestApp } from '../../support/app.ts';
import { givePlan } from '../../support/plans.ts';
import { samples } from '../../support/samples.ts';
import { storeGeneration } from '../stored-generation.ts';

const hook: Generation['hooks'][number] = {
  ...{
    id: 'hook_1',
    text: 'Your sourdough is not flat.\nYour fridge is cold.',
    style: 'contrarian',
    score: 81,
  },
  ...{ why: 'It says "no".', pattern: 'not this, but that', chars: 48, seconds: 2.6 },
  ...{ flags: ['emoji', 'url'], copied: true, used: false, winner: null, metric: 1200.5 },
  rated_at: '2026-11-21T12:00:00.000Z',
};
const bread: Generation = {
  ...{ id: 'gen_1', topic: 'Pan, masa "madre"', platform: 'tiktok', language: 'es', provider: 'provider_b' },
  ...{ model: null, requested: 3, usage: null, date: '2026-11-21T11:22:33.000Z', hooks: [hook] },
};

const free = { requireFeature: async () => {} };
const files = (generations: readonly Generation[], maxBytes?: number) =>
  createHistoryExport({
    history: {
      get: async () => bread,
      async *all() {
        yield* generations;
      },
    },
    entitlements: free,
    now: () => Date.parse('2026-11-21T23:59:00Z'),
    ...(maxBytes !== undefined && { maxBytes }),
  });
const textOf = async (format: HistoryFormat, generations: readonly Generation[]) =>
  Buffer.from((await files(generations).export('acc_1', { format })).bytes).toString();

describe('the file is', () => {
  test('csv: a row a hook, with the mark by which spreadsheet programs know UTF-8', async () => {
    expect(await textOf('csv', [bread])).toBe(
      '\uFEFFdate,topic,platform,language,provider,model,generation_id,index,hook,style,score,why,pattern,chars,seconds,flags,copied,used,winner,metric\r\n' +
        '2026-11-21T11:22:33.000Z,"Pan, masa ""madre""",tiktok,es,provider_b,,gen_1,0,"Your sourdough is not flat.\nYour fridge is cold.",contrarian,81,"It says ""no"".","not this, but that",48,2.6,emoji url,true,false,,1200.5\r\n',
    );
  });

  test('json, all there is', async () => {
    expect(JSON.parse(await textOf('json', [bread, bread]))).toEqual({
      format: 'stallhand-hooks',
      version: 1,
      generations: [bread, bread],
    });
  });

  test('text to read', async () => {
    expect(await textOf('txt', [bread, { ...bread, topic: 'Lease', platform: null, hooks: [] }])).toBe(
      'Pan, masa "madre"\n2026-11-21 11:22 UTC · tiktok · es · provider_b\n\n' +
        '1. Your sourdough is not flat. Your fridge is cold. (contrarian)\n\n' +
        'Lease\n2026-11-21 11:22 UTC · es · provider_b\n\n',
    );
  });

  test.each([
    ['csv', 'text/csv; charset=utf-8', 188],
    ['json', 'application/json', 59],
    ['txt', 'text/plain; charset=utf-8', 0],
  ] as const)('named by day and of its type, also as %s of nothing', async (format, mediaType, length) => {
    const file = await files([]).export('acc_1', { format });
    expect([file.filename, file.mediaType]).toEqual([`hooks-2026-11-21.${format}`, mediaType]);
    expect(Buffer.from(file.bytes).toString().length > 0).toBe(length > 0);
  });

  test.each([
    ['Pan de masa madre: ¿qué?', 'pan-de-masa-madre-que.txt'],
    ['../../etc/passwd"\r\nX: y', 'etc-passwd-x-y.txt'],
    ['🥖', 'hooks.txt'],
    ['x'.repeat(500), `${'x'.repeat(60)}.txt`],
  ])('named after the topic %j when it is of one generation', async (topic, filename) => {
    const { download } = createHistoryExport({
      history: { get: async () => ({ ...bread, topic }), all: () => expect.unreachable() },
      entitlements: free,
    });
    expect((await download('acc_1', 'gen_1', 'txt')).filename).toBe(filename);
  });
});

describe('what a spreadsheet would take for a formula', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', '=HYPERLINK("http://x","y")'])(
    '%j begins with an apostrophe',
    async (text) => {
      const [, row] = cells(
        await textOf('csv', [{ ...bread, topic: text, hooks: [{ ...hook, text, why: text }] }]),
      );
      expect([row?.[1], row?.[8], row?.[11]]).toEqual([`'${text}`, `'${text}`, `'${text}`]);
    },
  );

  test('is nowhere, whatever was written, and nothing else is changed', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', "'", 'a', ' '),
      }),
    );
    await fc.assert(
      fc.asyncProperty(text, text, async (topic, said) => {
        const csv = await textOf('csv', [{ ...bread, topic, hooks: [{ ...hook, text: said }] }]);
        const [head, row] = cells(csv);
        expect(row).toHaveLength(head?.length ?? 0);
        expect(row?.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
        expect([row?.[1]?.replace(/^'/, ''), row?.[8]?.replace(/^'/, '')]).toEqual([
          topic.replace(/^'/, ''),
          said.replace(/^'/, ''),
        ]);
      }),
      { numRuns: samples(300) },
    );
  });
});

test('a file that would be too large is refused, and says how to get a smaller one', async () => {
  const piece = Buffer.byteLength(HISTORY_FORMATS.txt.write(bread, 1));
  const most = { format: 'txt' } as const;
  await expect(files([bread], piece).export('acc_1', most)).resolves.toMatchObject({ mediaType: /^text/ });
  await expect(files([bread, bread], piece).export('acc_1', most)).rejects.toMatchObject({
    key: 'too_large.history',
  });
});

describe('from the database', () => {
  let app: TestApp;
  let accountId: string;
  beforeAll(async () => {
    app = await openTestApp();
    ({ accountId } = await newBareCaller(app));
    await givePlan(app, accountId, 'pro');
  });
  afterAll(() => app.close());

  const topicsOf = async (filter: object) => {
    const { bytes } = await app.hooks.historyExport.export(accountId, { format: 'json', ...filter });
    const { generations } = JSON.parse(Buffer.from(bytes).toString()) as { generations: Generation[] };
    return generations.map(({ topic }) => topic);
  };

  test('every generation of many pages is there once, the latest first', async () => {
    const { sql } = app.database;
    await sql`
      insert into generations (id, account_id, actor, topic, provider, requested, created_at)
      select 'gen_' || nth, ${accountId}, 'test', 'topic ' || nth, 'builtin', 3, '2026-01-01T00:00:00Z'
      from generate_series(1, 1203) nth order by nth`;
    expect(await topicsOf({})).toEqual(Array.from({ length: 1203 }, (_, nth) => `topic ${1203 - nth}`));
  });

  test('those of the days asked for, the first and the last included', async () => {
    const { sql } = app.database;
    const at = async (topic: string, moment: string) => {
      const id = await storeGeneration(app, accountId, { topic });
      await sql`update generations set created_at = ${moment} where account_id = ${accountId} and id = ${id}`;
    };
    await at('before', '2026-03-09T23:59:59.999Z');
    await at('first', '2026-03-10T00:00:00Z');
    await at('last', '2026-03-11T23:59:59.999Z');
    await at('after', '2026-03-12T00:00:00Z');
    expect(await topicsOf({ since: '2026-03-10', until: '2026-03-11' })).toEqual(['last', 'first']);
    expect(await topicsOf({ since: '2026-03-11' })).toEqual(['after', 'last']);
    expect(await topicsOf({ since: '0000-01-01', until: '9999-12-31', q: 'FIRST' })).toEqual(['first']);
  });
});

/** Reads csv as RFC 4180 has it. */
function cells(csv: string): string[][] {
  const rows: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const text = csv.replace(/^\uFEFF/, '');
  let row: string[] = [];
  for (let match = field.exec(text); match; match = field.exec(text)) {
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] !== ',') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}
