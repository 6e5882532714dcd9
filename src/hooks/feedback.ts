import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import { createFavourites } from './favourites.ts';
import { createFeedbackStore, type Rating } from './feedback-store.ts';
import type { Feedback } from './generation.ts';
import type { StyleId } from './styles.ts';

/** Of each style that was tried out: how many hooks, and how many of them won. */
export type WorkedForYou = Readonly<Partial<Record<StyleId, { readonly won: number; readonly of: number }>>>;

export type RatedHook = Feedback & {
  readonly generation_id: string;
  readonly index: number;
  readonly worked_for_you: WorkedForYou;
};

/** What the owner of hooks says of them, and what follows from it for this account alone. */
export function createHookFeedback(sql: Sql) {
  const store = createFeedbackStore(sql);

  /** A hook counts as tried out once it was used or compared. */
  async function winnersOf(accountId: string): Promise<WorkedForYou> {
    const tried = await store.tried(accountId);
    return Object.fromEntries(tried.map(({ style, won, of }) => [style, { won, of }]));
  }

  const favourites = createFavourites({ winnersOf });

  return {
    winnersOf,
    favourites,

    /**
     * Sets what is given and leaves the rest as it is; the same call again changes nothing.
     * @param hook `index` counts from 0.
     * @throws Fault not_found.hook
     */
    async rate(
      accountId: string,
      hook: { readonly id: string; readonly index: number },
      rating: Rating,
    ): Promise<RatedHook> {
      const feedback = await store.rate(accountId, hook, rating);
      if (!feedback) throw new Fault('not_found.hook', hook);
      const worked_for_you = await winnersOf(accountId);
      favourites.learn(accountId, worked_for_you);
      return { generation_id: hook.id, index: hook.index, ...feedback, worked_for_you };
    },
  };
}
