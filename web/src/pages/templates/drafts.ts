import { user } from '../../session/session.ts';

/** What a person typed and did not save. */
export type Draft = {
  /** The version it changes. */
  readonly base: string;
  readonly fields: Readonly<Partial<Record<SourceField, string>>>;
  readonly savedAt: string;
};

export const SOURCE_FIELDS = ['html', 'css', 'text', 'subject', 'preheader'] as const;
export type SourceField = (typeof SOURCE_FIELDS)[number];

const STORE = 'drafts';

/** Drafts stay in this browser, by person, template and branch, until they are saved or discarded. */
export async function readDraft(template: string, branch: string): Promise<Draft | undefined> {
  return await request<Draft | undefined>('readonly', (store) => store.get(keyOf(template, branch)));
}

export async function writeDraft(template: string, branch: string, draft: Draft): Promise<void> {
  await request('readwrite', (store) => store.put(draft, keyOf(template, branch)));
}

export async function deleteDraft(template: string, branch: string): Promise<void> {
  await request('readwrite', (store) => store.delete(keyOf(template, branch)));
}

/** A browser may be shared: the next person who signs in does not see what another typed. */
const keyOf = (template: string, branch: string) => `${user().id ?? 'local'} ${template} ${branch}`;

async function request<Result>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest,
): Promise<Result> {
  const database = await open();
  try {
    return await answerOf(ask(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  const opening = indexedDB.open('stallhand', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return answerOf(opening);
}

function answerOf<Result>(asked: IDBRequest): Promise<Result> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error('IndexedDB'));
  });
}
