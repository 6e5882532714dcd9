import { z } from 'zod';
import type { FaultDetail } from '../../src/errors.ts';
import { type InputKey, localizeDetail, localizeWarning, type Reader } from '../../src/language.ts';
import { assertArchive } from '../../src/templates/importing/archive/archive.ts';
import { ARCHIVE_LIMITS } from '../../src/templates/importing/archive/limits.ts';
import type { Imported } from '../../src/templates/importing/importing.ts';
import { EnvironmentName, TemplateKind, Warning } from '../../src/templates/schema.ts';
import { type Call, defineTool, type SayCall } from '../contract/define.ts';
import { author, environmentsOf, newEnvironments } from './output.ts';

const Problem = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
  line: z.number().optional(),
  col: z.number().optional(),
});

const Import = z.object({
  environments: z.array(EnvironmentName).meta({ description: 'Environments that new templates are in' }),
  created: z.array(
    z.object({
      name: z.string(),
      kind: TemplateKind,
      version: z.string().meta({ description: 'Newest version on main' }),
      from: z.string().meta({ description: 'ID, name or file it was imported from' }),
    }),
  ),
  skipped: z.array(
    z.object({ name: z.string(), reason: z.string(), message: z.string(), errors: z.array(Problem) }),
  ),
  notes: z.array(Warning.extend({ template: z.string() })),
});

const notLive = (say: SayCall) =>
  `What is new is in no environment. When the user agrees, promote each with ${say('promote_template')}: to staging, then to production.`;

const ImportInput = z.object({
  source: z
    .enum(['sendgrid', 'postmark', 'mailgun', 'mjml', 'html', 'zip', 'auto'])
    .default('auto')
    .meta({ description: 'Service or format of the payload; auto detects it from its fields' }),
  payload: z
    .union([z.string(), z.looseObject({}), z.array(z.looseObject({}))], 'import_payload' satisfies InputKey)
    .meta({
      description:
        'JSON of the service, {name, html | mjml, subject, text}, HTML or MJML source, or a ZIP in base64',
    }),
  on_conflict: z.enum(['skip', 'rename', 'version']).default('skip').meta({
    description: 'What to do when the name is taken: skip it, rename it, or add it as a new version on main',
  }),
  prefix: z.string().max(40).default('').meta({ description: 'Prefix for every name' }),
  skip_invalid: z
    .boolean()
    .default(false)
    .meta({ description: 'Skip invalid templates instead of rejecting the import' }),
  dry_run: z.boolean().default(false),
  environments: newEnvironments,
});
type ImportInput = z.output<typeof ImportInput>;

export const importTemplates = defineTool({
  name: 'import_templates',
  title: 'Import templates',
  description:
    'Import templates from SendGrid, Postmark or Mailgun JSON, MJML or HTML files, or a ZIP from export_bundle. Syntax is converted and every change reported. All or nothing; dry_run only reports.',
  keywords: {
    en: [
      'import from sendgrid, postmark, mailgun',
      'migrate from another service',
      'restore a backup zip',
      'upload html files',
      'mjml',
    ],
    es: [
      'importar plantillas',
      'migrar desde otro servicio',
      'traer de sendgrid, postmark o mailgun',
      'cargar un zip',
      'restaurar un respaldo',
      'subir archivos html',
    ],
  },
  toolset: 'templates',
  effect: 'create',
  scope: 'templates:write',
  rest: {
    route: 'POST /v1/import',
    status: 200,
    created: ({ created }) => created.length > 0,
    upload: {
      mediaType: 'application/zip',
      field: 'payload',
      limit: ARCHIVE_LIMITS.archiveBytes,
      check: assertArchive,
    },
  },
  mcp: {
    next: ({ environments, created }, say) =>
      created.length > 0 && environments.length === 0 ? notLive(say) : undefined,
    view: ({ created, skipped, notes }) =>
      [
        ...created.map(({ name, kind, version }) => `${name}: ${kind} ${version}`),
        ...skipped.map(({ name, message }) => `${name} skipped: ${message}`),
        ...notes.map(({ template, message }) => `- ${template}: ${message}`),
      ].join('\n'),
  },
  input: ImportInput,
  output: Import,
  confirm: async (input, call) => {
    if (input.on_conflict !== 'version' || input.dry_run) return undefined;
    const { created } = await importOf({ ...input, dry_run: true }, call);
    // What is new begins with it.
    const over = created.filter(({ version }) => version !== 'v1.0.0').map(({ name }) => name);
    if (over.length === 0) return undefined;
    return { key: 'import_over', params: { names: over.slice(0, 5).join(', ') }, shown: over.join('\n') };
  },
  run: async (input, call) => {
    const environments = environmentsOf(input.environments, call, 'import_templates');
    return { environments, ...present(await importOf(input, call), call) };
  },
  examples: [
    {
      title: 'A Postmark template',
      input: {
        source: 'postmark',
        payload: {
          Name: 'Trial ends',
          Alias: 'trial-ends',
          Subject: 'Your trial ends, {{name}}',
          HtmlBody: '<p>Hi {{name}}, <a href="{{{pm:unsubscribe_url}}}">no more mails</a></p>',
          TemplateType: 'Standard',
        },
        environments: ['staging', 'production'],
      },
    },
    {
      title: 'A SendGrid template, dry run',
      input: {
        payload: {
          id: 'd-1',
          name: 'Shipped',
          generation: 'dynamic',
          versions: [
            {
              name: 'one',
              active: 1,
              subject: 'Sent',
              html_content: '<p>{{insert name "default=there"}}</p>',
            },
          ],
        },
        dry_run: true,
        environments: ['staging'],
      },
    },
  ],
});

function importOf(
  { on_conflict: onConflict, skip_invalid: skipInvalid, dry_run: dryRun, ...input }: ImportInput,
  call: Call,
): Promise<Imported> {
  const environments = environmentsOf(input.environments, call, 'import_templates');
  const archive = call.upload?.path;
  const mayWriteAssets = call.caller.scopes.includes('assets:write');
  const request = { ...input, archive, onConflict, skipInvalid, dryRun, environments, mayWriteAssets };
  return call.app.templates.importing.run(author(call), request, call);
}

function present({ created, skipped, notes }: Imported, reader: Reader) {
  return {
    created,
    skipped: skipped.map(({ name, reason, errors }) => {
      const { code, message } = localizeWarning(reason, reader);
      return {
        name,
        reason: code.replace('import_skipped_', ''),
        message,
        errors: errors.map(presentImported),
      };
    }),
    notes: notes.map(({ template, note }) => ({ template, ...localizeWarning(note, reader) })),
  };

  function presentImported(detail: FaultDetail) {
    const { loc, ...rest } = localizeDetail(detail, reader);
    return { loc: [...loc], ...rest };
  }
}
