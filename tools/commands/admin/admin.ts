import { UsageError } from '../command.ts';
import type { OperatorCommand } from '../road/operator-command.ts';
import { accountVerbs } from './account-verbs.ts';
import { readGiven, type Verb } from './verb.ts';
import { workVerbs } from './work-verbs.ts';

const VERBS: readonly Verb[] = [...accountVerbs, ...workVerbs];

const ABOUT = `Manages the accounts, keys and work of a server, on the machine that has its data. Every change is in the
audit log of the account, with the actor operator.`;

const AFTER = `Lists have 50 rows unless you set --limit. --json prints the complete response as JSON.
With the embedded database, the running server does the work; otherwise the command opens the database.`;

/**
 * The commands of the operator. The answer is JSON: the terminal that asked makes a table of it.
 *
 * In: the words of a command line. Out: JSON. Invariant: every change is in the audit log of the account, with the
 * actor operator.
 */
export const adminCommand: OperatorCommand = {
  usage: usageOf(VERBS),
  help(words) {
    const [noun] = words.filter((word) => !word.startsWith('-'));
    const found = VERBS.filter((verb) => verb.words.split(' ')[0] === noun);
    return usageOf(found.length > 0 ? found : VERBS);
  },
  async run(words, { app, config }) {
    const verb = VERBS.find((one) => one.words === words.slice(0, one.words.split(' ').length).join(' '));
    if (!verb)
      throw new UsageError(
        words.length === 0 ? 'Choose a command.' : `Unknown command '${words.join(' ')}'.`,
      );
    const given = readGiven(verb, words.slice(verb.words.split(' ').length));
    return JSON.stringify(await verb.run({ app: await app(), config, ...given }));
  },
};

function usageOf(verbs: readonly Verb[]): string {
  const calls = verbs.map(({ words, takes = '' }) => `stallhand admin ${words} ${takes}`.trimEnd());
  const lines = verbs.map(({ does }, index) => `  ${calls[index]}\n      ${does}`);
  return [ABOUT, lines.join('\n'), AFTER].join('\n\n');
}
