import { z } from 'zod';
import type { Arrival } from '../arrival.ts';
import { postmarkDialect } from '../rewriting/postmark-dialect.ts';
import { foreignVersion } from './foreign-version.ts';
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

export function readPostmark(payload: unknown, where: string): Promise<Arrival[]> {
  return Array.fromAsync(parseExport(Export, payload, 'Postmark', where).values().map(readTemplate));
}

async function readTemplate(template: Template): Promise<Arrival> {
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
    fixtures: {},
    notes,
    problems: empty ? [{ key: 'template_invalid.import_no_content', params: { from }, loc: [] }] : [],
  };
}
