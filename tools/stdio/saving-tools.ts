import { z } from 'zod';
import type { Call, SayCall, Tool } from '../contract/define.ts';
import { createRegistry, type Registry } from '../contract/registry.ts';
import { createMetaTools } from '../meta/index.ts';
import { savable, saveFile } from './save-file.ts';

/** Tools that hand out files. */
const FILE_TOOLS = [
  'export_template',
  'preview_template',
  'diff_versions',
  'render_batch',
  'export_bundle',
  'export_history',
  'download_generation',
  'export_account',
];

const SAVED = 'The file is saved on this machine: saved_to has its path.';
const LINKED = 'Links to files work on this machine while Stallhand runs there.';
const SAVABLE = 'To save a file, call again with save_to; if you used read_tool, use run_tool.';
const saveTo = z
  .string()
  .min(1)
  .max(500)
  .optional()
  .meta({ description: 'Path to save the file to, in OUTPUT_DIR' });
const savedTo = z.array(z.string()).optional();

type Place = {
  /** Where files may be saved; undefined, nowhere. */
  readonly outputDir: string | undefined;
  /** Links lead to a server that others reach too. */
  readonly isPublic: boolean;
};

/**
 * The tools of a process on the user's own machine, which may write files below a folder: those that hand out files, and
 * get_video, also take `save_to`, and say what their links are good for. Tools over HTTP never have it.
 */
export function withSaving(registry: Registry, { outputDir, isPublic }: Place): Registry {
  const operations = registry.tools
    .filter(({ toolset }) => toolset !== 'meta')
    .map((tool) => {
      const isVideo = tool.name === 'get_video';
      if (!isVideo && !FILE_TOOLS.includes(tool.name)) return tool;
      const hint = [...(isPublic ? [] : [LINKED]), ...(outputDir === undefined ? [] : [SAVABLE])].join(' ');
      const telling = withHint(tool, hint);
      if (outputDir === undefined) return telling;
      return isVideo ? savingVideo(telling, outputDir) : savingFiles(telling, outputDir);
    });
  return createRegistry([...operations, ...createMetaTools(operations)]);
}

const LINK = /\/v1\/files\/file_|\/videos\/vid_\w+\/file\?/;

/** The tool with a sentence for answers that have a link, and nothing saved. */
function withHint(tool: Tool, hint: string): Tool {
  const { mcp } = tool;
  if (!mcp || hint === '') return tool;
  const hintFor = (output: unknown) => (savedOf(output) || !LINK.test(JSON.stringify(output)) ? '' : hint);
  const next = (output: never, say: SayCall) =>
    [mcp.next?.(output, say), hintFor(output)].filter(Boolean).join('\n') || undefined;
  return { ...tool, mcp: { ...mcp, next } };
}

function savingFiles(tool: Tool, outputDir: string): Tool {
  return saving(tool, async (path, run, call) => {
    const saved: string[] = [];
    const output = await run({
      ...call,
      async deliver(file) {
        // First: one on disk may be removed once it is delivered.
        saved.push(await saveFile(outputDir, path, savable(file)));
        return call.deliver(file);
      },
    });
    return { output, saved };
  });
}

function savingVideo(tool: Tool, outputDir: string): Tool {
  return saving(tool, async (path, run, call) => {
    const output = await run(call);
    const { id, status } = z.object({ id: z.string(), status: z.string() }).parse(output);
    const file =
      status === 'completed' && (await call.app.videos.openFile(call.caller.accountId, id, 'file'));
    const opened = file && (await file.read());
    if (!file || !opened) return { output, saved: [] };
    return {
      output,
      saved: [await saveFile(outputDir, path, { filename: file.filename, stream: opened.stream })],
    };
  });
}

type Run = (call: Call) => Promise<unknown>;
type Saved = { readonly output: unknown; readonly saved: readonly string[] };

/** The tool with `save_to` in its input and `saved_to` in its output. */
function saving(tool: Tool, save: (path: string, run: Run, call: Call) => Promise<Saved>): Tool {
  const { output, mcp } = tool;
  if (!(output instanceof z.ZodObject) || !mcp)
    throw new Error(`The output of '${tool.name}' is not one object.`);
  return {
    ...tool,
    input: tool.input.extend({ save_to: saveTo }).strict(),
    savesWith: 'save_to',
    output: output.extend({ saved_to: savedTo }),
    needsThisProcess: (input) => Object.hasOwn(Object(input), 'save_to'),
    async run(input, call) {
      const { save_to: path, ...rest } = input as { save_to?: string };
      // The tool's own input, as its own schema has parsed it.
      const run: Run = (with_) => tool.run(rest as never, with_);
      if (path === undefined) return run(call);
      const { output: ran, saved } = await save(path, run, call);
      return saved.length === 0 ? ran : { ...(ran as object), saved_to: saved };
    },
    mcp: {
      ...mcp,
      ...(mcp.view && { view: (ran: never) => viewWith(mcp.view?.(ran) ?? {}, ran) }),
      next: (ran: never, say: SayCall) =>
        [savedOf(ran) && SAVED, mcp.next?.(ran, say)].filter(Boolean).join('\n') || undefined,
    },
  };
}

/** What a model reads of the output, with the paths. */
function viewWith(view: string | object, output: unknown): string | object {
  const saved = savedOf(output);
  if (!saved) return view;
  return typeof view === 'string' ? `${view}\nsaved_to: ${saved.join(', ')}` : { ...view, saved_to: saved };
}

function savedOf(output: unknown): readonly string[] | undefined {
  return (output as { saved_to?: readonly string[] }).saved_to;
}
