import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { writeLine } from '../../../src/platform/shared-folder/lines.ts';
import { reachHolder } from '../../../src/platform/shared-folder/reach-holder.ts';
import { Refusal } from '../command.ts';
import { COMMAND_NAMES, type CommandName } from './command-names.ts';

/** Asks the process that has the embedded database open to run a command. */
export const CommandAsk = z.object({
  ask: z.literal('command'),
  name: z.enum(COMMAND_NAMES),
  words: z.array(z.string()),
});

const Accepted = z.object({ state: z.literal('ready') });

/**
 * The last word of the guest before the command runs. Without it nothing runs: a guest that has given up on a busy holder may
 * ask again, and the command must not run twice.
 */
export const Go = z.object({ go: z.literal(true) });
type Go = z.infer<typeof Go>;

/** The outcome of a command. `said` is for standard output if it is done, otherwise for standard error. */
export const Outcome = z.object({ done: z.boolean(), said: z.string() });
export type Outcome = z.infer<typeof Outcome>;

/**
 * Asks the process that holds the folder to run a command. Undefined if there is none that this user may ask.
 * @throws Refusal when that process ends before it has answered
 */
export async function askHolder(
  dataDir: string,
  name: CommandName,
  words: readonly string[],
): Promise<Outcome | undefined> {
  const reached = await reachHolder(dataDir, { ask: 'command', name, words });
  if (!reached) return undefined;
  const { socket, answer } = reached;
  if (!Accepted.safeParse(answer).success) {
    socket.destroy();
    return undefined;
  }
  writeLine(socket, { go: true } satisfies Go);
  const said = await text(socket).catch(() => '');
  const outcome = Outcome.safeParse(said === '' ? undefined : parsed(said));
  if (outcome.success) return outcome.data;
  throw new Refusal(
    'The server stopped before it answered. Check whether the change was made, then try again.',
  );
}

function parsed(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}
