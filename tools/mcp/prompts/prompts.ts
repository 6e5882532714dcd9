import {
  type GetPromptResult,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { Fault } from '../../../src/errors.ts';
import { localizeArgument, localizePrompt, type PromptName } from '../../../src/language.ts';
import { deliverByLink } from '../../contract/delivered.ts';
import type { Choice } from '../catalog.ts';
import { createEnclosures, enclosing } from '../enclosures.ts';
import { uriOf } from '../resources/kinds.ts';
import { answerRead, type Reading, type ReadingParts } from '../visit-call.ts';

type Argument = {
  /** The key of its description in `prompts.arguments` of the locales. */
  readonly name: Parameters<typeof localizeArgument>[0];
  readonly required?: true;
};
type Prompt = {
  readonly name: PromptName;
  readonly arguments: readonly Argument[];
  /** The tools its text names: it is only offered where all of them can be called. */
  readonly tools: readonly string[];
  /** Begins with the changes between two versions, as a diff and as an image. */
  readonly showsDiff?: true;
};

/** Tasks a person starts by name. The texts are in the locales: `prompts` has a title, a description and the text of each. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'design_email',
    arguments: [{ name: 'brief', required: true }, { name: 'template' }, { name: 'language' }],
    tools: ['list_templates', 'create_template', 'lint_template', 'preview_template', 'promote_template'],
  },
  {
    name: 'review_changes',
    arguments: [{ name: 'template', required: true }, { name: 'from' }, { name: 'to' }],
    tools: ['diff_versions'],
    showsDiff: true,
  },
  {
    name: 'ship_template',
    arguments: [{ name: 'template', required: true }],
    tools: ['diff_versions', 'lint_template', 'preview_template', 'promote_template'],
  },
  {
    name: 'translate_template',
    arguments: [
      { name: 'template', required: true },
      { name: 'language', required: true },
    ],
    tools: ['get_template', 'create_branch', 'update_template', 'preview_template'],
  },
  {
    name: 'viral_hooks',
    arguments: [{ name: 'topic', required: true }, { name: 'platform' }, { name: 'count' }],
    tools: ['submit_hooks'],
  },
  {
    name: 'product_video',
    arguments: [{ name: 'product', required: true }, { name: 'aspect' }],
    tools: ['list_video_templates', 'create_video', 'get_video'],
  },
  {
    name: 'sync_checkup',
    arguments: [{ name: 'config' }],
    tools: ['list_sync_configs', 'list_sync_runs', 'list_conflicts', 'preview_sync'],
  },
];

/** Offers the prompts whose tools the operator lets be called. */
export function offerPrompts({ server }: McpServer, parts: ReadingParts): void {
  const offeredTo = (choice: Choice) =>
    PROMPTS.filter(({ tools }) => tools.every((tool) => choice.find(tool)));
  server.registerCapabilities({ prompts: {} });
  server.setRequestHandler('prompts/list', (_request, ctx) =>
    answerRead(parts, ctx, ({ visit, choice }) => ({
      prompts: offeredTo(choice).map(({ name, arguments: taken }) => {
        const { title, description } = localizePrompt(name, {}, visit);
        const described = taken.map(({ name: argument, required = false }) => ({
          name: argument,
          description: localizeArgument(argument, visit.locale),
          required,
        }));
        return { name, title, description, arguments: described };
      }),
    })),
  );
  server.setRequestHandler('prompts/get', ({ params }, ctx) =>
    answerRead(parts, ctx, async (reading) => {
      const offered = offeredTo(reading.choice);
      const prompt = offered.find(({ name }) => name === params.name);
      if (!prompt)
        throw invalid(
          `There is no prompt '${params.name}'. Prompts: ${offered.map(({ name }) => name).join(', ')}.`,
        );
      const values = params.arguments ?? {};
      const missing = prompt.arguments.find(({ name, required }) => required && !values[name]?.trim());
      if (missing) throw invalid(`The prompt ${prompt.name} needs the argument ${missing.name}.`);
      const { description, text } = localizePrompt(prompt.name, values, reading.visit);
      const shown = prompt.showsDiff ? await diffOf(values, reading) : [];
      return { description, messages: [...shown, said({ type: 'text', text })] };
    }),
  );
}

type Message = GetPromptResult['messages'][number];

/** The diff as text and, if a browser can make one, as an image. */
async function diffOf(
  { template = '', from = 'production', to = 'main' }: Readonly<Record<string, string>>,
  { app, visit, call }: Reading,
): Promise<Message[]> {
  const files = createEnclosures();
  const deliver = enclosing(deliverByLink(app, visit.caller, visit.baseUrl), files);
  const { unified = '' } = (await call('diff_versions', { template, from, to })) as { unified?: string };
  const uri = uriOf('diff://{template}/{from}..{to}', { template, from, to });
  const visual = { template, from, to, format: 'visual' };
  await call('diff_versions', visual, { deliver }).catch((error: unknown) => {
    // The text has everything; the image is for people.
    if (!(error instanceof Fault)) throw error;
  });
  const diff = said({ type: 'resource', resource: { uri, mimeType: 'text/x-diff', text: unified } });
  return [diff, ...files.content().map((one) => said(one))];
}

function said(content: Message['content']): Message {
  return { role: 'user', content };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
