import { useEffect, useState } from 'react';
import type { Output } from '../../api/operation.ts';
import type { getTemplate } from '../../api/operations.gen.ts';
import { type Draft, deleteDraft, readDraft, SOURCE_FIELDS, type SourceField, writeDraft } from './drafts.ts';

type Template = Output<typeof getTemplate>;
type Fields = Draft['fields'];

/** The content as it is typed: what the version has, with what was changed in its place. */
export type EditedDocument = {
  readonly content: Readonly<Record<SourceField, string>>;
  /** What differs from the version. */
  readonly changes: Fields;
  readonly isChanged: boolean;
  readonly savedAt: string | undefined;
  /** The version the draft began from, where that is no longer the newest. */
  readonly olderBase: string | undefined;
  set(field: SourceField, value: string): void;
  /** Takes over several fields at once, as if they were typed. */
  take(fields: Fields): void;
  /** After a save, or to give up what was typed. */
  discard(): void;
};

/** Keeps a draft of a template on a branch: typed text survives a reload, a crash and a lost session. */
export function useDocument(template: Template, branch: string): EditedDocument {
  const [draft, setDraft] = useState<Draft>();
  const { name, version } = template;
  useEffect(() => {
    let isCurrent = true;
    setDraft(undefined);
    void readDraft(name, branch).then((found) => isCurrent && setDraft((typed) => typed ?? found));
    return () => {
      isCurrent = false;
    };
  }, [name, branch]);

  const take = (taken: Fields) => {
    const fields = { ...draft?.fields, ...taken };
    const next = { base: draft?.base ?? version, fields, savedAt: new Date().toISOString() };
    setDraft(next);
    void writeDraft(name, branch, next);
  };
  const changes = changesOf(template, draft?.fields ?? {});
  const isChanged = Object.keys(changes).length > 0;
  return {
    content: contentOf(template, changes),
    changes,
    isChanged,
    savedAt: isChanged ? draft?.savedAt : undefined,
    olderBase: isChanged && draft && draft.base !== version ? draft.base : undefined,
    set: (field, value) => take({ [field]: value }),
    take,
    discard() {
      setDraft(undefined);
      void deleteDraft(name, branch);
    },
  };
}

function contentOf(template: Template, changes: Fields): Record<SourceField, string> {
  return Object.fromEntries(
    SOURCE_FIELDS.map((field) => [field, changes[field] ?? template[field] ?? '']),
    // The fields are those of the list.
  ) as Record<SourceField, string>;
}

function changesOf(template: Template, typed: Fields): Fields {
  return Object.fromEntries(
    Object.entries(typed).filter(([field, value]) => value !== (template[field as SourceField] ?? '')),
  );
}
