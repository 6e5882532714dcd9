import { useEffect, useRef, useState } from 'react';
import { type Draft, deleteDraft, type Fields, readDraft, writeDraft } from './drafts.ts';

/** The content as it is typed: what the version has, with what was changed in its place. */
export type Edited<Field extends string> = {
  readonly content: Readonly<Record<Field, string>>;
  /** What differs from the version. */
  readonly changes: Fields<Field>;
  readonly isChanged: boolean;
  readonly savedAt: string | undefined;
  /** The version the draft began from, where that is no longer the newest. */
  readonly olderBase: string | undefined;
  set(field: Field, value: string): void;
  /** Takes over several fields at once, as if they were typed. */
  take(fields: Fields<Field>): void;
  /** To give up what was typed. */
  discard(): void;
  /** After a save: what was typed since it was sent stays, on the version that it became. */
  settle(sent: Fields<Field>, version: string): void;
};

/** Keeps a draft of what a version holds: typed text survives a reload, a crash and a lost session. */
export function useDraft<Field extends string>(
  of: string,
  saved: Readonly<Record<Field, string>>,
  version: string,
): Edited<Field> {
  const [draft, setDraft] = useState<Draft<Field>>();
  // A save ends long after it was sent, and then it is about what was typed last.
  const latest = useRef(draft);
  const keep = (next: Draft<Field> | undefined) => {
    latest.current = next;
    setDraft(next);
    void (next ? writeDraft(of, next) : deleteDraft(of));
  };
  useEffect(() => {
    let isCurrent = true;
    latest.current = undefined;
    setDraft(undefined);
    void readDraft<Field>(of).then((found) => {
      if (!isCurrent) return;
      latest.current ??= found;
      setDraft(latest.current);
    });
    return () => {
      isCurrent = false;
    };
  }, [of]);

  const take = (taken: Fields<Field>) => {
    const { base = version, fields } = latest.current ?? {};
    keep({ base, fields: { ...fields, ...taken } as Fields<Field>, savedAt: new Date().toISOString() });
  };
  const changes = differing(draft?.fields, saved);
  const isChanged = Object.keys(changes).length > 0;
  return {
    content: { ...saved, ...changes },
    changes,
    isChanged,
    savedAt: isChanged ? draft?.savedAt : undefined,
    olderBase: isChanged && draft && draft.base !== version ? draft.base : undefined,
    set: (field, value) => take({ [field]: value } as Fields<Field>),
    take,
    discard: () => keep(undefined),
    settle(sent, made) {
      const since = differing(latest.current?.fields, sent);
      const isMore = Object.keys(since).length > 0;
      keep(isMore ? { base: made, fields: since, savedAt: new Date().toISOString() } : undefined);
    },
  };
}

function differing<Field extends string>(
  typed: Fields<Field> | undefined,
  from: Fields<Field>,
): Fields<Field> {
  const changed = Object.entries(typed ?? {}).filter(([field, value]) => value !== from[field as Field]);
  // The fields are those that were typed.
  return Object.fromEntries(changed) as Fields<Field>;
}
