import type { Sql } from '../../platform/database/database.ts';

export type WebhookStore = ReturnType<typeof createWebhookStore>;

/** The SQL of deliveries: their ids, so that none is taken twice. */
export function createWebhookStore(sql: Sql) {
  return {
    async has(storeId: string, id: string): Promise<boolean> {
      const [event] = await sql`
        select from sync_webhook_events where store_id = ${storeId} and id = ${id}`;
      return event !== undefined;
    },

    /** Its store may be gone by now. */
    async add(event: { id: string; storeId: string; topic: string }): Promise<void> {
      await sql`
        insert into sync_webhook_events (id, store_id, topic)
        select ${event.id}, id, ${event.topic} from sync_stores where id = ${event.storeId}
        on conflict do nothing`;
    },

    /** Tells every node that something is due then. */
    async wake(at: Date): Promise<void> {
      await sql`select pg_notify('sync_due', ${String(at.getTime())})`;
    },

    async sweep(before: Date): Promise<void> {
      await sql`delete from sync_webhook_events where received_at < ${before}`;
    },
  };
}
