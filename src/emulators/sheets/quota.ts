import { Refusal } from './refusal.ts';

export type CallKind = 'read' | 'write';

/** So many reads and so many writes a minute for each user; the next minute everything is as before. */
export function createQuota(perMinute: Readonly<Record<CallKind, number>>, now: () => number) {
  let minute = 0;
  const used = new Map<string, number>();

  return {
    /** @throws Refusal 429 */
    take(user: string, kind: CallKind): void {
      const current = Math.floor(now() / 60_000);
      if (current !== minute) used.clear();
      minute = current;
      const key = `${kind} ${user}`;
      const count = (used.get(key) ?? 0) + 1;
      used.set(key, count);
      if (count <= perMinute[kind]) return;
      const name = kind === 'read' ? 'Read' : 'Write';
      throw new Refusal(
        429,
        `Quota exceeded for quota metric '${name} requests' and limit '${name} requests per minute per user' of service 'sheets.googleapis.com'.`,
      );
    },
  };
}
