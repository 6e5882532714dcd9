import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { presentTemplate, TemplateAnswer } from './template-output.ts';

export const listVideoTemplates = defineTool({
  name: 'list_video_templates',
  title: 'List video templates',
  description:
    'List the templates that create_video accepts, built-in and your own, each with the schema of its data and its aspects. For sample data and the HTML of one, use get_video_template.',
  keywords: {
    en: [
      'video layouts available',
      'which designs',
      'styles of video',
      'what videos can be made',
      'choose a video design',
      'looks for a video',
    ],
    es: [
      'plantillas de video disponibles',
      'qué diseños hay',
      'estilos de video',
      'qué videos se pueden hacer',
      'elegir un diseño de video',
      'diseños para videos',
    ],
  },
  toolset: 'videos',
  effect: 'read',
  scope: 'videos:read',
  rest: { route: 'GET /video-templates' },
  mcp: { view: ({ items }) => brief(items) },
  input: z.object({}),
  output: z.object({ items: z.array(TemplateAnswer) }),
  run: async (_input, { app, caller }) => {
    const templates = await app.videos.templates.list(caller.accountId);
    return { items: templates.map(presentTemplate) };
  },
  examples: [{ title: 'Built-in templates', input: {} }],
});

type Template = z.output<typeof TemplateAnswer>;
type Fields = Readonly<Record<string, unknown>>;

/**
 * The templates as a model chooses from them: without samples and limits, which the error of a call names. A
 * field description that several templates share is written once.
 */
function brief(items: readonly Template[]) {
  const all = items.flatMap(({ manifest }) => Object.entries(fieldsOf(manifest)));
  const isShared = (name: string, field: unknown) =>
    JSON.stringify(field).length > SHORT &&
    all.filter(([other, same]) => other === name && JSON.stringify(same) === JSON.stringify(field)).length >
      1;
  const once = (fields: Fields) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        isShared(name, field) ? '(shared_fields)' : withoutLimits(field),
      ]),
    );
  const shared = all.filter(([name, field]) => isShared(name, field));
  return {
    items: items.map(({ name, built_in, manifest }) => {
      const { description, aspects, duration, schema } = manifest;
      const fields = { ...schema, properties: once(fieldsOf(manifest)) };
      return { name, built_in, manifest: { description, aspects, duration, schema: fields } };
    }),
    shared_fields: Object.fromEntries(shared.map(([name, field]) => [name, withoutLimits(field)])),
  };
}

/** Characters of a field that may be said twice. */
const SHORT = 60;

function fieldsOf({ schema: { properties } }: Template['manifest']): Fields {
  return typeof properties === 'object' && properties !== null ? { ...properties } : {};
}

const LIMITS: readonly string[] = ['maxLength', 'minLength', 'maxItems', 'minItems'];

function withoutLimits(field: unknown): unknown {
  if (Array.isArray(field)) return field.map(withoutLimits);
  if (typeof field !== 'object' || field === null) return field;
  const kept = Object.entries(field).filter(
    ([keyword, value]) => !(LIMITS.includes(keyword) && typeof value === 'number'),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, withoutLimits(value)]));
}
