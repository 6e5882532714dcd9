import { z } from 'zod';
import { VOCABULARY } from '../../engine/vocabulary/vocabulary.ts';
import type { ImportedTemplate } from '../imported-template.ts';
import { type Dialect, foreignVersion, type RewritableCall } from '../rewriting/rewriting.ts';
import { parseExport } from './parse-export.ts';

const Template = z.looseObject({
  TemplateId: z.number().optional(),
  Name: z.string(),
  Alias: z.string().nullish(),
  Subject: z.string().nullish(),
  HtmlBody: z.string().nullish(),
  TextBody: z.string().nullish(),
  TemplateType: z.enum(['Standard', 'Layout']).default('Standard'),
  LayoutTemplate: z.string().nullish(),
});
type Template = z.output<typeof Template>;

/** `GET /templates/{id}`, several of them, or the list of `GET /templates` with the bodies filled in. */
const Export = z.union([
  z.array(Template),
  z.looseObject({ Templates: z.array(Template) }).transform(({ Templates }) => Templates),
  Template.transform((template) => [template]),
]);

export function readPostmark(payload: unknown, where: string): Promise<ImportedTemplate[]> {
  return Array.fromAsync(parseExport(Export, payload, 'Postmark', where).values().map(readTemplate));
}

async function readTemplate(template: Template): Promise<ImportedTemplate> {
  const { Name, Alias, Subject, HtmlBody, TextBody, TemplateType, LayoutTemplate } = template;
  const key = Alias || Name;
  const from = template.TemplateId === undefined ? key : String(template.TemplateId);
  const isLayout = TemplateType === 'Layout';
  const content = {
    title: Name,
    message: `Imported from Postmark: ${Name}`,
    html: HtmlBody ?? '',
    text: TextBody,
    // A layout has no subject of its own.
    ...(!isLayout && { subject: Subject, layout: LayoutTemplate || undefined }),
  };
  const { version, notes } = await foreignVersion(content, postmarkDialect);
  const empty = !HtmlBody && !TextBody;
  return {
    from,
    key,
    name: key,
    kind: isLayout ? 'layout' : 'template',
    description: key === Name ? '' : Name.slice(0, 1000).toWellFormed(),
    tags: [],
    versions: empty ? [] : [version],
    active: 0,
    readFixtures: async () => ({}),
    notes,
    problems: empty ? [{ key: 'template_invalid.import_no_content', params: { from }, loc: [] }] : [],
  };
}

/** Mustachio (postmarkapp.com/support/article/1077-template-syntax). */
export const postmarkDialect: Dialect = {
  helpers: {},
  marks: [],
  call(call) {
    const { node } = call;
    if (node.type === 'MustacheStatement') rewritePrinted(call);
    else if (node.type === 'BlockStatement') noteSection(call);
  },
};

function rewritePrinted({ node, field, source, spanOf, replace, note }: RewritableCall): void {
  const name = node.path.original;
  const span = spanOf(node);
  const isRaw = /^\{\{~?[{&]/.test(source.slice(span.start, span.end));
  const instead = name === '.' && isRaw ? '{{{this}}}' : insteadOf(name, field === 'html');
  if (instead === undefined) return;
  replace(span, instead);
  if (name !== '.') note('import_variable', { from: `{{${name}}}`, to: instead }, span);
}

function insteadOf(name: string, inHtml: boolean): string | undefined {
  switch (name) {
    case '.':
      return '{{this}}';
    case '@content':
      return '{{> @partial-block}}';
    case 'pm:unsubscribe_url':
      return '{{unsubscribe_url}}';
    case 'pm:unsubscribe':
      return inHtml ? '<a href="{{unsubscribe_url}}">Unsubscribe</a>' : '{{unsubscribe_url}}';
    default:
      return undefined;
  }
}

/** Mustachio never repeats a section; ours repeats when the data has a list there. */
function noteSection({ node, spanOf, source, note }: RewritableCall): void {
  const alone = node.params.length === 0 && !node.hash && !VOCABULARY.has(node.path.original);
  const { start, end } = spanOf(node);
  const isInverted = /^\{\{~?\s*\^/.test(source.slice(start, end));
  if (alone && !isInverted) note('import_section', { from: `{{#${node.path.original}}}` }, { start, end });
}
