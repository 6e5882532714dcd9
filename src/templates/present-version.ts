import type { Sql, Tx } from '../platform/database/database.ts';
import { createEnvironmentStore } from './environments/store.ts';
import { aliasOf } from './label.ts';
import { createTemplateStore, type NewVersion, type TemplateRow } from './store.ts';

export type PresentedVersion = ReturnType<Awaited<ReturnType<typeof versionPresenter>>>;

/** Reads what the template's versions are called and where each is shown; answers how to present one of them. */
export async function versionPresenter(
  sql: Sql | Tx,
  accountId: string,
  template: Pick<TemplateRow, 'id' | 'name'>,
) {
  const versions = await createTemplateStore(sql).history(accountId, template.id);
  const pointers = await createEnvironmentStore(sql).pointers(accountId, [template.id]);
  const label = (id: string) => versions.get(id)?.label ?? id;

  return (row: NewVersion & { created_at: Date }) => {
    const alias = aliasOf(row.label);
    return {
      id: row.id,
      template: template.name,
      version: row.label,
      ...(alias && { alias }),
      branch: row.branch,
      parents: row.parents.map(label),
      seq: row.seq,
      sha256: row.content,
      bump: row.bump,
      bump_reason: row.bump_reason,
      message: row.message,
      author: row.author,
      ...(row.rolled_back_from && { rolled_back_from: label(row.rolled_back_from) }),
      environments: pointers
        .filter(({ version_id }) => version_id === row.id)
        .map(({ environment }) => environment),
      created_at: row.created_at.toISOString(),
    };
  };
}
