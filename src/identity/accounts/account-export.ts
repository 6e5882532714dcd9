import { Fault } from '../../errors.ts';
import type { Page } from '../../platform/paging.ts';

/** One kind of thing an account has, as rows of the export. Secrets are never among them. */
export type Exporter = {
  /** The field of the export the rows stand in. */
  readonly name: string;
  read(accountId: string): AsyncIterable<object>;
};

type AccountExportDeps = {
  /** @throws Fault not_found.account */
  readonly find: (accountId: string) => Promise<{ readonly id: string; readonly name: string }>;
  readonly exporters: readonly Exporter[];
  readonly now?: () => number;
};

const MAX_EXPORT_BYTES = 64 * 1024 * 1024;
const PAGE = 200;

/** Everything an account has, as one JSON document: a field for each exporter, one row a line. */
export function createAccountExport({ find, exporters, now = Date.now }: AccountExportDeps) {
  return {
    /** @throws Fault not_found.account, too_large.export */
    async export(accountId: string) {
      const { id, name } = await find(accountId);
      const at = new Date(now()).toISOString();
      const head = { format: 'stallhand-account', version: 1, exported_at: at, account: { id, name } };
      const pieces = [Buffer.from(JSON.stringify(head).slice(0, -1))];
      let bytes = pieces[0]?.length ?? 0;
      for await (const piece of fieldsOf(exporters, accountId)) {
        const next = Buffer.from(piece);
        bytes += next.length;
        if (bytes > MAX_EXPORT_BYTES)
          throw new Fault('too_large.export', { limit: MAX_EXPORT_BYTES / 1024 / 1024 });
        pieces.push(next);
      }
      return {
        bytes: Buffer.concat([...pieces, Buffer.from('}\n')]),
        mediaType: 'application/json',
        filename: `account-${at.slice(0, 10)}.json`,
      };
    },
  };
}

async function* fieldsOf(exporters: readonly Exporter[], accountId: string): AsyncIterable<string> {
  for (const { name, read } of exporters) {
    yield `,\n${JSON.stringify(name)}:[`;
    let first = true;
    for await (const row of read(accountId)) {
      yield `${first ? '' : ','}\n${JSON.stringify(row)}`;
      first = false;
    }
    yield ']';
  }
}

/** An exporter of a list that comes in pages. */
export function exportPages<Item extends object>(
  name: string,
  list: (accountId: string, request: { limit: number; cursor?: string }) => Promise<Page<Item>>,
): Exporter {
  return {
    name,
    async *read(accountId) {
      let cursor: string | null = null;
      do {
        const page = await list(accountId, { limit: PAGE, ...(cursor && { cursor }) });
        yield* page.items;
        cursor = page.next_cursor;
      } while (cursor);
    },
  };
}

/** An exporter of a list that is short. */
export function exportList<Item extends object>(
  name: string,
  list: (accountId: string) => Promise<readonly Item[]>,
): Exporter {
  return {
    name,
    async *read(accountId) {
      yield* await list(accountId);
    },
  };
}
