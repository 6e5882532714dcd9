import { COMMON_FLAGS, flagsOf } from './flags.ts';
import { nounForm, type Operations } from './operations.ts';
import { serverCommands } from './server-commands.ts';
import { fileCommands } from './template-files/commands.ts';
import { UsageError } from './usage-error.ts';

const COMMANDS = [
  ...Object.keys(serverCommands),
  ...Object.keys(fileCommands),
  'tools',
  'completion',
  'help',
];

/** The words that may come next on a command line, for a shell; `words` are those before the one being typed. */
export function candidates(operations: Operations, words: readonly string[]): readonly string[] {
  const [noun, verb] = words;
  const forms = operations.all.map((tool) => ({ tool, form: nounForm(tool.name).split(' ') }));
  if (noun === undefined) return [...COMMANDS, ...new Set(forms.map(({ form }) => form[0] ?? ''))];
  if (noun === 'completion') return Object.keys(SCRIPTS);
  const found = forms.find(({ form, tool }) => tool.name === noun || (form[0] === noun && form[1] === verb));
  if (!found) return forms.flatMap(({ form }) => (form[0] === noun ? [form[1] ?? ''] : []));
  const last = words.at(-1) ?? '';
  const flags = flagsOf(found.tool);
  const choices = flags.find(({ flag }) => `--${flag}` === last)?.choices ?? [];
  return choices.length > 0
    ? choices
    : [...flags.map(({ flag }) => `--${flag}`), ...Object.keys(COMMON_FLAGS).map((flag) => `--${flag}`)];
}

// Each asks `stallhand __complete` for the words, so a script stays right when commands are added.
const SCRIPTS = {
  bash: `_stallhand() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(stallhand __complete "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _stallhand stallhand
`,
  zsh: `#compdef stallhand
_stallhand() {
  compadd -- \${(f)"$(stallhand __complete "\${words[@]:1:CURRENT-2}")"}
}
compdef _stallhand stallhand
`,
  fish: `complete -c stallhand -a '(stallhand __complete (commandline -opc)[2..])'
`,
};

/** @throws UsageError for a shell that has none */
export function completionScript(shell: string | undefined): string {
  const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1];
  if (script === undefined) throw new UsageError(`Choose a shell: ${Object.keys(SCRIPTS).join(', ')}.`);
  return script;
}
