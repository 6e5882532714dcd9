import { BILLED_APPS, HOOKS_PLANS, SYNC_PLANS } from '../../../src/plans.ts';
import { RATES } from '../../../src/platform/rates.ts';
import { Refusal, UsageError } from '../command.ts';
import { readExpiry, readScopes } from '../key-commands.ts';
import { oneOf, type Verb } from './verb.ts';

const PLANS = {
  hooks: Object.keys(HOOKS_PLANS).filter((plan) => plan !== 'free'),
  sync: Object.keys(SYNC_PLANS).filter((plan) => plan !== 'free'),
};

/** Accounts, their people and keys, their plans and their usage. */
export const accountVerbs: readonly Verb[] = [
  {
    words: 'accounts list',
    takes: '[--query TEXT]',
    does: 'List accounts, newest first. --query searches IDs, names and addresses of people.',
    options: ['query'],
    run: ({ app, option, limit }) => app.operator.listAccounts({ query: option('query') ?? null, limit }),
  },
  {
    words: 'accounts show',
    takes: 'ACCOUNT',
    does: 'Show an account: owners, plans, contents and usage this month.',
    operands: 1,
    async run({ app, operand }) {
      const account = await app.operator.account(operand(0));
      const { hooks, sync } = await app.entitlements.of(account.id);
      const { hooks_used, hooks_limit, credits } = await app.quota.usage(account.id);
      return { ...account, plans: { hooks: hooks.plan, sync: sync.plan }, hooks_used, hooks_limit, credits };
    },
  },
  {
    words: 'accounts plan',
    takes: `ACCOUNT --app hooks|sync --plan ${[...new Set(Object.values(PLANS).flat())].join('|')}|none [--days 30]`,
    does: 'Give an account a plan without payment, for a number of days, or until you withdraw it with --plan none. A paid plan stays.',
    options: ['app', 'plan', 'days'],
    operands: 1,
    async run({ app: { operator, entitlements }, operand, option }) {
      const account = operand(0);
      const app = oneOf('--app', BILLED_APPS, option('app') ?? '');
      const plan = oneOf('--plan', [...PLANS[app], 'none'], option('plan') ?? '');
      const endsAt = readExpiry(option('days'));
      if (plan === 'none' && endsAt !== null)
        throw new UsageError('--plan none takes the plan back immediately. Leave out --days.');
      if (plan === 'none') await operator.takeBackPlan(account, app);
      else await operator.givePlan(account, app, plan, endsAt);
      return { account, app, plan: (await entitlements.of(account))[app].plan, ends_at: endsAt };
    },
  },
  {
    words: 'accounts close',
    takes: 'ACCOUNT',
    does: 'Delete an account as its owner would: everything in it stops, and after 14 days it is deleted permanently.',
    operands: 1,
    run: async ({ app, operand }) => ({
      account: operand(0),
      can_be_reopened_until: await app.operator.close(operand(0)),
    }),
  },
  {
    words: 'accounts reopen',
    takes: 'ACCOUNT',
    does: 'Restore a deleted account. Work that was canceled stays canceled.',
    operands: 1,
    async run({ app, operand }) {
      await app.operator.reopen(operand(0));
      return { account: operand(0), reopened: true };
    },
  },
  {
    words: 'users sign-out',
    takes: 'EMAIL',
    does: 'Sign a person out of every browser and account.',
    operands: 1,
    async run({ app, operand }) {
      if (!(await app.operator.signOut(operand(0))))
        throw new Refusal(`No one has the address ${operand(0)}.`);
      return { email: operand(0), signed_out: true };
    },
  },
  {
    words: 'keys list',
    takes: '[--account ACCOUNT]',
    does: 'List API keys, including those that accounts created. Secrets are never shown.',
    options: ['account'],
    async run({ app, option, limit }) {
      const keys = await app.operator.listKeys();
      const account = option('account');
      return keys
        .filter(({ account_id }) => account === undefined || account_id === account)
        .slice(0, limit)
        .map(({ id, account_id, name, mask, origin, scopes, last_used_at, expires_at }) => ({
          ...{ id, account_id, name, mask, origin, last_used_at, expires_at, scopes },
        }));
    },
  },
  {
    words: 'keys create',
    takes: 'NAME [--account ACCOUNT] [--scopes templates:read,templates:render] [--days 90]',
    does: "Create an API key, with all scopes and no expiry unless you say so. Without --account, in the local owner's account.",
    options: ['account', 'scopes', 'days'],
    operands: 1,
    async run({ app, operand, option }) {
      const name = operand(0);
      if (!name.isWellFormed() || name.includes('\0'))
        throw new UsageError('The key name contains characters that are not valid text.');
      const scopes = readScopes(option('scopes'));
      const expiresAt = readExpiry(option('days'));
      const accountId = option('account') ?? (await app.accounts.local()).id;
      const { id, key } = await app.operator.createKey({ accountId, name, scopes, expiresAt });
      return { key, id, account_id: accountId, note: 'This key is shown only once. Store it safely.' };
    },
  },
  {
    words: 'keys revoke',
    takes: 'KEY',
    does: 'Revoke an API key by its ID, and the keys created with it. It stops working immediately.',
    operands: 1,
    async run({ app, operand }) {
      if (!(await app.operator.revokeKey(operand(0)))) throw new Refusal(`No key has the ID ${operand(0)}.`);
      return { id: operand(0), revoked: true };
    },
  },
  {
    words: 'usage',
    takes: '[--month 2026-11] [--account ACCOUNT]',
    does: 'Show what accounts used in a month: hooks, videos, sync runs, and US dollars of AI with your keys.',
    options: ['month', 'account'],
    async run({ app, option, limit }) {
      const month = option('month') ?? new Date().toISOString().slice(0, 7);
      if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
        throw new UsageError('--month must be a month such as 2026-11.');
      return app.operator.listUsage({ month, accountId: option('account') ?? null, limit });
    },
  },
  {
    words: 'limits',
    takes: '[--account ACCOUNT]',
    does: "Show how often an account may call, by kind of call; with --account, its plans' limits and how much is used.",
    options: ['account'],
    async run({ app, config, option }) {
      const account = option('account');
      if (account === undefined)
        return Object.entries({ ...RATES, ...config.rateLimits }).map(([name, rate]) => ({
          name,
          per_minute: Math.round(rate.perSecond * 60),
          at_once: rate.burst,
        }));
      await app.accounts.get(account);
      const [hooks, sync] = await Promise.all([app.quota.usage(account), app.sync.usage(account)]);
      return { account, hooks, sync };
    },
  },
];
