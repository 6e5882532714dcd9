import type { RestTool } from '../tools/contract/define.ts';
import { COMMON_FLAGS, type Flag, flagsOf, positionalsOf } from './flags.ts';
import { nounForm, type Operations, type Verb } from './operations.ts';

/** `stallhand --help`. */
export function programHelp(operations: Operations): string {
  const nouns = new Map<string, Set<string>>();
  for (const { name, toolset } of operations.all) {
    const [noun = ''] = nounForm(name).split(' ');
    nouns.set(toolset, (nouns.get(toolset) ?? new Set()).add(noun));
  }
  return `Stallhand: email templates, videos, hooks and sync for people who sell online.

Usage
  stallhand serve                    start the server; settings are in docs/settings.md
  stallhand mcp [--url URL]          serve MCP over standard input and output; with --url, for a server elsewhere
  stallhand doctor [--json]          check whether the server can work on this machine
  stallhand admin COMMAND            manage accounts, keys and work, on the machine with the server's data
  stallhand backup save FILE         save all that the server keeps; also verify and restore
  stallhand login URL                sign in to a server, and use it from now on
  stallhand logout                   sign out of it
  stallhand tools [WORDS]            list or find commands
  stallhand NOUN VERB [FLAGS]        run a command, such as: stallhand templates list
  stallhand pull | push | diff | watch [FOLDER]   templates as files
  stallhand completion bash|zsh|fish print a completion script

Nouns ('stallhand NOUN' lists its commands)
${flagTable([...nouns].map(([toolset, words]) => [toolset, wrap([...words].join(', '), 80).replaceAll('\n', `\n${' '.repeat(13)}`)]))}

Flags of every command
${flagTable(Object.entries(COMMON_FLAGS).map(([flag, { type, text }]) => [`--${flag}${type === 'string' ? ' …' : ''}`, text]))}

Values: @file is a file's content, - standard input, @@ a text that starts with @. --data.name Ana sets one member.
Without --server, STALLHAND_URL or a login, a command uses the server on this machine. If none runs, it starts one for
itself. STALLHAND_API_KEY holds the key.

Exit codes: 0 done · 1 failed · 2 wrong command line or input · 3 not allowed · 4 not found · 5 conflict · 130 Ctrl-C
`;
}

/** `stallhand templates`: a line for each command; undefined where there is none. */
export function nounHelp(verbs: readonly Verb[]): string | undefined {
  const noun = verbs[0]?.noun;
  if (noun === undefined) return undefined;
  return `Usage
  stallhand ${noun} VERB [FLAGS]

Verbs
${flagTable(verbs.map(({ verb, tool }) => [verb, tool.title]))}

Flags of a command: 'stallhand ${noun} VERB --help'.
`;
}

/** `stallhand templates get --help`. */
export function operationHelp(tool: RestTool, operations: Operations): string {
  const positionals = positionalsOf(tool);
  const words = positionals.map(({ field, flag, required }) => {
    if (field === tool.rest.upload?.field) return '@FILE';
    return required ? flag.toUpperCase() : `[${flag.toUpperCase()}]`;
  });
  const flags = flagsOf(tool).map(
    (one) => [`--${one.flag}${one.kind === 'boolean' ? '' : ` ${valueName(one)}`}`, about(one)] as const,
  );
  const examples = tool.examples
    .filter(({ given }) => given === undefined)
    .map(
      ({ title, input }) =>
        `  # ${title}\n  ${['stallhand', ...commandWords(tool, input).map(quoted)].join(' ')}`,
    );
  return [
    `${tool.title}\n`,
    wrap(inCommands(tool.description, operations), 100),
    `\nUsage\n  stallhand ${nounForm(tool.name)} ${[...words, '[FLAGS]'].join(' ')}\n`,
    ...(flags.length > 0 ? [`Flags\n${flagTable(flags)}\n`] : []),
    ...(examples.length > 0 ? [`Examples\n${examples.join('\n')}\n`] : []),
    "Flags of every command: 'stallhand --help'.\n",
  ].join('\n');
}

/** Names commands where a text names tools, as those for models do. */
function inCommands(text: string, operations: Operations): string {
  const names = new Set(operations.all.map(({ name }) => name));
  return text.replace(/(?:run_tool |read_tool )?\b([a-z]+(?:_[a-z]+)+)\b/g, (said, name: string) =>
    names.has(name) ? `'stallhand ${nounForm(name)}'` : said,
  );
}

/** `stallhand tools`: one line a command, those that hold all the words first named. */
export function toolList(operations: Operations, words: readonly string[]): string {
  const wanted = words.map((word) => word.toLowerCase());
  const found = operations.all.filter(({ name, title, description }) => {
    const text = `${name} ${nounForm(name)} ${title} ${description}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  if (found.length === 0) return "No command has these words. 'stallhand tools' lists all commands.";
  return flagTable(found.map(({ name, title }) => [nounForm(name), title])).replace(/^ {2}/gm, '');
}

/** A call as the words of a command line, without `stallhand`. */
export function commandWords(tool: RestTool, input: Readonly<Record<string, unknown>>): readonly string[] {
  const first = new Set(positionalsOf(tool).map(({ field }) => field));
  const flags = new Map(flagsOf(tool).map((one) => [one.field, one]));
  const isWord = (field: string) => field in input && !String(input[field]).startsWith('-');
  const words = [...first].filter(isWord).map((field) => escaped(String(input[field])));
  const rest = Object.entries(input)
    .filter(([field]) => !first.has(field) || !isWord(field))
    .flatMap(([field, value]) => flagWords(flags.get(field), field, value));
  return [...nounForm(tool.name).split(' '), ...words, ...rest];
}

function flagWords(flag: Flag | undefined, field: string, value: unknown): string[] {
  const name = flag?.flag ?? field.replaceAll('_', '-');
  if (typeof value === 'boolean' && flag?.kind === 'boolean') return [value ? `--${name}` : `--no-${name}`];
  const isPlainList =
    flag?.kind === 'list' &&
    Array.isArray(value) &&
    value.every((one) => typeof one === 'string' && !/^[@[]|,/.test(one));
  const text = isPlainList ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value);
  // A value that looks like a flag has to stand beside its own.
  return text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, escaped(text)];
}

/** `@` and `-` at the beginning would name a file, or standard input. */
function escaped(text: string): string {
  return text.startsWith('@') ? `@${text}` : text;
}

function quoted(word: string): string {
  return /^[\w./:@,=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function valueName({ kind, choices }: Flag): string {
  if (choices.length > 0 && choices.length <= 6) return choices.join(kind === 'list' ? ',' : '|');
  return { text: 'TEXT', number: 'NUMBER', boolean: '', list: 'A,B', json: 'JSON' }[kind];
}

function about({ description, required, fallback }: Flag): string {
  const said = [
    description,
    required ? 'required' : '',
    fallback === undefined || fallback === '' ? '' : `default ${JSON.stringify(fallback)}`,
  ];
  return said.filter(Boolean).join(' · ');
}

function flagTable(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(34, Math.max(...rows.map(([name]) => name.length)));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`.trimEnd()).join('\n');
}

function wrap(text: string, width: number): string {
  const found: string[] = [''];
  for (const word of text.split(' ')) {
    const line = found.at(-1) ?? '';
    if (line.length + word.length + 1 > width) found.push(word);
    else found[found.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return found.join('\n');
}
