/* What the files in a backup are called. */

export const FILES = 'files/';
export const KEY = 'encryption.key';
export const SEQUENCES = 'sequences.json';
export const QUEUE = 'queue.json';

export function tableChunk(table: string, number: number): string {
  return `tables/${table}/${String(number).padStart(6, '0')}.jsonl`;
}

export type BackupEntry =
  | { readonly kind: 'file'; readonly key: string }
  | { readonly kind: 'rows'; readonly table: string }
  | { readonly kind: 'key' | 'sequences' | 'queue' };

const CHUNK = /^tables\/([a-z0-9_]+)\/\d{6,}\.jsonl$/;
/** As `Blobs` has them. */
const BLOB = /^[a-z0-9_-][a-z0-9_.-]*(?:\/[a-z0-9_-][a-z0-9_.-]*)*$/;

/** @throws Error for what is never in a backup */
export function parsePath(path: string): BackupEntry {
  if (path === KEY) return { kind: 'key' };
  if (path === SEQUENCES) return { kind: 'sequences' };
  if (path === QUEUE) return { kind: 'queue' };
  const [, table] = CHUNK.exec(path) ?? [];
  if (table) return { kind: 'rows', table };
  const key = path.startsWith(FILES) ? path.slice(FILES.length) : '';
  if (BLOB.test(key)) return { kind: 'file', key };
  throw new Error(`it holds ${JSON.stringify(path.slice(0, 100))}`);
}
