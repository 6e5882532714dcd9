import { z } from 'zod';
import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database.ts';
import { createIdempotencyStore } from './store.ts';

export type Idempotency = ReturnType<typeof createIdempotency>;

/** Makes a repeated request with the same key one effect with one answer, for a day. */
export function createIdempotency(sql: Sql) {
  const store = createIdempotencyStore(sql);
  return {
    /**
     * Runs once for a key; a repeat gets the answer of the first run. A run that throws frees the key.
     * @throws Fault idempotency_mismatch for another request under the key, idempotency_in_progress while the first runs.
     */
    async once(accountId: string, key: string, fingerprint: string, run: () => Promise<unknown>) {
      if (await store.claim(accountId, key, fingerprint)) return { output: await settled(), replayed: false };
      const entry = await store.find(accountId, key);
      if (entry && entry.fingerprint !== fingerprint) throw new Fault('idempotency_mismatch.key');
      if (!entry?.answer) throw new Fault('idempotency_in_progress.key', {}, { retryAfterSeconds: 1 });
      return { output: entry.answer.output, replayed: true };

      async function settled(): Promise<unknown> {
        const output = await run().catch(async (error: unknown) => {
          await store.release(accountId, key);
          throw error;
        });
        // From here on the effect is there: the key stays taken even when its answer cannot be kept.
        const answer = z.json().parse(output);
        await store.settle(accountId, key, answer);
        return answer;
      }
    },

    /** Removes entries older than a day. */
    sweep: () => store.sweep(),
  };
}
