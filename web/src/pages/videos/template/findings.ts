import type { ApiFault, FieldError } from '../../../api/fault.ts';
import type { ScriptFailure } from '../player-frame.tsx';
import { FIELDS, type Finding, type TemplateContent, type TemplateField } from './template-fields.ts';

type Warning = {
  readonly code: string;
  readonly message: string;
  readonly field?: string | undefined;
  readonly line?: number | undefined;
  readonly col?: number | undefined;
};

/** What the server rejected, each at the field and line that it is about. Empty where it is about none. */
export function findingsOf(fault: ApiFault | null, content: TemplateContent): Finding[] {
  return (fault?.errors ?? []).flatMap((error) => {
    const [field, ...path] = placeOf(error);
    if (!isField(field)) return [];
    const place = error.line === undefined ? placeOfName(field, path, content) : placed(error);
    return [{ field, ...place, severity: 'error' as const, message: error.msg }];
  });
}

/** What is doubtful about it: at its line of the HTML, or where the data has the field. */
export function findingOf(warning: Warning, content: TemplateContent): Finding {
  const { field, message } = warning;
  const about = { severity: 'warning' as const, message };
  if (field === undefined || warning.line !== undefined)
    return { ...about, field: 'html', ...placed(warning) };
  const path = field.split('.').filter((part) => part !== 'data');
  return { ...about, field: 'sample', ...placeOfName('sample', path, content) };
}

/** A script of the template that failed while it was played. */
export function scriptFinding({ message, place }: ScriptFailure, { html }: TemplateContent): Finding {
  const finding = { field: 'html', severity: 'error', message } as const;
  const start = [...html.matchAll(/<script\b/gi)][place?.script ?? -1];
  if (!start || !place) return finding;
  return { ...finding, line: html.slice(0, start.index).split('\n').length + place.line, col: 1 };
}

/** `body.manifest.schema.properties` → `schema`, `properties`; the data of a preview is the sample. */
function placeOf({ loc }: FieldError): (string | number)[] {
  const [first = '', ...rest] = loc.filter(
    (part, at) => !(at === 0 && part === 'body') && part !== 'manifest',
  );
  return [first === 'data' ? 'sample' : first, ...rest];
}

const isField = (name: string | number | undefined): name is TemplateField =>
  FIELDS.some((one) => one === name);

function placed({ line, col }: { readonly line?: number | undefined; readonly col?: number | undefined }) {
  return { ...(line !== undefined && { line }), ...(col !== undefined && { col }) };
}

/** Where a JSON text has the last name of a path: its first occurrence, which is the right one in all but odd cases. */
function placeOfName(field: TemplateField, path: readonly (string | number)[], content: TemplateContent) {
  const written = content[field];
  const names = path.filter((part) => typeof part === 'string');
  const at = written.indexOf(`"${names.at(-1) ?? ''}"`);
  const before = at < 0 ? [''] : written.slice(0, at).split('\n');
  return { line: before.length, col: (before.at(-1)?.length ?? 0) + 1 };
}
