import { createHash, randomBytes } from 'node:crypto';
import type { Sql } from '../platform/database/database.ts';
import * as confirmationRepo from './confirmation-repo.ts';

/** How the answer comes back: from the person through the client, or as an id that the model carries. */
export type ConfirmationKind = 'asked' | 'carried';

/** One call that waits for a person, as parsed values. */
export type Waiting = {
  readonly accountId: string;
  readonly actor: string;
  readonly tool: string;
  readonly input: unknown;
  /** What the person is told that it would change. */
  readonly change: unknown;
};

/**
 * Ids that stand for one question each: 144 random bits. The database keeps only their hash, beside the call and the
 * change. So there is nothing in an id to forge, any node can check it, it works once, and for ten minutes.
 */
export function createConfirmations(sql: Sql) {
  return {
    /** The id of a new question. */
    async open(kind: ConfirmationKind, waiting: Waiting): Promise<string> {
      const id = `cnf_${randomBytes(18).toString('base64url')}`;
      const { callSha256, changeSha256 } = hashesOf(waiting);
      const idSha256 = sha256(id);
      await confirmationRepo.insert(sql, waiting.accountId, { idSha256, kind, callSha256, changeSha256 });
      return id;
    },

    /**
     * Uses an id up. `changed` when the call would by now change something else than the person was told; undefined for
     * an id that is made up, expired, used, of another caller or for another call.
     */
    async use(kind: ConfirmationKind, id: string, waiting: Waiting): Promise<'same' | 'changed' | undefined> {
      const { callSha256, changeSha256 } = hashesOf(waiting);
      const told = await confirmationRepo.use(sql, waiting.accountId, {
        idSha256: sha256(id),
        kind,
        callSha256,
      });
      if (told === undefined) return undefined;
      return told === changeSha256 ? 'same' : 'changed';
    },

    /** Removes what has expired. */
    sweep: () => confirmationRepo.sweep(sql),
  };
}

function hashesOf({ accountId, actor, tool, input, change }: Waiting) {
  return {
    callSha256: sha256(canonical([accountId, actor, tool, input])),
    changeSha256: sha256(canonical(change)),
  };
}

/** JSON whose members are in the order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
