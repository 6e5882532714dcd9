import { otherUserOf } from '../../../src/platform/shared-folder/holder-note.ts';
import { Refusal } from '../command.ts';

/**
 * Before a command opens or locks anything: files of another user would be in the way of the server.
 * @throws Refusal when the data belong to another user, whose commands alone work on them
 */
export async function requireOwnData(dataDir: string): Promise<void> {
  const uid = await otherUserOf(dataDir);
  if (uid === undefined) return;
  throw new Refusal(
    `${dataDir} belongs to user ${uid}, and only that user can run commands on it. Use sudo -u '#${uid}'.`,
  );
}
