import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Quota } from '../../src/quota/quota.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { samples } from '../support/samples.ts';
import { createModel, type Model } from './model.ts';
import { booksOf, codeOf, newAccount, openQuota } from './workshop.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

type Action =
  | { readonly do: 'reserve'; readonly units: number; readonly key?: string | undefined }
  // Of all reservations made so far, the one at this place, counted around; ended ones too.
  | { readonly do: 'settle'; readonly which: number; readonly delivered: number }
  | { readonly do: 'grant' | 'take back'; readonly credits: number; readonly source: string }
  | { readonly do: 'plan'; readonly limit: number }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'next month' }
  | { readonly do: 'sweep' };

const which = fc.nat(30);
const credits = fc.integer({ min: 1, max: 20 });
const source = fc.constantFrom('a', 'b', 'c');
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('reserve'),
      units: fc.integer({ min: 1, max: 10 }),
      key: fc.option(fc.constantFrom('k', 'l', 'm'), { nil: undefined }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('settle'), which, delivered: fc.integer({ min: -1, max: 12 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('grant', 'take back'), credits, source }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('plan'), limit: fc.constantFrom(-1, 0, 8, 30) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait'), seconds: fc.constantFrom(1, 60, 119, 120, 600) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('next month') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep') }) },
);

type Bench = {
  readonly accountId: string;
  readonly quota: Quota;
  readonly model: Model;
  readonly state: { now: number; limit: number };
  readonly ids: string[];
};

/** Does one thing to both and sees that they answer alike. */
async function step({ accountId, quota, model, state, ids }: Bench, action: Action): Promise<void> {
  const place = 'which' in action && ids.length > 0 ? action.which % ids.length : 0;
  const id = ids[place] ?? 'res_none';
  switch (action.do) {
    case 'reserve': {
      const made = await quota.reserve(accountId, action).catch(() => undefined);
      const expected = model.reserve(action.units, action.key);
      expect(made?.granted).toBe(expected?.granted);
      if (made && expected && ids[expected.place] === undefined) ids.push(made.id);
      if (made && expected) expect(made.id).toBe(ids[expected.place]);
      return;
    }
    case 'settle':
      expect(await quota.settle(accountId, id, action.delivered)).toBe(model.settle(place, action.delivered));
      return;
    case 'grant':
      expect(await quota.grantCredits(accountId, action)).toBe(model.grant(action.credits, action.source));
      return;
    case 'take back':
      expect(await quota.takeBackCredits(accountId, action)).toBe(
        model.takeBack(action.credits, action.source),
      );
      return;
    case 'sweep':
      await quota.sweep();
      return model.sweep();
    default:
      move(state, action);
  }
}

function move(
  state: { now: number; limit: number },
  action: Extract<Action, { do: 'plan' | 'wait' | 'next month' }>,
): void {
  if (action.do === 'plan') state.limit = action.limit;
  else if (action.do === 'wait') state.now += action.seconds * 1000;
  else state.now = Date.UTC(new Date(state.now).getUTCFullYear(), new Date(state.now).getUTCMonth() + 1);
}

test('whatever happens in whatever order: the answers are those of plain counting, and the ledger sums to the balances', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      const accountId = await newAccount(database.sql);
      const { quota, state } = openQuota(database.sql, { limit: 8 });
      const model = createModel(state);
      const bench = { accountId, quota, model, state, ids: [] };
      for (const one of actions) {
        await step(bench, one);
        expect(await booksOf(database.sql, accountId)).toEqual(model.books());
      }
    }),
    { numRuns: samples(200) },
  );
});

test('all at once: the ledger sums to the balances, nothing is overspent, nothing goes below zero', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 60 }), async (actions) => {
      const accountId = await newAccount(database.sql);
      const { quota, state } = openQuota(database.sql, { limit: 8 });
      const first = await quota.reserve(accountId, { units: 3 });
      const second = await quota.reserve(accountId, { units: 3 });
      await Promise.all(actions.map((one) => attempt(one, [first.id, second.id])));
      const { credits, used } = await booksOf(database.sql, accountId);
      expect(credits).toBeGreaterThanOrEqual(0);
      for (const units of Object.values(used)) expect(units).toBeLessThanOrEqual(8);

      async function attempt(action: Action, ids: string[]): Promise<void> {
        if (action.do === 'reserve') await codeOf(quota.reserve(accountId, action));
        if (action.do === 'settle')
          await quota.settle(accountId, ids[action.which % 2] ?? '', action.delivered);
        if (action.do === 'grant') await quota.grantCredits(accountId, action);
        if (action.do === 'take back') await quota.takeBackCredits(accountId, action);
        if (action.do === 'sweep') await quota.sweep();
        if (action.do === 'wait') state.now += action.seconds * 1000;
      }
    }),
    { numRuns: samples(60) },
  );
});
