import { partialName } from '../engine/ast.ts';
import type { Document } from '../schema.ts';
import { applyEdits, type Edit } from './rewriting/apply-edits.ts';
import { readMustaches } from './rewriting/read-mustaches.ts';

/** The document with the layout and partials called by their new names. */
export function renameParts(document: Document, names: ReadonlyMap<string, string>): Document {
  const renamed = { ...document };
  for (const field of ['html', 'subject', 'preheader', 'text'] as const) {
    const text = document[field];
    if (text?.includes('{{')) renamed[field] = renameCalls(text, names);
  }
  const layout = document.layout === undefined ? undefined : names.get(document.layout);
  return layout === undefined ? renamed : { ...renamed, layout };
}

function renameCalls(text: string, names: ReadonlyMap<string, string>): string {
  const edits: Edit[] = [];
  readMustaches(text, (spanOf) => ({
    partial(node) {
      const name = partialName(node);
      const to = names.get(name);
      // Quotes, since a name may have spaces.
      if (to !== undefined && to !== name) edits.push({ ...spanOf(node.name), text: `"${to}"` });
    },
  }));
  return edits.length > 0 ? applyEdits(text, edits).text : text;
}
