import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { fetchJson } from './fetch-json.ts';

const Answer = z.looseObject({ sub: z.string() });

const TTL_MS = 10 * 60_000;
const FAILED_TTL_MS = 60_000;
const NOTHING = {};

/** Claims that an issuer tells of the holder of a token, cached for 10 minutes; none if it cannot be asked. */
export function createUserinfo({ now, timeoutMs = 5_000 }: { now: () => number; timeoutMs?: number }) {
  const cache = new LRUCache<string, { claims: Promise<object>; until: number }>({ max: 10_000 });

  return {
    async claimsOf(url: string, token: string, subject: string): Promise<object> {
      const key = hash('sha256', token);
      const known = cache.get(key);
      if (known && known.until > now()) return known.claims;
      const entry = { claims: ask(url, token, subject), until: now() + TTL_MS };
      cache.set(key, entry);
      entry.claims = entry.claims.catch(() => {
        entry.until = now() + FAILED_TTL_MS;
        return NOTHING;
      });
      return entry.claims;
    },
  };

  async function ask(url: string, token: string, subject: string): Promise<object> {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = Answer.parse(await fetchJson(url, signal, { authorization: `Bearer ${token}` }));
    // The answer may be of somebody else: the standard has callers check.
    if (answer.sub !== subject) throw new Error('the userinfo is of another subject');
    return answer;
  }
}
