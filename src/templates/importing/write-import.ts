import { Fault } from '../../errors.ts';
import type { Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { restoreHistory } from '../bundle/restore-history.ts';
import { insertNewTemplate } from '../catalog.ts';
import type { Author } from '../context.ts';
import { movePointer } from '../repository/environment-repo.ts';
import { listFixtures, saveFixture } from '../repository/fixture-repo.ts';
import type { TemplateRow } from '../repository/template-repo.ts';
import { type VersionRow, versionsByHash } from '../repository/version-repo.ts';
import { findVersion, lockTemplate } from '../resolve/find-version.ts';
import { DEFAULT_BRANCH, type EnvironmentName } from '../schema.ts';
import { commit } from '../versions/commit.ts';
import { hashDocument } from '../versions/document.ts';
import type { CheckedTemplate, CheckedVersion } from './check-import.ts';

/** Writes one imported; a new one is shown in `environments`. Returns the label of its newest version on main. */
export async function writeTemplate(
  tx: Tx,
  author: Author,
  imported: CheckedTemplate,
  environments: readonly EnvironmentName[],
): Promise<string> {
  if (imported.taken) return addVersion(tx, author, imported);
  const { history } = imported.imported;
  return history
    ? restoreHistory(tx, author, imported, history, environments)
    : create(tx, author, imported, environments);
}

/** Versions become the history of main; the environments show the one in use. */
async function create(
  tx: Tx,
  author: Author,
  { imported, name, versions }: CheckedTemplate,
  environments: readonly EnvironmentName[],
): Promise<string> {
  const [first, ...rest] = versions;
  if (!first) throw new Error(`${name} passed its check without a version`);
  const { kind, description, tags } = imported;
  const fixtures = Object.entries(await imported.readFixtures()).map(([fixture, data]) => ({
    name: fixture,
    data,
  }));
  const inserted = { name, kind, description, tags, fixtures, environments };
  const { template, version } = await insertNewTemplate(tx, author, inserted, {
    ...first,
    document: await first.read(),
  });
  let head = version;
  for (const next of rest) {
    if (hashDocument(await next.read()) !== head.content)
      head = await commitNext(tx, author, template, head.id, next);
  }
  const active = imported.versions[imported.active];
  const shown = active && (await shownVersion(tx, author, template, hashDocument(await active.read())));
  if (shown && shown !== version.id)
    await show(tx, author, template, { from: version.id, to: shown, environments });
  return head.label;
}

async function commitNext(
  tx: Tx,
  { accountId, actor }: Author,
  template: TemplateRow,
  head: string,
  { id, read, variables, uses, message }: CheckedVersion,
): Promise<VersionRow> {
  const change = {
    id,
    template,
    branch: DEFAULT_BRANCH,
    parents: [head],
    document: await read(),
    variables,
    uses,
    message,
  };
  return (await commit(tx, accountId, { ...change, bump: 'auto', author: actor })).version;
}

async function shownVersion(tx: Tx, { accountId }: Author, { id }: TemplateRow, content: string) {
  const [found] = await versionsByHash(tx, accountId, id, content);
  return found;
}

async function show(
  tx: Tx,
  { accountId, actor }: Author,
  { id }: TemplateRow,
  { from, to, environments }: { from: string; to: string; environments: readonly EnvironmentName[] },
) {
  for (const environment of new Set(environments)) {
    const event = { id: newId('pev'), environment, version_id: to, previous_id: from };
    const rest = { action: 'promoted', forced: false, note: '', actor } as const;
    await movePointer(tx, accountId, id, { ...event, ...rest });
  }
}

/** The version in use goes on top of main of the template there is; samples it lacks are added. */
async function addVersion(tx: Tx, author: Author, { imported, name, taken, versions }: CheckedTemplate) {
  const { accountId } = author;
  const active = versions.find(({ id }) => id === imported.versions[imported.active]?.id);
  const template = await lockTemplate(tx, accountId, name);
  const { version: head } = await findVersion(tx, accountId, name);
  if (!active || head.id !== taken?.head.id) {
    const params = { branch: DEFAULT_BRANCH, head: head.label };
    throw new Fault('head_moved.often', params, { data: { head: head.label } });
  }
  const version = await commitNext(tx, author, template, head.id, active);
  const known = new Set((await listFixtures(tx, accountId, template.id)).map((fixture) => fixture.name));
  for (const [fixture, data] of Object.entries(await imported.readFixtures())) {
    if (!known.has(fixture)) await saveFixture(tx, accountId, template.id, fixture, data);
  }
  return version.label;
}
