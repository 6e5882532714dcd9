import { stableJson } from '../../platform/stable-json.ts';
import { DataSchema, Document } from '../schema.ts';

/** The fields that become files, so that a bundle can be read and compared without this program. */
const FILES = {
  subject: 'subject.txt',
  preheader: 'preheader.txt',
  text: 'mail.txt',
  css: 'style.css',
} as const;

/** A document as files, and its other fields as JSON. */
export function filesOfDocument({ html, schema, ...document }: Document) {
  const fields: Record<string, unknown> = { ...document };
  const files: [file: string, text: string][] = [[htmlFile(fields), html]];
  for (const [field, file] of Object.entries(FILES)) {
    const text = fields[field];
    if (typeof text === 'string') files.push([file, text]);
    delete fields[field];
  }
  if (schema) files.push(['schema.json', stableJson(schema)]);
  return { files, fields };
}

/** The document of a folder; undefined where its main file is missing. `read` answers undefined for a file that is not there. */
export function documentOfFiles(
  fields: Readonly<Record<string, unknown>>,
  read: (file: string) => string | undefined,
): Document | undefined {
  const html = read(htmlFile(fields));
  if (html === undefined) return undefined;
  const texts = Object.entries(FILES).flatMap(([field, file]) => {
    const text = read(file);
    return text === undefined ? [] : [[field, text] as const];
  });
  const schema = read('schema.json');
  return Document.parse({
    ...fields,
    html,
    ...Object.fromEntries(texts),
    ...(schema !== undefined && { schema: DataSchema.parse(JSON.parse(schema)) }),
  });
}

function htmlFile(fields: Readonly<Record<string, unknown>>): string {
  return fields['format'] === 'mjml' ? 'mail.mjml' : 'mail.html';
}
