import type { Sql, Tx } from './database/database.ts';

/** Something that happened in an account, as its webhooks are told. */
export type OutboxEvent = {
  /** Such as `branch.merged`. */
  readonly type: string;
  readonly data: object;
};

/**
 * Tells the account's webhooks of an event, in the transaction of the change it is about: both happen, or neither. Where
 * a single statement makes the change, that statement calls `emit_event` (migrations/0009_webhooks.sql) itself.
 */
export async function emitEvent(tx: Sql | Tx, accountId: string, { type, data }: OutboxEvent): Promise<void> {
  await tx`select emit_event(${accountId}, ${type}, ${tx.json({ ...data })})`;
}

/** Tells one receiver, which is not among the account's webhooks. */
export async function sendEvent(
  tx: Sql | Tx,
  accountId: string,
  { type, data, receiver }: OutboxEvent & { readonly receiver: object },
): Promise<void> {
  await tx`select send_event(${accountId}, ${type}, ${tx.json({ ...data })}, ${tx.json({ ...receiver })})`;
}
