import { useState } from 'react';
import {
  getVideoTemplate,
  listVideoTemplates,
  listVideoTemplateVersions,
  saveVideoTemplate,
} from '../../../api/operations.gen.ts';
import { useWrite } from '../../../api/write.ts';
import { useText } from '../../../i18n/text.ts';
import { useDraft } from '../../../ui/editor/use-draft.ts';
import { findingOf, findingsOf } from './findings.ts';
import {
  contentOf,
  type Finding,
  type OwnTemplate,
  readManifest,
  type TemplateContent,
} from './template-fields.ts';

/** The reads that show something else once a template was saved. */
export const CHANGED_BY_SAVE = [getVideoTemplate, listVideoTemplates, listVideoTemplateVersions];

const draftName = (template: string) => `video:${template}`;

/** A template as it is typed, what is wrong with it, and its way into a version. */
export function useOwnTemplate(template: OwnTemplate) {
  const t = useText();
  const { name, version } = template;
  const edited = useDraft(draftName(name), contentOf(template), String(version));
  const [sent, setSent] = useState<TemplateContent>();
  const [warnings, setWarnings] = useState<readonly Finding[]>([]);
  const { content } = edited;
  const { manifest, findings } = readManifest(content);
  const saving = useWrite(saveVideoTemplate, {
    changes: CHANGED_BY_SAVE,
    said: ({ version: made }) => t('editor.saved', { version: `v${made}` }),
    onDone: ({ version: made, warnings: found }) => {
      if (sent) edited.settle(sent, String(made));
      setWarnings(found.map((warning) => findingOf(warning, sent ?? content)));
    },
  });
  const isAboutThis = sent !== undefined && sent.html === content.html;
  return {
    edited,
    manifest,
    saving,
    /** Of the texts themselves, and of the last save as long as they are what was sent. */
    findings: [
      ...findings,
      ...(sent === undefined || isSame(sent, content) ? findingsOf(saving.fault, content) : []),
      ...(isAboutThis ? warnings : []),
    ],
    /** Saves on the version that was read; on another only where a person has seen it. */
    save(expected = edited.olderBase ?? String(version)) {
      if (manifest === undefined) return;
      setSent(content);
      saving.write({ template: name, html: content.html, manifest, expected_version: Number(expected) });
    },
  };
}

const isSame = (one: TemplateContent, other: TemplateContent) =>
  Object.entries(one).every(([field, value]) => other[field as keyof TemplateContent] === value);
