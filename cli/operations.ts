import { closest } from '../src/platform/closest.ts';
import { hasRest, type RestTool, restForm, type Tool } from '../tools/contract/define.ts';
import { UsageError } from './usage-error.ts';

/**
 * The operations as commands: `stallhand create_video …`, and by noun `stallhand videos create …`. Both come from the
 * tool's name; only tools with a route are commands.
 */
export type Operations = {
  /** In the order of the documents. */
  readonly all: readonly RestTool[];
  /**
   * The operation that the first words of a command line name, and the words after it.
   * @throws UsageError for words that name none, with the closest one.
   */
  find(words: readonly string[]): { readonly tool: RestTool; readonly rest: readonly string[] };
  /** What can be done with a noun, which may be in the singular; empty for a word that is none. */
  verbsOf(noun: string): readonly Verb[];
};

export type Verb = { readonly noun: string; readonly verb: string; readonly tool: RestTool };

export function createOperations(tools: readonly Tool[]): Operations {
  const all = tools.filter(hasRest).map(restForm);
  const byName = new Map(all.map((tool) => [tool.name, tool]));
  const verbs = all.map((tool): Verb => {
    const [noun = '', verb = ''] = nounForm(tool.name).split(' ');
    return { noun, verb, tool };
  });
  const byNoun = new Map(verbs.map(({ noun, verb, tool }) => [`${noun} ${verb}`, tool]));
  const verbsOf = (word: string) => verbs.filter(({ noun }) => noun === nounOf(word));
  return {
    all,
    verbsOf,
    find([first = '', second = '', ...others]) {
      const named = byName.get(first.replaceAll('-', '_'));
      if (named) return { tool: named, rest: [second, ...others].filter((word) => word !== '') };
      const tool = byNoun.get(`${nounOf(first)} ${second}`);
      if (tool) return { tool, rest: others };
      const known = verbsOf(first);
      if (known.length > 0) throw unknownVerb(known, second);
      throw unknownNoun(first, second, verbs);
    },
  };
}

/** A word of the command line as the noun it may be. */
const nounOf = (word: string) => pluralOf(word.replaceAll('_', '-'));

/** `list_video_templates` → `video-templates list`. */
export function nounForm(name: string): string {
  const [verb = '', ...noun] = name.split('_');
  return `${pluralOf(noun.join('-'))} ${verb}`;
}

/** Of these there is one, or they are not counted. */
const UNCOUNTED = /(?:^|-)(?:history|stock|usage|sync|profile|summary|portal|whitelist|demo|google|shopify)$/;

function pluralOf(noun: string): string {
  if (noun.endsWith('s') || UNCOUNTED.test(noun)) return noun;
  if (/(?:ch|x)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

function unknownVerb(known: readonly Verb[], said: string): UsageError {
  const noun = known[0]?.noun ?? '';
  const words = known.map(({ verb }) => verb).join(', ');
  return new UsageError(
    said === ''
      ? `Choose what to do with ${noun}: ${words}.`
      : `${noun} has no command '${said}'. Commands: ${words}.`,
  );
}

function unknownNoun(first: string, second: string, verbs: readonly Verb[]): UsageError {
  const forms = verbs.map(({ noun, verb }) => `${noun} ${verb}`);
  // Who begins with the verb finds what it can be done to.
  const turned = verbs.filter(({ verb }) => verb === first).map(({ noun, verb }) => `${noun} ${verb}`);
  const near =
    turned.find((form) => form === `${nounOf(second)} ${first}`) ??
    (turned.length > 0 && turned.length <= 3 ? turned.join("' or '") : undefined) ??
    closest(`${first} ${second}`.trim(), forms) ??
    closest(
      first,
      verbs.map(({ tool }) => tool.name),
    );
  const hint = near === undefined ? '' : ` Did you mean '${near}'?`;
  return new UsageError(`Unknown command '${first}'.${hint} Find commands with 'stallhand tools WORDS'.`);
}
