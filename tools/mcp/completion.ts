import type { McpServer } from '@modelcontextprotocol/server';
import { Fault } from '../../src/errors.ts';
import type { Catalogue } from './catalog.ts';
import { answerRead, type CallTool, type ReadingParts } from './visit-call.ts';

type Values = Readonly<Record<string, string>>;

/** Values of one argument, best first; they are compared with what has been typed by `matching`. */
type Completer = (
  call: CallTool,
  typed: string,
  others: Values,
) => Promise<readonly string[]> | readonly string[];

/** The protocol allows no more in one answer. */
const MAX_VALUES = 100;

/** Values for the arguments of prompts and the places of resource addresses, by their name. */
const COMPLETERS: Readonly<Record<string, Completer>> = {
  template: async (call, typed) =>
    names(await call('list_templates', { ...(typed && { q: typed }), limit: MAX_VALUES })),
  ref: refs,
  from: refs,
  to: refs,
  fixture: async (call, _typed, { template }) =>
    template === undefined ? [] : names(await call('list_fixtures', { template })),
  video_template: async (call) => names(await call('list_video_templates', {})),
  video_id: async (call) => ids(await call('list_videos', { limit: MAX_VALUES })),
  generation_id: async (call) => ids(await call('list_history', { limit: MAX_VALUES })),
  run_id: async (call) => ids(await call('list_sync_runs', { limit: MAX_VALUES })),
  job_id: async (call) => ids(await call('list_jobs', { limit: MAX_VALUES })),
  config: async (call) => ids(await call('list_sync_configs', { limit: MAX_VALUES })),
  count: () => ['3', '5', '10'],
  language: () => ['en', 'es', 'fr', 'de', 'it', 'pt', 'nl', 'pl', 'ja', 'zh', 'ko', 'ar', 'he', 'hi', 'th'],
};

/** Arguments whose values a tool lists in its schema. */
const CHOICES: Readonly<Record<string, readonly [tool: string, field: string]>> = {
  platform: ['submit_hooks', 'platform'],
  aspect: ['create_video', 'aspect'],
};

function choicesOf(name: string, catalogue: Catalogue): readonly string[] {
  const [tool = '', field = ''] = Object.hasOwn(CHOICES, name) ? (CHOICES[name] ?? []) : [];
  const properties = catalogue.shown(tool)?.inputSchema['properties'];
  const { enum: values } =
    (properties as Readonly<Record<string, { enum?: string[] }>> | undefined)?.[field] ?? {};
  return values ?? [];
}

async function refs(call: CallTool, _typed: string, { template }: Values): Promise<readonly string[]> {
  if (template === undefined) return ['production', 'staging', 'main'];
  const branches = names(await call('list_branches', { template }));
  const { items } = (await call('list_versions', { template, limit: MAX_VALUES })) as {
    items: { version: string }[];
  };
  return ['production', 'staging', ...branches, ...items.map(({ version }) => version)];
}

/** Completes the words a person types into a prompt or an address, with what their account has. */
export function offerCompletion({ server }: McpServer, parts: ReadingParts): void {
  server.registerCapabilities({ completions: {} });
  server.setRequestHandler('completion/complete', ({ params: { argument, context } }, ctx) =>
    answerRead(parts, ctx, async ({ call }) => {
      const completer = Object.hasOwn(COMPLETERS, argument.name) ? COMPLETERS[argument.name] : undefined;
      const found = completer
        ? await allowed(async () => completer(call, argument.value, context?.arguments ?? {}))
        : choicesOf(argument.name, parts.catalogue);
      const values = matching(found, argument.value);
      return {
        completion: {
          values: values.slice(0, MAX_VALUES),
          total: values.length,
          hasMore: values.length > MAX_VALUES,
        },
      };
    }),
  );
}

/** Those that begin with what was typed, then those that contain it. */
function matching(found: readonly string[], typed: string): string[] {
  const word = typed.toLowerCase();
  const unique = [...new Set(found)];
  const starts = unique.filter((one) => one.toLowerCase().startsWith(word));
  return [...starts, ...unique.filter((one) => !starts.includes(one) && one.toLowerCase().includes(word))];
}

/** Data that the caller may not read, or that does not exist, has no completions. */
async function allowed(complete: () => Promise<readonly string[]>): Promise<readonly string[]> {
  return complete().catch((error: unknown) => {
    if (error instanceof Fault) return [];
    throw error;
  });
}

function names(output: unknown): string[] {
  return (output as { items: { name: string }[] }).items.map(({ name }) => name);
}

function ids(output: unknown): string[] {
  return (output as { items: { id: string }[] }).items.map(({ id }) => id);
}
