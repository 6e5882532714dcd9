import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Ask, Question, Reply } from './model.ts';
import { findPrice, type Price, type Prices, UNKNOWN_PRICE } from './prices.ts';
import { createSpendingQueue } from './spending-queue.ts';
import * as spendingRepo from './spending-repo.ts';

/** Who causes a call with the server's key. */
export type Payer = {
  readonly accountId: string;
  readonly via: 'local' | 'api_key' | 'session' | 'oidc' | 'oauth' | 'anonymous';
  /** The account made the API key itself; without this, the operator did. */
  readonly byPlan?: true;
};

/** A ceiling is nearly reached (80 percent), or has refused a call (100). Sent once a day for each. */
export type SpendingNotice = {
  readonly percent: 80 | 100;
  /** Undefined: the ceiling of the whole server. */
  readonly accountId: string | undefined;
  /** US dollars. */
  readonly limit: number;
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
};

/**
 * The ceilings of a UTC day for what calls with the server's keys cost.
 *
 * In: an adapter's `ask`. Out: the same, which reserves the worst case in the database before each request (the first, its
 * retries, corrections and plainer forms alike) and replaces it with the cost of the tokens the provider reports.
 *
 * Invariant: the day's sum in the database is never less than what was spent, and never above a ceiling. What may have been
 * spent counts as spent: a request that broke off, an answer without a token count, a process that was killed.
 */
export type Spending = {
  meter(payer: Payer): (ask: Ask) => Ask;
  /** Writes the costs of all requests that have ended to the database, which otherwise happens within a second. */
  settled(): Promise<void>;
  /** Deletes old days. */
  sweep(): Promise<void>;
};

type SpendingDeps = {
  readonly sql: Sql;
  /** US dollars a day; Infinity is no ceiling. The local owner has only the server's. */
  readonly budgets: { readonly server: number; readonly account: number };
  readonly prices: Prices;
  /** Never delays or fails a call. */
  readonly notify: (notice: SpendingNotice) => void;
  readonly now?: () => number;
};

const DAY_MS = 86_400_000;
const KEPT_DAYS = 90;
const WARN_PART = 0.8;

export function createSpending({ sql, budgets, prices, notify, now = Date.now }: SpendingDeps): Spending {
  const hasCeiling = Number.isFinite(budgets.server) || Number.isFinite(budgets.account);
  const queue = createSpendingQueue(sql);
  const dayAt = (at: number) => new Date(at).toISOString().slice(0, 10);

  function meter(payer: Payer) {
    const { accountId } = payer;
    const limits = {
      server: toNanos(budgets.server),
      account: payer.via === 'local' ? null : toNanos(budgets.account),
    };
    const warnAt = { server: partOf(limits.server), account: partOf(limits.account) };

    async function reserve(day: string, amount: number): Promise<void> {
      const { refused_by, first } = await queue.change({
        accountId,
        day,
        amount,
        cost: null,
        levels: limits,
      });
      if (!refused_by) return;
      const scope = refused_by === 'server' ? undefined : accountId;
      if (first) notify({ percent: 100, accountId: scope, limit: budgets[refused_by], day });
      throw exhausted(refused_by, payer, budgets.account, day);
    }

    async function settle(day: string, amount: number, cost: number): Promise<void> {
      const warned = await queue.change({ accountId, day, amount, cost, levels: warnAt });
      if (warned.server_warned) notify({ percent: 80, accountId: undefined, limit: budgets.server, day });
      if (warned.account_warned) notify({ percent: 80, accountId, limit: budgets.account, day });
    }

    return (ask: Ask): Ask =>
      async (question) => {
        const price = findPrice(prices, question.model) ?? UNKNOWN_PRICE;
        const reserved = worstCost(question, price);
        // A call belongs to the day it starts in.
        const day = dayAt(now());
        await reserve(day, reserved);
        const { reply, chars } = await askCounted(ask, question);
        // Not waited for: the next reservation comes after it. If this fails, the reserved amount stays counted.
        void settle(day, reserved, costOf(reply, chars > 0, price) ?? reserved).catch(() => {});
        return reply;
      };
  }

  return {
    meter: (payer) => (hasCeiling ? meter(payer) : (ask) => ask),
    settled: queue.flush,
    sweep: () => spendingRepo.deleteDaysBefore(sql, dayAt(now() - KEPT_DAYS * DAY_MS)),
  };
}

/**
 * Reports the output tokens of every answer, also of one that broke off or is not used; estimated from its text when the
 * provider reports none.
 */
export function countingTokens(ask: Ask, onTokens: (output: number) => void): Ask {
  return async (question) => {
    const { reply, chars } = await askCounted(ask, question);
    const text = reply.state === 'answered' ? reply.text.length : chars;
    const reported = reply.state === 'answered' ? reply.tokens?.output : undefined;
    onTokens(reported || Math.ceil(text / CHARS_PER_TOKEN));
    return reply;
  };
}

const CHARS_PER_TOKEN = 4;

/** Asks, and counts the characters that are streamed. */
async function askCounted(ask: Ask, question: Question): Promise<{ reply: Reply; chars: number }> {
  const { onText } = question;
  let chars = 0;
  const counted = (piece: string) => {
    chars += piece.length;
    onText(piece);
  };
  const reply = await ask({ ...question, onText: counted });
  return { reply, chars };
}

/** A token is a byte at least, and providers add a few of their own: about the roles, and about the form. */
const HIDDEN_TOKENS = 1_000;
/** Providers charge this much of the price for input that they also write to their cache. */
const CACHE_WRITE_PART = 1.25;

/** What a request can cost at most, in billionths of a dollar. */
function worstCost({ instructions, messages, form, maxTokens }: Question, price: Price): number {
  const schema = form.is === 'schema' ? JSON.stringify(form.schema) : '';
  const texts = [instructions, schema, ...messages.map(({ text }) => text)];
  const input = texts.reduce((sum, text) => sum + Buffer.byteLength(text), HIDDEN_TOKENS);
  return nanosOf({ input, output: maxTokens }, price);
}

/** Undefined when it is unknown what the provider charges. Every question has tokens: who reports none does not count. */
function costOf(reply: Reply, streamed: boolean, price: Price): number | undefined {
  if (reply.state === 'answered') {
    const { tokens, text } = reply;
    const isCounted = tokens && tokens.input > 0 && (tokens.output > 0 || text === '');
    return isCounted ? nanosOf(tokens, price) : undefined;
  }
  return reply.failure.unbilled && !streamed ? 0 : undefined;
}

/** Dollars per million tokens are thousands of billionths per token. */
function nanosOf(
  { input, output }: { input: number; output: number },
  [inputPrice, outputPrice]: Price,
): number {
  const cost = Math.max(input, 0) * CACHE_WRITE_PART * inputPrice + Math.max(output, 0) * outputPrice;
  return Math.ceil(cost * 1000);
}

function toNanos(dollars: number): number | null {
  return Number.isFinite(dollars) ? Math.floor(dollars * 1e9) : null;
}

function partOf(limit: number | null): number | null {
  return limit === null ? null : Math.ceil(limit * WARN_PART);
}

function exhausted(scope: 'server' | 'account', { via }: Payer, accountLimit: number, day: string): Fault {
  const resets_at = new Date(Date.parse(day) + DAY_MS).toISOString();
  const options = { data: { resets_at } };
  if (scope === 'server') return new Fault('ai_budget_exhausted.server', { resets: resets_at }, options);
  if (via === 'anonymous') return new Fault('ai_budget_exhausted.anonymous', { resets: resets_at }, options);
  return new Fault('ai_budget_exhausted.account', { limit: accountLimit, resets: resets_at }, options);
}
