import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RestTool } from '../tools/contract/define.ts';
import { type Caller, callForFile, callOperation, download, writeJson } from './call.ts';
import { EXIT } from './failure.ts';
import { findServer } from './find-server.ts';
import type { CommandLine, Common } from './flags.ts';
import { followWork, hasFailed, makesVideo } from './follow.ts';
import { nounForm } from './operations.ts';
import { printed } from './print.ts';
import type { Program } from './program.ts';
import { requestOf } from './request.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Calls one operation, and prints or writes what it answers. @returns the exit code */
export async function runOperation(
  tool: RestTool,
  { common, input }: CommandLine,
  program: Program,
): Promise<number> {
  const { terminal, config } = program;
  const own = withDryRun(tool, common['dry-run'], input);
  if (own === undefined) {
    const { method, path, body, file } = requestOf(tool, input);
    const content = file ? [`@${file.path}`] : body ? [JSON.stringify(body, null, 2)] : [];
    terminal.out([`${method} ${path}`, ...content].join('\n'));
    return EXIT.ok;
  }
  if (!common['dry-run'] && !common.yes) await confirm(tool, terminal);
  if (common.out !== undefined && common.out !== '-') await requireWritable(common.out);
  const server = await findServer(common, program);
  try {
    return await callAndShow(tool, own, common, { server, terminal, language: config.language });
  } finally {
    await server.close();
  }
}

async function callAndShow(tool: RestTool, input: CommandLine['input'], common: Common, caller: Caller) {
  const { out, wait } = common;
  const { server, terminal } = caller;
  const file = out === undefined ? undefined : await callForFile(tool, input, out, caller);
  if (file) return wrote(file, terminal);
  const first = await callOperation(tool, input, caller);
  // A file named for a video is not meant for the answer that has only begun it.
  const waits = wait || (out !== undefined && makesVideo(tool.name) && !out.endsWith('.json'));
  const answer = waits ? await followWork(tool.name, first, server, terminal) : first;
  if (waits && hasFailed(answer)) {
    showFailed(answer, common, terminal);
    return EXIT.failed;
  }
  if (out !== undefined) return writeAnswer(answer, out, common, caller);
  terminal.out(shown(answer, common, terminal));
  return EXIT.ok;
}

/** The answer, or the file that it leads to. @returns the exit code */
async function writeAnswer(answer: unknown, out: string, common: Common, caller: Caller): Promise<number> {
  const url = fileAddress(answer);
  if (url !== undefined) return wrote(await download(url, out, caller), caller.terminal);
  if (out === '-') caller.terminal.out(shown(answer, common, caller.terminal));
  else await writeJson(answer, out);
  return EXIT.ok;
}

/** Where a file was to be written, standard output is not for this. */
function showFailed(answer: unknown, common: Common, terminal: Terminal): void {
  const text = shown(answer, common, terminal);
  if (common.out === undefined) terminal.out(text);
  else terminal.err(`${text}\n`);
}

/** Before the work is done whose file could not be written. @throws UsageError */
async function requireWritable(file: string): Promise<void> {
  if ((await stat(file).catch(() => undefined))?.isDirectory())
    throw new UsageError(`--out: ${file} is a folder. Name a file in it.`);
  const folder = dirname(file);
  await access(folder, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT' || error.code === 'ENOTDIR';
    throw new UsageError(
      isMissing
        ? `--out: the folder ${folder} does not exist. Create it first.`
        : `--out: you may not write in the folder ${folder}.`,
    );
  });
}

function shown(answer: unknown, { json }: Common, { columns }: Terminal): string {
  return json ? JSON.stringify(answer, null, 2) : printed(answer, columns);
}

/**
 * The input with `dry_run`, where the operation has one of its own; undefined where the command shows the request and
 * sends nothing.
 */
function withDryRun(tool: RestTool, dryRun: boolean | undefined, input: CommandLine['input']) {
  if (!dryRun) return input;
  return 'dry_run' in tool.input.shape ? { ...input, dry_run: true } : undefined;
}

/** Asks before what cannot be taken back. @throws UsageError where no person can be asked, or says no */
async function confirm(tool: RestTool, terminal: Terminal): Promise<void> {
  if (tool.effect !== 'delete' && !tool.dangerous) return;
  const command = nounForm(tool.name);
  if (!terminal.canAsk)
    throw new UsageError(
      `'stallhand ${command}' asks before it does this. Add --yes where no one can answer.`,
    );
  const answer = await terminal.ask(`${tool.title}: are you sure? (y/N) `, { hidden: false });
  if (!/^(y|yes|s|sí|si)$/i.test(answer.trim())) throw new UsageError('Nothing was done.');
}

function wrote({ path, bytes }: { path: string; bytes: number }, terminal: Terminal): number {
  if (path !== '-') terminal.out(`${path} (${bytes.toLocaleString('en')} bytes)`);
  return EXIT.ok;
}

/** Where the file of an answer is: of a video, or of a file that was made. */
function fileAddress(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('url' in answer)) return undefined;
  const isFile = 'sha256' in answer || 'size_bytes' in answer;
  return isFile && typeof answer.url === 'string' ? answer.url : undefined;
}
