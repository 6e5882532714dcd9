import type { Fault } from '../../errors.ts';
import type { Attempt, Fence } from './attempt.ts';

/** What an attempt finds of its work in the database. */
export type Asked = { readonly cancel_requested: boolean };

/** How a piece of work ended; `cause` is what was thrown. What is to go on elsewhere has not ended. */
export type End<Result> =
  | { readonly by: 'done'; readonly result: Result }
  | { readonly by: 'canceled' }
  | { readonly by: 'error'; readonly cause: unknown };

/** One attempt's way through a piece of work. */
export type Task<Result> = {
  /** Not called when the work was told to end before it began. */
  run(): Promise<Result>;
  /** Writes down how it ended, by the attempt's fence. When it rejects, the work is delivered again. */
  finish(end: End<Result>): Promise<void>;
};

/** What is done with pieces of work of one kind. */
export type Craft<Piece, Result> = {
  readonly begin: (piece: Piece, attempt: Attempt) => Task<Result>;
  /** Gives up a piece whose workers died, one after the other: perhaps of it. */
  readonly lost: (fence: Fence, fault: Fault) => Promise<void>;
};
