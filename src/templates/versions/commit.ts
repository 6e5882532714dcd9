import { Fault } from '../../errors.ts';
import type { Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { type BranchState, branchState } from '../repository/branch-repo.ts';
import type { TemplateRow } from '../repository/template-repo.ts';
import { insertVersion, type Use, type VersionRow } from '../repository/version-repo.ts';
import { type Bump, DEFAULT_BRANCH, type Document } from '../schema.ts';
import { bumpFor, compareContracts } from './contract.ts';
import { hashDocument } from './document.ts';
import {
  compareReleases,
  FIRST_RELEASE,
  formatLabel,
  type Label,
  nextRelease,
  parseLabel,
  slugOf,
} from './label.ts';

/** A new state of a branch, checked and ready to be written. */
export type Change = {
  /** The id of the version, where others already refer to it. */
  readonly id?: string;
  readonly template: Pick<TemplateRow, 'id' | 'name'>;
  readonly branch: string;
  /** The head first, then a branch merged into it; empty for the first version of a template. */
  readonly parents: readonly string[];
  /** Where the branch is, if read in this transaction. */
  readonly state?: BranchState;
  readonly document: Document;
  readonly variables: Readonly<VersionRow['variables']>;
  readonly uses: readonly Use[];
  readonly bump: Bump;
  /** The release label wanted instead of one made by `bump`. */
  readonly version?: string | undefined;
  readonly message: string;
  readonly author: string;
  readonly rolledBackFrom?: string | undefined;
  /** Metadata of the template to change with it. */
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
};

export type Committed = {
  readonly version: VersionRow;
  /** The template's revision after the commit. */
  readonly revision: number;
};

type Naming = {
  readonly label: Label;
  readonly bump: string;
  readonly reason: string;
  /** The label to try when this one is taken. @throws Fault when there is no other */
  readonly next: (taken: Label) => Label;
};

/** Where a branch is and what its next version needs, in a transaction that holds the template's lock. */
export async function stateOfBranch(
  tx: Tx,
  accountId: string,
  { id, name }: Change['template'],
  branch: string,
): Promise<BranchState> {
  const slug = branch === DEFAULT_BRANCH ? null : slugOf(branch);
  const state = await branchState(tx, accountId, id, { name: branch, slug });
  if (!state) throw new Fault('not_found.branch', { template: name, branch });
  return state;
}

/**
 * Writes a version, moves its branch to it and raises the template's revision, in a transaction that holds the
 * template's lock.
 * @throws Fault version_exists when the label wanted is taken or not greater than every ancestor's
 */
export async function commit(tx: Tx, accountId: string, change: Change): Promise<Committed> {
  const { template, branch, parents, document } = change;
  const isFirst = parents.length === 0;
  const state = isFirst
    ? undefined
    : (change.state ?? (await stateOfBranch(tx, accountId, template, branch)));
  const { label: first, bump, reason, next } = state ? nameVersion(change, state) : FIRST_NAMING;
  const row = {
    id: change.id ?? newId('ver'),
    template_id: template.id,
    seq: (state?.last_seq ?? 0) + 1,
    branch,
    parents: [...parents],
    content: hashDocument(document),
    variables: [...change.variables],
    uses: [...change.uses],
    bump,
    bump_reason: reason,
    message: change.message,
    author: change.author,
    rolled_back_from: change.rolledBackFrom ?? null,
  };
  const metadata = { description: change.description ?? null, tags: change.tags ?? null };
  for (let label = first; ; label = next(label)) {
    const named = { ...row, label: formatLabel(label) };
    const saved = await insertVersion(tx, accountId, named, document, metadata);
    if (saved) return { version: { ...named, created_at: saved.created_at }, revision: saved.revision };
  }
}

const FIRST_NAMING: Naming = {
  label: FIRST_RELEASE,
  bump: 'none',
  reason: 'the first version',
  next: () => {
    throw new Error('a template without versions has a version');
  },
};

function nameVersion(change: Change, { releases, last_draft }: BranchState): Naming {
  const latest = greatest(releases);
  const needed = bumpFor(compareContracts(latest?.variables ?? [], change.variables));
  const bump = change.bump === 'auto' ? needed.bump : change.bump;
  const reason = change.bump === 'auto' ? needed.reason : 'as the caller asked';
  const before = latest?.release ?? FIRST_RELEASE;
  const release = nextRelease(before, bump);
  if (change.branch !== DEFAULT_BRANCH) {
    const draft = { slug: slugOf(change.branch), number: last_draft + 1 };
    return { label: { ...release, draft }, bump, reason, next: nextDraft };
  }
  // A bundle can bring a greater release elsewhere in the history; its label is never given out twice.
  if (change.version === undefined)
    return { label: release, bump, reason, next: (taken) => nextRelease(taken, bump) };
  return wantedNaming(change.version, before);
}

function wantedNaming(version: string, latest: Label): Naming {
  const label = parseLabel(version);
  if (!label) throw new Error(`'${version}' passed the schema and is not a label`);
  const refuse = () => {
    throw new Fault('version_exists.label', { version: formatLabel(label), latest: formatLabel(latest) });
  };
  if (compareReleases(label, latest) <= 0) return refuse();
  return { label, bump: 'given', reason: 'as the caller asked', next: refuse };
}

function nextDraft({ draft, ...release }: Label): Label {
  return draft ? { ...release, draft: { ...draft, number: draft.number + 1 } } : release;
}

function greatest(releases: BranchState['releases']) {
  return releases
    .flatMap(({ label, variables }) => {
      const release = parseLabel(label);
      return release ? [{ release, variables }] : [];
    })
    .sort((a, b) => compareReleases(a.release, b.release))
    .at(-1);
}
