import { UsageError } from './usage-error.ts';

// Each asks `stallhand __complete` with the words of the line, so a script stays right when commands are added. Where it
// has nothing, files are offered.
const SCRIPTS = {
  // Bash takes what follows = or : for a word of its own, so only that part is handed back. Runs on bash 3.2 of macOS.
  bash: `_stallhand() {
  local line=\${COMP_LINE:0:COMP_POINT} words word part break
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  word=\${words[\${#words[@]}-1]}
  part=$word
  for break in = :; do
    [[ $COMP_WORDBREAKS == *$break* ]] && part=\${part##*$break}
  done
  local IFS=$'\\n'
  if [[ $word =~ ^(--[a-z-]+=)?@ ]]; then
    COMPREPLY=($(compgen -P "\${BASH_REMATCH[0]}" -f -- "\${word#"\${BASH_REMATCH[0]}"}"))
  else
    COMPREPLY=($(stallhand __complete "\${words[@]:1}"))
  fi
  COMPREPLY=("\${COMPREPLY[@]#"\${word%"$part"}"}")
}
complete -o default -F _stallhand stallhand
`,
  // As a file in $fpath its text is the function; sourced, it registers the function.
  zsh: `#compdef stallhand
_stallhand() {
  local -a found
  found=(\${(f)"$(stallhand __complete "\${(@)words[2,CURRENT-1]}" "$PREFIX")"})
  if (( $#found )); then
    compadd -- $found
  else
    compset -P '--*='
    compset -P '@'
    _files
  fi
}
if [[ $funcstack[1] == _stallhand ]]; then
  _stallhand "$@"
else
  compdef _stallhand stallhand
fi
`,
  fish: `function __stallhand_words
  set -l typed (commandline -ct)
  set -l found (stallhand __complete (commandline -opc)[2..] "$typed" | string match -r '.+')
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    set -l before (string match -r '^(?:--[^=]+=)?@?' -- "$typed")
    set -l path (string replace -r '^(?:--[^=]+=)?@?' '' -- "$typed")
    for file in (__fish_complete_path "$path")
      printf '%s\\n' "$before$file"
    end
  end
end
complete -c stallhand -f -a '(__stallhand_words)'
`,
};

export const SHELLS = Object.keys(SCRIPTS);

/** @throws UsageError for a shell that has none */
export function completionScript(shell: string | undefined): string {
  const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1];
  if (script === undefined) throw new UsageError(`Choose a shell: ${SHELLS.join(', ')}.`);
  return script;
}
