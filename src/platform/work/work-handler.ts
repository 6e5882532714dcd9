import type { Fault } from '../../errors.ts';
import type { Attempt, FencingToken } from './attempt.ts';

/** Columns that every work item has in the database. */
export type WorkItem = { readonly cancel_requested: boolean };

/** How work ended; `cause` is what was thrown. Work that continues in another process has not ended. */
export type WorkOutcome<Result> =
  | { readonly by: 'done'; readonly result: Result }
  | { readonly by: 'canceled' }
  | { readonly by: 'error'; readonly cause: unknown };

/** One attempt's way through a work item. */
export type WorkTask<Result> = {
  /** Not called when the attempt is aborted before it starts. */
  run(): Promise<Result>;
  /** Stores the outcome, if the attempt still owns the item. When it rejects, the item is delivered again. */
  finish(outcome: WorkOutcome<Result>): Promise<void>;
};

/** Does the work of one kind. */
export type WorkHandler<Item, Result> = {
  readonly begin: (item: Item, attempt: Attempt) => WorkTask<Result>;
  /** Gives up an item whose workers all died. The fence names the last of their attempts. */
  readonly abandoned: (fence: FencingToken, fault: Fault) => Promise<void>;
};
