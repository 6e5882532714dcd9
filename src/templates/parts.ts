import type { Sql, Tx } from '../platform/database/database.ts';
import { createLookup } from './lookup.ts';
import type { Document, EnvironmentName } from './schema.ts';
import { createTemplateStore, type TemplateRow, type VersionRow } from './store.ts';

type PartRow = Pick<TemplateRow, 'id' | 'name' | 'kind'>;

export type PartVersion = Pick<VersionRow, 'id' | 'content' | 'uses'>;

/** Where a composition finds the layouts and partials that contents name. */
export type Parts = {
  find(accountId: string, name: string): Promise<PartRow | undefined>;
  head(accountId: string, row: Pick<PartRow, 'id' | 'name'>): Promise<PartVersion>;
  shown(
    accountId: string,
    row: Pick<PartRow, 'id' | 'name'>,
    environment: EnvironmentName,
  ): Promise<PartVersion | undefined>;
  byId(accountId: string, id: string): Promise<PartVersion>;
  content(accountId: string, version: Pick<PartVersion, 'id' | 'content'>): Promise<Document>;
};

/** The parts an account has. */
export function storedParts(sql: Sql | Tx): Parts {
  const store = createTemplateStore(sql);
  const lookup = createLookup(sql);
  return {
    find: store.findTemplate,
    head: (accountId, row) => lookup.head(accountId, row),
    shown: lookup.shown,
    byId: lookup.byId,
    content: (accountId, { content }) => store.content(accountId, content),
  };
}
