import type { Sql, Tx } from './database/database.ts';

/** An event of an account, as its webhooks receive it. */
export type OutboxEvent = {
  /** Such as `branch.merged`. */
  readonly type: string;
  readonly data: object;
};

/**
 * Sends an event to the account's webhooks, in the transaction of the change it reports: both happen, or
 * neither. Where a single statement makes the change, that statement calls `emit_event`
 * (migrations/0009_webhooks.sql) itself.
 */
export async function emitEvent(tx: Sql | Tx, accountId: string, { type, data }: OutboxEvent): Promise<void> {
  await tx`select emit_event(${accountId}, ${type}, ${tx.json({ ...data })})`;
}

/** Sends an event to one receiver that is not among the account's webhooks. */
export async function sendEvent(
  tx: Sql | Tx,
  accountId: string,
  { type, data, receiver }: OutboxEvent & { readonly receiver: object },
): Promise<void> {
  await tx`select send_event(${accountId}, ${type}, ${tx.json({ ...data })}, ${tx.json({ ...receiver })})`;
}
