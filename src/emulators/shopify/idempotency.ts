import { createHash } from 'node:crypto';

/** Lifetime of a key: a day is our reading of the documentation; the service does not promise it. */
const KEY_TTL_MS = 24 * 60 * 60 * 1000;

type Json = Readonly<Record<string, unknown>>;
type Entry = { readonly hash: string; readonly at: number; readonly answer: Json };

/** Answers to what was asked with a key, for as long as the service keeps them. */
export function createIdempotency(now: () => number) {
  const entries = new Map<string, Entry>();

  function forget(): void {
    for (const [key, { at }] of entries) {
      if (now() - at < KEY_TTL_MS) return;
      entries.delete(key);
    }
  }

  return {
    /** The answer there was; `other`: the key was used for something else. */
    find(key: string, asked: unknown): Json | 'other' | undefined {
      forget();
      const entry = entries.get(key);
      if (!entry) return undefined;
      return entry.hash === hashOf(asked) ? entry.answer : 'other';
    },
    keep(key: string, asked: unknown, answer: Json): void {
      entries.set(key, { hash: hashOf(asked), at: now(), answer });
    },
  };
}

function hashOf(asked: unknown): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64');
}
