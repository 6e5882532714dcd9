import { version } from '../src/version.ts';
import { candidates, completionScript } from './completion.ts';
import { exitCodeOf, explain } from './failure.ts';
import { findServer } from './find-server.ts';
import { readCommandLine } from './flags.ts';
import { operationHelp, programHelp, toolList } from './help.ts';
import type { Program } from './program.ts';
import { runOperation } from './run-operation.ts';
import { serverCommands } from './server-commands.ts';
import { fileCommands, readFileLine } from './template-files/commands.ts';

/**
 * The command `stallhand`. Each operation is a command made from its tool, and goes to a server over REST. A few more
 * start servers, sign in, and keep templates as files. Standard output has the answer alone; progress, questions and
 * errors go to standard error.
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
  const information = informationOf(command, words, program);
  if (information !== undefined) {
    terminal.out(information);
    return 0;
  }
  const own = serverCommands[command];
  if (own) {
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
function informationOf(
  command: string,
  words: readonly string[],
  { operations }: Program,
): string | undefined {
  const wantsHelp = words.includes('--help') || words.includes('-h');
  if (['help', '--help', '-h'].includes(command)) return programHelp(operations);
  if (command === 'version' || command === '--version') return version;
  if (command === '__complete') return candidates(operations, words).join('\n');
  if (!wantsHelp && command === 'completion') return completionScript(words[0]);
  if (!wantsHelp && command === 'tools') return toolList(operations, words);
  if (!wantsHelp) return undefined;
  const own = serverCommands[command] ?? fileCommands[command];
  if (own) return own.usage;
  if (command === 'tools' || command === 'completion') return programHelp(operations);
  return operationHelp(
    operations.find([command, ...words.filter((word) => !word.startsWith('-'))]).tool,
    operations,
  );
}
