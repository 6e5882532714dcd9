import { z } from 'zod';
import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import { inBatches } from '../platform/in-batches.ts';
import * as idempotencyRepo from './idempotency-repo.ts';

/** A call that gives no sign for two minutes counts as cut off by a crash. */
const PULSE_MS = 30_000;

/** Makes a repeated request with the same key one effect with one answer, for a day. */
export function createIdempotency(sql: Sql, pulseMs = PULSE_MS) {
  return {
    /**
     * Runs once for a key; a repeat gets the answer of the first run, or what `keep` leaves of it. A run that throws frees
     * the key. `run` is told what to know the effects by that an earlier run under the key had before it failed or was cut
     * off; a day later it is something else.
     * @throws Fault idempotency_mismatch for another request under the key, idempotency_in_progress while the first runs.
     */
    async once(
      accountId: string,
      key: string,
      fingerprint: string,
      run: (claim: string) => Promise<unknown>,
      keep: (output: unknown) => unknown = (output) => output,
    ) {
      const began = await idempotencyRepo.claim(sql, accountId, key, fingerprint);
      if (began)
        return { output: await settled(`${key} ${fingerprint} ${began.getTime()}`), replayed: false };
      const entry = await idempotencyRepo.find(sql, accountId, key);
      if (entry && entry.fingerprint !== fingerprint) throw new Fault('idempotency_mismatch.key');
      if (!entry?.answer) throw new Fault('idempotency_in_progress.key', {}, { retryAfterSeconds: 1 });
      return { output: entry.answer.output, replayed: true };

      async function settled(claim: string): Promise<unknown> {
        const pulse = setInterval(() => idempotencyRepo.keep(sql, accountId, key).catch(() => {}), pulseMs);
        const output = await run(claim)
          .catch(async (error: unknown) => {
            await idempotencyRepo.release(sql, accountId, key);
            throw error;
          })
          .finally(() => clearInterval(pulse));
        // From here on the effect is there: the key stays taken even when its answer cannot be kept.
        await idempotencyRepo.settle(sql, accountId, key, z.json().parse(keep(output)));
        return output;
      }
    },

    /** Removes entries older than a day. */
    sweep: () => inBatches((limit) => idempotencyRepo.deleteOld(sql, limit)),
  };
}
