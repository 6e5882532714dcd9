import { SHELLS } from './completion-scripts.ts';
import { COMMON_FLAGS, type Flag, flagsOf, positionalsOf } from './flags.ts';
import { nounForm, type Operations } from './operations.ts';
import { type ServerCommand, serverCommands } from './server-commands.ts';
import { fileCommands } from './template-files/template-files.ts';

const OWN: Readonly<Record<string, Pick<ServerCommand, 'usage' | 'verbsUsage'>>> = {
  ...serverCommands,
  ...fileCommands,
};

/**
 * What the last of the words of a command line may be, for a shell; it may be empty, or only begun. Nothing where a value
 * or the name of a file comes next: shells then offer files.
 */
export async function candidates(
  operations: Operations,
  words: readonly string[],
): Promise<readonly string[]> {
  const typed = words.at(-1) ?? '';
  const found = await possible(operations, words.slice(0, -1), typed);
  return found.filter((word) => word.startsWith(typed));
}

async function possible(
  operations: Operations,
  before: readonly string[],
  typed: string,
): Promise<readonly string[]> {
  const [noun, verb] = before;
  if (noun === undefined) return firstWords(operations, typed);
  if (noun === 'help') return possible(operations, before.slice(1), typed);
  if (noun === 'completion') return verb === undefined ? SHELLS : [];
  const own = OWN[noun];
  if (own) return wordsOfUsage(noun, (await own.verbsUsage?.()) ?? own.usage, before.slice(1), typed);
  const name = noun.replaceAll('-', '_');
  const named = operations.all.find((tool) => tool.name === name);
  const verbs = operations.verbsOf(noun);
  const tool = named ?? verbs.find((one) => one.verb === verb)?.tool;
  if (tool) {
    const flags = flagsOf(tool);
    return wordsOfOperation({ flags, places: positionalsOf(tool) }, before.slice(named ? 1 : 2), typed);
  }
  return verb === undefined ? verbs.map((one) => one.verb) : [];
}

/** Commands and nouns, and the names of operations once one is begun: there are more than a screen holds. */
function firstWords({ all }: Operations, typed: string): readonly string[] {
  const nouns = new Set(all.map(({ name }) => nounForm(name).split(' ')[0] ?? ''));
  const names = typed === '' ? [] : all.map(({ name }) => name);
  return [...Object.keys(OWN), 'tools', 'completion', 'help', ...nouns, ...names];
}

/** The flags and words that the help of a command names: once a verb is there, only those of its lines. */
function wordsOfUsage(command: string, usage: string, given: readonly string[], typed: string) {
  const calls = usage.split('\n').map((line) => line.trim());
  const said = given.filter((word) => !word.startsWith('-'));
  const linesOf = (words: readonly string[]) => {
    const call = ['stallhand', command, ...words, ''].join(' ');
    return calls.map((line) => `${line} `).filter((line) => line.startsWith(call));
  };
  const verb = said
    .map((_word, at) => said.slice(0, said.length - at))
    .find((words) => linesOf(words).length > 0);
  const own = verb ? [...linesOf(verb), usage.split('\n\n').at(-1) ?? ''].join('\n') : usage;
  const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, word = '']) => word);
  if (typed.startsWith('-'))
    return [...new Set([...found(own, /(--[a-z-]+)/g), '--help'])].filter(isLeft(given));
  const previous = given.at(-1) ?? '';
  if (previous.startsWith('--')) {
    const [values = ''] = found(own, new RegExp(`${RegExp.escape(previous)} ([a-z]+(?:\\|[a-z]+)+)`, 'g'));
    return values === '' ? [] : values.split('|');
  }
  const next = linesOf(given).map((line) => line.split(' ')[given.length + 2] ?? '');
  return [...new Set(next.filter((word) => /^[a-z]/.test(word)))];
}

type Fields = { readonly flags: readonly Flag[]; readonly places: readonly Flag[] };

function wordsOfOperation({ flags, places }: Fields, given: readonly string[], typed: string) {
  const [, name, begun] = /^--([^=]+)=(.*)$/.exec(typed) ?? [];
  if (name !== undefined) return valuesOf(flags, name, begun ?? '').map((value) => `--${name}=${value}`);
  const previous = given.at(-1) ?? '';
  if (takesValue(flags, previous)) return valuesOf(flags, previous.slice(2), typed);
  if (/^@|^\.?\//.test(typed)) return [];
  const words = given.filter((word, at) => !word.startsWith('-') && !takesValue(flags, given[at - 1] ?? ''));
  const free = places.filter(({ flag }) => isLeft(given)(`--${flag}`));
  const next = free[words.length]?.choices ?? [];
  return [...next, ...(typed === '' && next.length > 0 ? [] : flagWords(flags, typed).filter(isLeft(given)))];
}

function flagWords(flags: readonly Flag[], typed: string): readonly string[] {
  const off = flags.filter(({ kind }) => kind === 'boolean' && typed.startsWith('--n'));
  return [
    ...flags.map(({ flag }) => `--${flag}`),
    ...Object.keys(COMMON_FLAGS).map((flag) => `--${flag}`),
    ...off.map(({ flag }) => `--no-${flag}`),
  ];
}

/** True for a flag that is not on the line yet. */
function isLeft(given: readonly string[]) {
  return (flag: string) => !given.some((word) => word === flag || word.startsWith(`${flag}=`));
}

function takesValue(flags: readonly Flag[], word: string): boolean {
  const name = /^--([^=]+)$/.exec(word)?.[1];
  const kinds = [
    ...flags.map(({ flag, kind }) => [flag, kind] as const),
    ...Object.entries(COMMON_FLAGS).map(([flag, { type }]) => [flag, type] as const),
  ];
  return kinds.some(([flag, kind]) => flag === name && kind !== 'boolean');
}

/** The values of a flag that has a fixed set. Of a list, those before the last comma stay as they are. */
function valuesOf(flags: readonly Flag[], name: string, typed: string): readonly string[] {
  const flag = flags.find((one) => one.flag === name);
  if (!flag) return [];
  const held = flag.kind === 'list' ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  return flag.choices.map((choice) => `${held}${choice}`);
}
