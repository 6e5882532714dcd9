import type { Quota } from '../../quota/quota.ts';

/** The units of the account, as hooks use them. */
export type UnitQuota = Pick<Quota, 'reserve' | 'keep' | 'settle'>;

/** A unit is this many output tokens, or the beginning of them; about a page of HTML. */
const TOKENS_PER_UNIT = 1000;
/** What a call costs at most, however often the model has to repair its answer. */
const MAX_UNITS = 20;
/** A model may write longer than units stay reserved without a sign of life. */
const KEEP_MS = 30_000;

/**
 * Runs work with a model that the account pays for: reserves units, then charges for the tokens that the model wrote and
 * refunds the rest. What the model wrote is charged even if it is of no use, since the caller may have read it as it came.
 * No transaction is open while the model writes; after a crash the quota's sweep refunds everything.
 * @throws Fault quota_exhausted, subscription_past_due
 */
export async function withUnits<Result>(
  quota: UnitQuota,
  accountId: string,
  work: (onTokens: (output: number) => void) => Promise<Result>,
): Promise<Result> {
  const { id } = await quota.reserve(accountId, { units: MAX_UNITS, purpose: 'templates' });
  const timer = setInterval(() => quota.keep(accountId, id).catch(() => {}), KEEP_MS).unref();
  let tokens = 0;
  const settle = () => {
    clearInterval(timer);
    return quota.settle(accountId, id, Math.ceil(tokens / TOKENS_PER_UNIT));
  };
  try {
    const result = await work((output) => {
      tokens += output;
    });
    await settle();
    return result;
  } catch (error) {
    // Without a database the sweep refunds the units. After a settlement this has no effect.
    await settle().catch(() => {});
    throw error;
  }
}
