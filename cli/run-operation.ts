import type { RestTool } from '../tools/contract/define.ts';
import { type Caller, callForFile, callOperation, download, writeJson } from './call.ts';
import { EXIT } from './failure.ts';
import { findServer } from './find-server.ts';
import type { CommandLine, Common } from './flags.ts';
import { followWork, hasFailed } from './follow.ts';
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
  const server = await findServer(common, program);
  try {
    return await callAndShow(tool, own, common, { server, terminal, language: config.language });
  } finally {
    await server.close();
  }
}

async function callAndShow(tool: RestTool, input: CommandLine['input'], common: Common, caller: Caller) {
  const { json, out, wait } = common;
  const { server, terminal } = caller;
  const file = out === undefined ? undefined : await callForFile(tool, input, out, caller);
  if (file) return wrote(file, terminal);
  const first = await callOperation(tool, input, caller);
  const answer = wait ? await followWork(tool.name, first, server, terminal) : first;
  const failed = wait === true && hasFailed(answer);
  const url = out === undefined || failed ? undefined : fileAddress(answer);
  if (out !== undefined && url !== undefined) return wrote(await download(url, out, caller), terminal);
  if (out !== undefined && out !== '-') await writeJson(answer, out);
  else terminal.out(shown(answer, json, terminal));
  return failed ? EXIT.failed : EXIT.ok;
}

function shown(answer: unknown, json: boolean | undefined, { columns }: Terminal): string {
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
