type Held = {
  readonly key: string | undefined;
  readonly month: string;
  readonly fromPlan: number;
  readonly fromCredits: number;
  state: 'held' | 'settled' | 'refunded';
  keptAt: number;
};

export type Model = ReturnType<typeof createModel>;

/** What a quota is to do, done by plain counting. */
export function createModel(state: { now: number; limit: number }) {
  const used: Record<string, number> = {};
  const reservations: Held[] = [];
  const sources = { grant: new Map<string, number>(), 'take back': new Map<string, number>() };
  let credits = 0;
  const month = () => new Date(state.now).toISOString().slice(0, 7);

  function settle(held: Held | undefined, delivered: number): boolean {
    if (held?.state !== 'held') return false;
    const granted = held.fromPlan + held.fromCredits;
    const back = granted - Math.min(Math.max(delivered, 0), granted);
    const toCredits = Math.min(back, held.fromCredits);
    credits += toCredits;
    used[held.month] = (used[held.month] ?? 0) - (back - toCredits);
    held.state = back === granted ? 'refunded' : 'settled';
    return true;
  }

  return {
    books: () => ({
      credits,
      used: Object.fromEntries(Object.entries(used).filter(([, units]) => units > 0)),
    }),

    /** The place of the reservation, and what was granted; undefined where nothing is left. */
    reserve(units: number, key: string | undefined): { place: number; granted: number } | undefined {
      const known = reservations.findIndex((one) => key && one.key === key && one.state !== 'refunded');
      const old = reservations[known];
      if (old) {
        old.keptAt = Math.max(old.keptAt, state.now);
        return { place: known, granted: old.fromPlan + old.fromCredits };
      }
      const left = state.limit < 0 ? units : Math.max(state.limit - (used[month()] ?? 0), 0);
      const fromPlan = Math.min(units, left);
      const fromCredits = Math.min(units - fromPlan, credits);
      if (fromPlan + fromCredits === 0) return undefined;
      credits -= fromCredits;
      used[month()] = (used[month()] ?? 0) + fromPlan;
      const held = { key, month: month(), fromPlan, fromCredits };
      reservations.push({ ...held, state: 'held', keptAt: state.now });
      return { place: reservations.length - 1, granted: fromPlan + fromCredits };
    },

    settle: (place: number, delivered: number) => settle(reservations[place], delivered),

    grant(amount: number, source: string): boolean {
      if (sources.grant.has(source)) return false;
      sources.grant.set(source, amount);
      credits += amount;
      return true;
    },

    takeBack(amount: number, source: string): number {
      const before = sources['take back'].get(source);
      if (before !== undefined) return before;
      const taken = Math.min(amount, credits);
      sources['take back'].set(source, taken);
      credits -= taken;
      return taken;
    },

    sweep(): void {
      for (const held of reservations) if (held.keptAt <= state.now - 120_000) settle(held, 0);
    },
  };
}
