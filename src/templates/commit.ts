import { Fault } from '../errors.ts';
import type { Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { bumpFor, compareContracts } from './contract.ts';
import { hashDocument } from './document.ts';
import { ancestors } from './history.ts';
import {
  compareReleases,
  FIRST_RELEASE,
  formatLabel,
  type Label,
  nextRelease,
  parseLabel,
  slugOf,
} from './label.ts';
import { type Bump, DEFAULT_BRANCH, type Document } from './schema.ts';
import {
  createTemplateStore,
  type NewVersion,
  type TemplateRow,
  type Use,
  type VersionRow,
} from './store.ts';

/** A new state of a branch, checked and ready to be written. */
export type Change = {
  /** The id of the version, where others already refer to it. */
  readonly id?: string;
  readonly template: TemplateRow;
  readonly branch: string;
  /** The head first, then a branch merged into it; empty for the first version of a template. */
  readonly parents: readonly string[];
  readonly document: Document;
  readonly variables: Readonly<VersionRow['variables']>;
  readonly uses: readonly Use[];
  readonly bump: Bump;
  /** The release label wanted instead of one made by `bump`. */
  readonly version?: string | undefined;
  readonly message: string;
  readonly author: string;
  readonly rolledBackFrom?: string | undefined;
};

type Naming = { readonly label: string; readonly bump: string; readonly reason: string };
type Nodes = Awaited<ReturnType<ReturnType<typeof createTemplateStore>['history']>>;

/**
 * Writes a version and moves its branch to it, in a transaction that holds the template's lock.
 * @throws Fault version_exists when the label wanted is taken or not greater than every ancestor's
 */
export async function commit(tx: Tx, accountId: string, change: Change): Promise<NewVersion> {
  const store = createTemplateStore(tx);
  const { template, branch, parents, document } = change;
  const history = await store.history(accountId, template.id);
  const naming = await nameVersion(store, accountId, change, history);
  const content = hashDocument(document);
  const version: NewVersion = {
    id: change.id ?? newId('ver'),
    template_id: template.id,
    seq: history.size + 1,
    label: naming.label,
    branch,
    parents: [...parents],
    content,
    variables: [...change.variables],
    uses: [...change.uses],
    bump: naming.bump,
    bump_reason: naming.reason,
    message: change.message,
    author: change.author,
    rolled_back_from: change.rolledBackFrom ?? null,
  };
  await store.saveContent(accountId, content, document);
  await store.insertVersion(accountId, version);
  await store.moveBranch(accountId, template.id, branch, version.id);
  return version;
}

async function nameVersion(
  store: ReturnType<typeof createTemplateStore>,
  accountId: string,
  change: Change,
  history: Nodes,
): Promise<Naming> {
  const [head] = change.parents;
  if (head === undefined)
    return { label: formatLabel(FIRST_RELEASE), bump: 'none', reason: 'the first version' };
  const releases = releasesBefore(history, head);
  const latest = releases.at(-1);
  const before = latest && (await store.versionById(accountId, latest.id));
  const needed = bumpFor(compareContracts(before?.variables ?? [], change.variables));
  const bump = change.bump === 'auto' ? needed.bump : change.bump;
  const reason = change.bump === 'auto' ? needed.reason : 'as the caller asked';
  const release = nextRelease(latest?.release ?? FIRST_RELEASE, bump);
  if (change.branch !== DEFAULT_BRANCH)
    return { label: draftLabel(history, release, change.branch), bump, reason };
  if (change.version === undefined) return { label: freeRelease(history, release, bump), bump, reason };
  return {
    label: wantedRelease(history, releases, change.version),
    bump: 'given',
    reason: 'as the caller asked',
  };
}

/** The releases `head` came from, least first. */
function releasesBefore(history: Nodes, head: string) {
  return [...ancestors(history, head)]
    .flatMap((id) => {
      const release = parseLabel(history.get(id)?.label ?? '');
      return release && !release.draft ? [{ id, release }] : [];
    })
    .sort((a, b) => compareReleases(a.release, b.release));
}

function draftLabel(history: Nodes, release: Label, branch: string): string {
  const slug = slugOf(branch);
  const numbers = [...history.values()].map(({ label }) => {
    const draft = parseLabel(label)?.draft;
    return draft?.slug === slug ? draft.number : 0;
  });
  return formatLabel({ ...release, draft: { slug, number: Math.max(0, ...numbers) + 1 } });
}

// A rollback or a merge can leave a greater release elsewhere in the history; its label is never given out twice.
function freeRelease(history: Nodes, first: Label, bump: 'major' | 'minor' | 'patch'): string {
  const taken = new Set([...history.values()].map(({ label }) => label));
  let release = first;
  while (taken.has(formatLabel(release))) release = nextRelease(release, bump);
  return formatLabel(release);
}

function wantedRelease(history: Nodes, releases: readonly { release: Label }[], wanted: string): string {
  const release = parseLabel(wanted);
  const latest = releases.at(-1)?.release ?? FIRST_RELEASE;
  if (!release) throw new Error(`'${wanted}' passed the schema and is not a label`);
  const label = formatLabel(release);
  const taken = [...history.values()].some((node) => node.label === label);
  if (!taken && compareReleases(release, latest) > 0) return label;
  throw new Fault('version_exists.label', { version: label, latest: formatLabel(latest) });
}
