import { Fault } from '../../errors.ts';
import type { Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { restoreHistory } from '../bundle/restore-history.ts';
import { commit } from '../commit.ts';
import type { Author } from '../context.ts';
import { createIn } from '../create-in.ts';
import { hashDocument } from '../document.ts';
import { createEnvironmentStore } from '../environments/store.ts';
import { createFixtureStore } from '../fixtures/store.ts';
import { createLookup } from '../lookup.ts';
import { DEFAULT_BRANCH, EnvironmentName } from '../schema.ts';
import { createTemplateStore, type NewVersion, type TemplateRow } from '../store.ts';
import type { CheckedArrival } from './check-arrivals.ts';
import type { CheckedVersion } from './check-version.ts';

/** Writes one arrival. Answers the label of its newest version on main. */
export async function writeArrival(tx: Tx, author: Author, arrival: CheckedArrival): Promise<string> {
  if (arrival.taken) return addVersion(tx, author, arrival);
  const { history } = arrival.arrival;
  return history ? restoreHistory(tx, author, arrival, history) : create(tx, author, arrival);
}

/** Versions become the history of main; both environments show the one in use. */
async function create(tx: Tx, author: Author, { arrival, name, versions }: CheckedArrival): Promise<string> {
  const [first, ...rest] = versions;
  if (!first) throw new Error(`${name} passed its check without a version`);
  const { kind, description, tags } = arrival;
  const fixtures = Object.entries(arrival.fixtures).map(([fixture, data]) => ({ name: fixture, data }));
  const inserted = { name, kind, description, tags, fixtures };
  const { template, version } = await createIn(tx, author, inserted, first);
  let head = version;
  for (const next of rest) {
    if (hashDocument(next.document) !== head.content)
      head = await commitNext(tx, author, template, head.id, next);
  }
  const active = arrival.versions[arrival.active];
  const shown = active && (await shownVersion(tx, author, template, hashDocument(active.document)));
  if (shown && shown !== version.id) await show(tx, author, template, version.id, shown);
  return head.label;
}

async function commitNext(
  tx: Tx,
  { accountId, actor }: Author,
  template: TemplateRow,
  head: string,
  { id, document, variables, uses, message }: CheckedVersion,
): Promise<NewVersion> {
  const change = {
    id,
    template,
    branch: DEFAULT_BRANCH,
    parents: [head],
    document,
    variables,
    uses,
    message,
  };
  return commit(tx, accountId, { ...change, bump: 'auto', author: actor });
}

async function shownVersion(tx: Tx, { accountId }: Author, { id }: TemplateRow, content: string) {
  const [found] = await createTemplateStore(tx).versionsByHash(accountId, id, content);
  return found?.id;
}

async function show(tx: Tx, { accountId, actor }: Author, { id }: TemplateRow, from: string, to: string) {
  for (const environment of EnvironmentName.options) {
    const event = { id: newId('pev'), environment, version_id: to, previous_id: from };
    const rest = { action: 'promoted', forced: false, note: '', actor } as const;
    await createEnvironmentStore(tx).point(accountId, id, { ...event, ...rest });
  }
}

/** The version in use goes on top of main of the template there is; samples it lacks are added. */
async function addVersion(tx: Tx, author: Author, { arrival, name, taken, versions }: CheckedArrival) {
  const { accountId } = author;
  const active = versions.find(({ id }) => id === arrival.versions[arrival.active]?.id);
  const template = await createLookup(tx).lock(accountId, name);
  const head = await createLookup(tx).head(accountId, template);
  if (!active || head.id !== taken?.head.id) {
    const params = { branch: DEFAULT_BRANCH, head: head.label };
    throw new Fault('head_moved.often', params, { data: { head: head.label } });
  }
  const version = await commitNext(tx, author, template, head.id, active);
  await createTemplateStore(tx).touchTemplate(accountId, template.id);
  const fixtures = createFixtureStore(tx);
  const known = new Set((await fixtures.list(accountId, template.id)).map((fixture) => fixture.name));
  for (const [fixture, data] of Object.entries(arrival.fixtures)) {
    if (!known.has(fixture)) await fixtures.save(accountId, template.id, fixture, data);
  }
  return version.label;
}
