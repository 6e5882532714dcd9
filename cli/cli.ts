import { version } from '../src/version.ts';
import { candidates } from './completion.ts';
import { completionScript } from './completion-scripts.ts';
import { exitCodeOf, explain } from './failure.ts';
import { findServer } from './find-server.ts';
import { readCommandLine } from './flags.ts';
import { nounHelp, operationHelp, programHelp, toolList } from './help.ts';
import type { Program } from './program.ts';
import { runOperation } from './run-operation.ts';
import { serverCommands } from './server-commands.ts';
import { fileCommands, readFileLine } from './template-files/template-files.ts';

/**
 * The command `stallhand`. Each operation is a command made from its tool, and goes to a server over REST. A few more
 * start servers, sign in, and keep templates as files. In: words and a terminal. Out: an answer and an exit code.
 * Invariant: standard output has the answer alone; progress, questions and errors go to standard error.
 *
 * Runs one command line. @returns the exit code; undefined where a server goes on running
 */
export async function run(words: readonly string[], program: Program): Promise<number | undefined> {
  try {
    return await dispatch(words, program);
  } catch (error) {
    program.terminal.err(`${explain(error, program.operations)}\n`);
    return exitCodeOf(error);
  }
}

async function dispatch(
  [command = 'help', ...words]: readonly string[],
  program: Program,
): Promise<number | undefined> {
  const { operations, terminal } = program;
  if (command === '__complete') {
    terminal.out((await candidates(operations, words)).join('\n'));
    return 0;
  }
  const information = informationOf(command, words, program);
  if (information !== undefined) {
    terminal.out(information);
    return 0;
  }
  const own = serverCommands[command];
  if (own) {
    if (own.readsEnvFile) await import('../tools/commands/load-env-file.ts');
    return own.run(words, program);
  }
  const files = fileCommands[command];
  if (files) {
    const line = readFileLine(words);
    const server = await findServer(line.common, program);
    await files.run(line, { server, terminal }).finally(() => server.close());
    return 0;
  }
  const { tool, rest } = operations.find([command, ...words]);
  return runOperation(tool, await readCommandLine(tool, rest, terminal), program);
}

/** What a command line that only asks for words is answered with. */
function informationOf(command: string, words: readonly string[], program: Program): string | undefined {
  const [first, ...others] = words;
  if (command === 'help' && first !== undefined) return helpOf(first, others, program);
  if (['help', '--help', '-h'].includes(command)) return programHelp(program.operations);
  if (command === 'version' || command === '--version') return version;
  if (serverCommands[command]?.helpsItself) return undefined;
  if (words.includes('--help') || words.includes('-h')) return helpOf(command, words, program);
  if (command === 'completion') return completionScript(first);
  if (command === 'tools') return toolList(program.operations, words);
  return words.length === 0 ? nounHelp(program.operations.verbsOf(command)) : undefined;
}

/** The help of a command, a noun or an operation. @throws UsageError for words that name none */
function helpOf(command: string, words: readonly string[], { operations }: Program): string {
  const own = serverCommands[command] ?? fileCommands[command];
  if (own) return own.usage;
  if (command === 'tools' || command === 'completion') return programHelp(operations);
  const said = words.filter((word) => !word.startsWith('-'));
  const ofNoun = said.length === 0 ? nounHelp(operations.verbsOf(command)) : undefined;
  return ofNoun ?? operationHelp(operations.find([command, ...said]).tool, operations);
}
