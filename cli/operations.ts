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
};

export function createOperations(tools: readonly Tool[]): Operations {
  const all = tools.filter(hasRest).map(restForm);
  const byName = new Map(all.map((tool) => [tool.name, tool]));
  const byNoun = new Map(all.map((tool) => [nounForm(tool.name), tool]));
  return {
    all,
    find([first = '', second = '', ...others]) {
      const named = byName.get(first.replaceAll('-', '_'));
      if (named) return { tool: named, rest: [second, ...others].filter((word) => word !== '') };
      const tool = byNoun.get(`${pluralOf(first.replaceAll('_', '-'))} ${second}`);
      if (tool) return { tool, rest: others };
      throw unknown(first, second, [...byName.keys()], [...byNoun.keys()]);
    },
  };
}

/** `list_video_templates` → `video-templates list`. */
export function nounForm(name: string): string {
  const [verb = '', ...noun] = name.split('_');
  return `${pluralOf(noun.join('-'))} ${verb}`;
}

/** Of these there is one, or they are not counted. */
const UNCOUNTED = /(?:^|-)(?:history|stock|usage|sync|profile|summary|portal|whitelist)$/;

function pluralOf(noun: string): string {
  if (noun.endsWith('s') || UNCOUNTED.test(noun)) return noun;
  if (/(?:ch|x)$/.test(noun)) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

function unknown(
  first: string,
  second: string,
  names: readonly string[],
  nouns: readonly string[],
): UsageError {
  const verbs = nouns.flatMap((one) => {
    const [noun, verb = ''] = one.split(' ');
    return noun === pluralOf(first) ? [verb] : [];
  });
  if (verbs.length > 0) {
    const said =
      second === '' ? `Choose what to do with ${pluralOf(first)}` : `${pluralOf(first)} has no '${second}'`;
    return new UsageError(`${said}: ${verbs.join(', ')}.`);
  }
  const near = closest(`${first} ${second}`.trim(), nouns) ?? closest(first, names);
  const hint = near === undefined ? '' : ` Did you mean '${near}'?`;
  return new UsageError(
    `There is no command '${first}'.${hint} Find commands with 'stallhand tools <words>'.`,
  );
}
