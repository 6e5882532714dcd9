import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Ask, Question, Reply } from '../../src/ai/model.ts';
import { findPrice, LIST_PRICES, UNKNOWN_PRICE } from '../../src/ai/prices.ts';
import { entryOf, PROVIDER_IDS } from '../../src/ai/providers.ts';
import {
  countingTokens,
  createSpending,
  type Payer,
  type Spending,
  type SpendingNotice,
} from '../../src/ai/spending.ts';
import { newAccount } from '../quota/workshop.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let payer: Payer;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await settled();
  await database.reset();
  payer = { accountId: await newAccount(database.sql), via: 'session' };
});

/** A token in costs a millionth of a dollar, and one out ten: 1,000 tokens out are a cent. */
const prices = { even: [0.8, 10] } as const;

function open({ server = 1, account = Number.POSITIVE_INFINITY } = {}) {
  const notices: SpendingNotice[] = [];
  const state = { now: Date.UTC(2026, 10, 21, 12) };
  const spending = createSpending({
    sql: database.sql,
    budgets: { server, account },
    prices,
    notify: (notice) => notices.push(notice),
    now: () => state.now,
  });
  opened.push(spending);
  return { spending, notices, state };
}

const opened: Spending[] = [];
/** Costs are written while the answer is already on its way. */
const settled = () => Promise.all(opened.map((spending) => spending.settled()));

/** A request that can cost 0.1 dollars for the answer, and 0.001 for the prompt of no text. */
const question: Question = {
  model: 'even',
  instructions: '',
  messages: [],
  maxTokens: 10_000,
  form: { is: 'text' },
  signal: new AbortController().signal,
  onText: () => {},
};
const WORST = 0.101;

const answered = (output: number | undefined): Reply => ({
  state: 'answered',
  text: 'x'.repeat(40),
  end: 'done',
  model: 'even',
  tokens: output === undefined ? undefined : { input: 1000, output },
});
const failed = (unbilled?: boolean): Reply => ({
  state: 'failed',
  failure: { is: 'down', about: 'gone', unbilled },
});

/** Dollars that the server and the account have used of the day. */
async function used(accountId = payer.accountId) {
  await settled();
  const [row] = await database.sql`
    select (select coalesce(sum(used), 0)::float8 from ai_days) / 1e9 as server,
      (select coalesce(sum(used), 0)::float8 from ai_account_days where account_id = ${accountId}) / 1e9 as account`;
  return row;
}

test('while a request runs its worst case is counted, then what it cost', async () => {
  const { spending } = open();
  const during: unknown[] = [];
  const ask: Ask = async () => {
    during.push(await used());
    return answered(500);
  };
  expect(await spending.meter(payer)(ask)(question)).toEqual(answered(500));
  expect(during).toEqual([{ server: WORST, account: WORST }]);
  expect(await used()).toEqual({ server: 0.006, account: 0.006 });
});

test('the prompt counts by its bytes, which are never fewer than its tokens', async () => {
  const { spending } = open();
  const messages = [{ role: 'user', text: 'ñ'.repeat(500) }] as const;
  const form = { is: 'schema', name: 'answer', schema: { type: 'object' } } as const;
  let during: unknown;
  const ask: Ask = async () => {
    during = await used();
    return failed(true);
  };
  await spending.meter(payer)(ask)({ ...question, instructions: 'abc', messages, form });
  const bytes = 3 + 1000 + JSON.stringify(form.schema).length;
  expect(during).toMatchObject({ server: WORST + bytes / 1e6 });
});

test.each([
  ['an error instead of an answer costs nothing', failed(true), false, 0],
  ['a connection that broke counts as the worst case', failed(), false, WORST],
  ['an error after some text counts as the worst case', failed(true), true, WORST],
  ['an answer without a token count counts as the worst case', answered(undefined), true, WORST],
  ['an answer whose tokens were not counted counts as the worst case', answered(0), true, WORST],
  ['an answer longer than was allowed counts as what it cost', answered(50_000), true, 0.501],
])('%s', async (_what, reply, streams, cost) => {
  const { spending } = open();
  const ask: Ask = async ({ onText }) => {
    if (streams) onText?.('text');
    return reply;
  };
  await spending.meter(payer)(ask)(question);
  expect(await used()).toEqual({ server: cost, account: cost });
});

test('a model without a price counts as a dear one; a dated name has the price of its model', async () => {
  const { spending } = open({ server: 10 });
  const ask: Ask = async () => answered(1000);
  await spending.meter(payer)(ask)({ ...question, model: 'nobody-knows' });
  expect(await used()).toMatchObject({ server: (1.25 * 30 * 1000 + 180 * 1000) / 1e6 });
  expect(findPrice(LIST_PRICES, 'claude-haiku-4-5-20251001')).toEqual([1, 5]);
  expect(findPrice(LIST_PRICES, 'gpt-4o-2024-08-06')).toEqual([2.5, 10]);
  expect(findPrice(LIST_PRICES, 'constructor')).toBeUndefined();
  const dearest = Object.values(LIST_PRICES).every(
    ([input, output]) => input <= UNKNOWN_PRICE[0] && output <= UNKNOWN_PRICE[1],
  );
  expect(dearest).toBe(true);
  const unpriced = PROVIDER_IDS.map((id) => entryOf(id).model).filter(
    (model) => !findPrice(LIST_PRICES, model),
  );
  expect(unpriced, 'default models without a price: add it to LIST_PRICES in src/ai/prices.ts').toEqual([]);
});

test('fifty requests at once through two nodes never exceed the server’s ceiling', async () => {
  const [one, two] = [open({ server: 0.5 }), open({ server: 0.5 })];
  let asked = 0;
  let free = () => {};
  const allAsked = new Promise<void>((resolve) => {
    free = resolve;
  });
  const ask: Ask = async () => {
    asked++;
    await allAsked;
    return answered(10_000);
  };
  const calls = Array.from({ length: 50 }, (_, nth) =>
    (nth % 2 === 0 ? one : two).spending
      .meter(payer)(ask)(question)
      .then(
        () => 'answered',
        (fault: { key: string }) => fault.key,
      ),
  );
  // Those that are refused end while the others wait.
  await expect.poll(() => asked).toBe(4);
  await Promise.all(calls.map((call) => Promise.race([call, Promise.resolve()])));
  free();
  const ends = await Promise.all(calls);
  expect(ends.filter((end) => end === 'answered')).toHaveLength(4);
  expect(ends.filter((end) => end === 'ai_budget_exhausted.server')).toHaveLength(46);
  expect(await used()).toEqual({ server: 0.404, account: 0.404 });
});

test('the account’s ceiling says when it resets, and leaves the server’s to others', async () => {
  const { spending } = open({ account: 0.15 });
  const ask: Ask = async () => answered(10_000);
  await spending.meter(payer)(ask)(question);
  await expect(spending.meter(payer)(ask)(question)).rejects.toMatchObject({
    key: 'ai_budget_exhausted.account',
    status: 402,
    params: { limit: 0.15, resets: '2026-11-22T00:00:00.000Z' },
    data: { resets_at: '2026-11-22T00:00:00.000Z' },
  });
  const other: Payer = { accountId: await newAccount(database.sql), via: 'api_key' };
  await spending.meter(other)(ask)(question);
});

test('anonymous callers share one account; the local owner has the server’s ceiling alone', async () => {
  const { spending } = open({ server: 0.3, account: 0.15 });
  const ask: Ask = async () => answered(10_000);
  const anonymous: Payer = { ...payer, via: 'anonymous' };
  await spending.meter(anonymous)(ask)(question);
  await expect(spending.meter(anonymous)(ask)(question)).rejects.toMatchObject({
    key: 'ai_budget_exhausted.anonymous',
  });
  const local: Payer = { accountId: await newAccount(database.sql), via: 'local' };
  await spending.meter(local)(ask)(question);
  await expect(spending.meter(local)(ask)(question)).rejects.toMatchObject({
    key: 'ai_budget_exhausted.server',
  });
});

test('80 and 100 percent are told once a day each, to the operator and to the account', async () => {
  const { spending, notices, state } = open({ server: 0.3, account: 0.15 });
  const ask: Ask = async () => answered(9_000);
  const day = '2026-11-21';
  const once = () =>
    spending
      .meter(payer)(ask)(question)
      .catch(() => {})
      .then(settled);
  await once();
  expect(notices).toEqual([]);
  await once();
  expect(notices).toEqual([{ percent: 100, accountId: payer.accountId, limit: 0.15, day }]);
  await once();
  payer = { accountId: await newAccount(database.sql), via: 'session' };
  const dear: Ask = async () => answered(14_000);
  await spending.meter(payer)(dear)(question);
  await once();
  expect(notices.slice(1)).toEqual([
    { percent: 80, accountId: payer.accountId, limit: 0.15, day },
    { percent: 100, accountId: payer.accountId, limit: 0.15, day },
  ]);
  payer = { accountId: await newAccount(database.sql), via: 'local' };
  await spending.meter(payer)(async () => answered(1500))({ ...question, maxTokens: 2000 });
  await settled();
  expect(notices.slice(3)).toEqual([{ percent: 80, accountId: undefined, limit: 0.3, day }]);
  await once();
  await once();
  expect(notices.slice(4)).toEqual([{ percent: 100, accountId: undefined, limit: 0.3, day }]);
  state.now = Date.UTC(2026, 10, 22);
  await once();
  expect(notices).toHaveLength(5);
});

test('what a dead process left reserved counts until the day ends; the next day begins at nothing', async () => {
  const { spending, state } = open({ server: 0.15 });
  void spending.meter(payer)(() => new Promise<Reply>(() => {}))(question);
  await expect.poll(() => used()).toMatchObject({ server: WORST });
  await spending.sweep();
  const ask: Ask = async () => answered(100);
  await expect(spending.meter(payer)(ask)(question)).rejects.toMatchObject({ code: 'ai_budget_exhausted' });
  state.now = Date.UTC(2026, 10, 22);
  await spending.meter(payer)(ask)(question);
  state.now = Date.UTC(2027, 2, 1);
  await spending.sweep();
  expect(await used()).toEqual({ server: 0, account: 0 });
});

test('a request that began before midnight is settled in its day', async () => {
  const { spending, state } = open({ server: 0.15 });
  await spending.meter(payer)(async () => {
    state.now = Date.UTC(2026, 10, 22);
    return answered(1000);
  })(question);
  await settled();
  expect(await database.sql`select day::text, used::float8 from ai_days`).toEqual([
    { day: '2026-11-21', used: 11_000_000 },
  ]);
});

test('an account that is deleted while its request runs leaves what it spent with the server', async () => {
  const { spending } = open();
  await spending.meter(payer)(async () => {
    await database.sql`delete from accounts where id = ${payer.accountId}`;
    return answered(1000);
  })(question);
  expect(await used()).toEqual({ server: 0.011, account: 0 });
});

test('without a ceiling nothing is counted', async () => {
  const { spending } = open({ server: Number.POSITIVE_INFINITY });
  await spending.meter(payer)(async () => answered(10_000))(question);
  expect(await used()).toEqual({ server: 0, account: 0 });
});

test.each([
  ['as the provider counts them', answered(500), '', 500],
  ['estimated from the text without a count', answered(undefined), '', 10],
  ['estimated from the text where none of it was counted', answered(0), '', 10],
  ['estimated from what came before a failure', failed(), 'x'.repeat(41), 11],
  ['none for an error', failed(true), '', 0],
])('output tokens are reported %s', async (_how, reply, streamed, tokens) => {
  const counted: number[] = [];
  const ask: Ask = async ({ onText }) => {
    onText?.(streamed);
    return reply;
  };
  await countingTokens(ask, (output) => counted.push(output))(question);
  expect(counted).toEqual([tokens]);
});
