import { z } from 'zod';
import type { Sql, Tx } from '../database/database.ts';

/** A process that serves, and the mark of the store it keeps files in. */
export type NodeRow = {
  readonly id: string;
  readonly host: string;
  readonly files: string;
  /** Where other nodes reach it. */
  readonly address: string | undefined;
};

const Host = z.object({ host: z.string() });
const Place = Host.extend({ address: z.string() });

/** Until the transaction ends, no other node reads or creates the mark of its store. */
export async function lockMark(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('files mark', 0))`;
}

/** Records that the node lives, and removes rows of nodes that have been gone for an hour. */
export async function renew(sql: Sql, { id, host, files, address }: NodeRow): Promise<void> {
  await sql`
    with gone as (delete from nodes where seen_at < now() - interval '1 hour' and id <> ${id})
    insert into nodes (id, host, files, address) values (${id}, ${host}, ${files}, ${address ?? null})
    on conflict (id) do update set files = excluded.files, address = excluded.address, seen_at = now()`;
}

/** Where a living node is reached. */
export async function findAddress(
  sql: Sql,
  id: string,
  aliveSeconds: number,
): Promise<z.infer<typeof Place> | undefined> {
  const [row] = await sql`
    select host, address from nodes
    where id = ${id} and address is not null and seen_at > now() - make_interval(secs => ${aliveSeconds})`;
  return row && Place.parse(row);
}

/** The host of an older living node that keeps its files elsewhere. */
export async function findOther(sql: Sql, id: string, aliveSeconds: number): Promise<string | undefined> {
  const [row] = await sql`
    select other.host from nodes own join nodes other
      on other.files <> own.files and (other.started_at, other.id) < (own.started_at, own.id)
    where own.id = ${id} and other.seen_at > now() - make_interval(secs => ${aliveSeconds})
    order by other.started_at limit 1`;
  return row && Host.parse(row).host;
}

export async function remove(sql: Sql, id: string): Promise<void> {
  await sql`delete from nodes where id = ${id}`;
}
