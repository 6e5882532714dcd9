import type { Output } from '../../api/operation.ts';
import type { getTemplate } from '../../api/operations.gen.ts';
import { type Edited, useDraft } from '../../ui/editor/use-draft.ts';

export const SOURCE_FIELDS = ['html', 'css', 'text', 'subject', 'preheader'] as const;
export type SourceField = (typeof SOURCE_FIELDS)[number];

type Template = Output<typeof getTemplate>;

export type EditedDocument = Edited<SourceField>;

/** A template on a branch as it is typed. */
export function useDocument(template: Template, branch: string): EditedDocument {
  const { name, version, html = '', css, text, subject, preheader } = template;
  const saved = {
    ...{ html, css: css ?? '', text: text ?? '' },
    ...{ subject: subject ?? '', preheader: preheader ?? '' },
  };
  return useDraft(`${name} ${branch}`, saved, version);
}
