import { explain } from '../command.ts';
import type { Outcome } from './command-ask.ts';
import type { CommandName } from './command-names.ts';
import type { Place } from './operator-command.ts';
import { loadCommand } from './operator-commands.ts';

/** Runs a command here. A failure is an outcome too, in the words of a terminal. */
export async function runInPlace(
  name: CommandName,
  words: readonly string[],
  place: Place,
): Promise<Outcome> {
  const { usage, run } = await loadCommand(name);
  try {
    return { done: true, said: await run(words, place) };
  } catch (error) {
    return { done: false, said: explain(error, usage) };
  }
}
