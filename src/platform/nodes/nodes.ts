/**
 * Nodes of one PostgreSQL must keep their files in one place, or files that one writes are missing on the others.
 * In: the database, which names the nodes that live; the blobs, in which the first node makes a mark, and each reads it.
 * Out: a start that fails beside an older node with another mark, `sharesFiles` for /ready, and where the others are reached.
 * Invariant: an address is that of a node which has said within three renewals that it lives.
 */
import { hostname } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { Fault } from '../../errors.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database, Sql } from '../database/database.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { isLoopback } from './node-address.ts';
import * as nodeRepo from './node-repo.ts';

type NodesDeps = {
  readonly database: Pick<Database, 'sql' | 'engine'>;
  readonly blobs: Blobs;
  /** Where the blobs are, as the operator knows it. */
  readonly place: string;
  readonly log: Log;
  readonly renewMs?: number;
};

/** Key of the blob that tells stores of files apart. */
export const STORE_MARK = 'store-mark';
const RENEW_MS = 15_000;
/** A node that missed this many renewals is gone. */
const MISSED = 3;

export type Nodes = ReturnType<typeof createNodes>;

export function createNodes({ database, blobs, place, log, renewMs = RENEW_MS }: NodesDeps) {
  const { sql, engine } = database;
  const own = { id: newId('node'), host: hostname() };
  let timer: NodeJS.Timeout | undefined;
  let other: string | undefined;
  let address: string | undefined;
  const aliveSeconds = (renewMs * MISSED) / 1000;

  async function renew(): Promise<void> {
    await nodeRepo.renew(sql, { ...own, address, files: await readMark(sql, blobs) });
    const before = other;
    other = await nodeRepo.findOther(sql, own.id, aliveSeconds);
    if (other !== undefined && before === undefined)
      log.error({ host: other, place }, 'another node keeps files elsewhere: this one is not ready');
  }

  function renewLater(): void {
    timer = setTimeout(async () => {
      // The last answer counts until the next one: a store that fails for a moment fails on all nodes.
      await renew().catch((error: unknown) =>
        log.warn({ err: error }, 'this node could not say that it lives'),
      );
      if (timer) renewLater();
    }, renewMs).unref();
  }

  return {
    id: own.id,

    /** Tells the others where they reach this node, once it listens. */
    async listensAt(place: string | undefined): Promise<void> {
      address = place;
      if (timer) await renew();
    },

    /** Where another living node is reached from here. */
    async addressOf(id: string): Promise<string | undefined> {
      if (!timer || id === own.id) return undefined;
      const found = await nodeRepo.findAddress(sql, id, aliveSeconds);
      // That of another machine is here a process that may be anybody's.
      if (!found || (isLoopback(found.address) && found.host !== own.host)) return undefined;
      return found.address;
    },

    /** Says that this process serves, until `leave`. @throws Fault conflict.files_not_shared */
    async join(): Promise<void> {
      // One process alone has the embedded database.
      if (engine === 'embedded') return;
      await renew();
      if (other !== undefined) {
        await nodeRepo.remove(sql, own.id);
        throw new Fault('conflict.files_not_shared', { place, host: other });
      }
      renewLater();
    },

    /** False while an older node keeps its files elsewhere. */
    sharesFiles: () => other === undefined,

    async leave(): Promise<void> {
      if (!timer) return;
      clearTimeout(timer);
      timer = undefined;
      // Otherwise it is taken for gone within the minute.
      await nodeRepo.remove(sql, own.id).catch(() => {});
    },
  };
}

/** The mark of the store, which the first node makes. */
async function readMark(sql: Sql, blobs: Blobs): Promise<string> {
  const found = await read(blobs);
  if (found) return found;
  return sql.begin(async (tx) => {
    await nodeRepo.lockMark(tx);
    const made = await read(blobs);
    if (made) return made;
    const mark = newId('files');
    await blobs.put(STORE_MARK, Buffer.from(mark));
    return mark;
  });
}

async function read(blobs: Blobs): Promise<string | undefined> {
  const blob = await blobs.open(STORE_MARK);
  return blob && String(await buffer(blob.stream));
}
