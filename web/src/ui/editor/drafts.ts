import { chosenAccount, user } from '../../session/session.ts';

/** What a person typed and did not save. */
export type Draft<Field extends string> = {
  /** The version it changes. */
  readonly base: string;
  readonly fields: Fields<Field>;
  readonly savedAt: string;
};

export type Fields<Field extends string> = Readonly<Partial<Record<Field, string>>>;

const STORE = 'drafts';

/** Drafts stay in this browser, by person, account and what they change, until they are saved or discarded. */
export async function readDraft<Field extends string>(of: string): Promise<Draft<Field> | undefined> {
  return await request<Draft<Field> | undefined>('readonly', (store) => store.get(keyOf(of)));
}

export async function writeDraft<Field extends string>(of: string, draft: Draft<Field>): Promise<void> {
  await request('readwrite', (store) => store.put(draft, keyOf(of)));
}

export async function deleteDraft(of: string): Promise<void> {
  await request('readwrite', (store) => store.delete(keyOf(of)));
}

/** A browser may be shared: the next person who signs in does not see what another typed. */
function keyOf(of: string): string {
  const { id = 'local', account_id: home = '' } = user();
  return `${id} ${chosenAccount() ?? home} ${of}`;
}

/**
 * A write is on its way when this returns to the event that typed it: the connection is open already, and the transaction is
 * committed at once instead of after its answer. So the last key before a reload or a closed tab is kept, too.
 */
async function request<Result>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest,
): Promise<Result> {
  const transaction = (await connection()).transaction(STORE, mode);
  const answer = answerOf<Result>(ask(transaction.objectStore(STORE)));
  transaction.commit();
  return await answer;
}

/** The connection of this page, opened by the first request and left to the browser to close. */
let opened: Promise<IDBDatabase> | undefined;

function connection(): Promise<IDBDatabase> {
  opened ??= open().catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

async function open(): Promise<IDBDatabase> {
  const opening = indexedDB.open('stallhand', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await answerOf<IDBDatabase>(opening);
  // Who clears the data of the site closes it; the next request opens it again.
  database.onclose = () => {
    opened = undefined;
  };
  database.onversionchange = () => {
    database.close();
    opened = undefined;
  };
  return database;
}

function answerOf<Result>(asked: IDBRequest): Promise<Result> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error('IndexedDB'));
  });
}
