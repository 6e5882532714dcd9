import { stableJson } from '../../src/platform/stable-json.ts';
import { filesOfDocument } from '../../src/templates/bundle/bundle-format.ts';
import { unifiedDiff } from '../../src/templates/diff/diff-text.ts';
import type { Document } from '../../src/templates/schema.ts';

const TEXTS = ['subject', 'preheader', 'text', 'css', 'layout'] as const;

/** The fields in which `to` differs from `from`, as an update sends them: an empty text clears a field. */
export function changedFields(from: Document, to: Document): Readonly<Record<string, unknown>> {
  const change: Record<string, unknown> = {};
  if (from.html !== to.html) change['html'] = to.html;
  if ((from.format ?? 'html') !== (to.format ?? 'html')) change['format'] = to.format ?? 'html';
  for (const field of TEXTS) if ((from[field] ?? '') !== (to[field] ?? '')) change[field] = to[field] ?? '';
  if (to.schema && stableJson(from.schema ?? {}) !== stableJson(to.schema)) change['schema'] = to.schema;
  return change;
}

/** What differs, file by file, as a unified diff; empty where nothing does. */
export function diffOf(name: string, from: Document | undefined, to: Document | undefined): string {
  const before = filesOf(from);
  const after = filesOf(to);
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((file) => {
      const path = `${name}/${file}`;
      const [old, own] = [before.get(file) ?? '', after.get(file) ?? ''];
      return old === own
        ? ''
        : unifiedDiff(old, own, { fromLabel: `server/${path}`, toLabel: `local/${path}` });
    })
    .filter(Boolean)
    .join('');
}

function filesOf(document: Document | undefined): ReadonlyMap<string, string> {
  if (!document) return new Map();
  const { files, fields } = filesOfDocument(document);
  return new Map([
    ...files,
    ...(Object.keys(fields).length > 0 ? [['template.json', `${stableJson(fields)}\n`] as const] : []),
  ]);
}
