import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import { mergeBase } from '../branches.ts';
import { type Author, type TemplateContext, write } from '../context.ts';
import { announceMerge, deleteBranch as deleteBranchRow, markMerged } from '../repository/branch-repo.ts';
import { listFixtures } from '../repository/fixture-repo.ts';
import type { TemplateRow } from '../repository/template-repo.ts';
import { selectContent, selectHistory, type VersionRow } from '../repository/version-repo.ts';
import { findBranch, findById, findVersion, lockTemplate } from '../resolve/find-version.ts';
import { type Bump, DEFAULT_BRANCH, Document } from '../schema.ts';
import { type Checked, check, runFixtures } from '../versions/check.ts';
import { commit, stateOfBranch } from '../versions/commit.ts';
import { hashDocument } from '../versions/document.ts';
import { mergeDocument, type Resolution } from './merge-document.ts';

export type Merge = {
  readonly into: string;
  readonly strategy: 'fail' | 'ours' | 'theirs';
  readonly resolutions: readonly Resolution[];
  /** Given with resolutions: the merge they were made for. */
  readonly mergeToken?: string | undefined;
  readonly dryRun: boolean;
  readonly bump: Bump;
  readonly deleteBranch: boolean;
  readonly message: string;
};

type Sides = {
  readonly template: TemplateRow;
  readonly base: VersionRow;
  /** The head of the branch merged into. */
  readonly ours: VersionRow;
  /** The head of the branch merged. */
  readonly theirs: VersionRow;
};

/**
 * Merges one branch of a template into another, by three-way merge of every field.
 *
 * In: two branches, and resolutions. Out: a merge version, or the conflicts. Invariant: resolutions count only for the
 * heads they were made for (`merge_token`).
 */
export function createMerging(context: TemplateContext) {
  const { sql } = context;

  /**
   * A dry run also returns the merged document; a place in conflict contains ours.
   * @throws Fault merge_conflict with the conflicts and the token their resolutions need
   */
  async function merge(author: Author, name: string, branch: string, wanted: Merge) {
    const { accountId } = author;
    if (branch === wanted.into) throw new Fault('conflict.same_branch', { branch });
    const sides = await findSides(accountId, name, branch, wanted.into);
    const token = tokenOf(sides);
    if (wanted.mergeToken !== undefined && wanted.mergeToken !== token)
      throw new Fault('conflict.merge_moved');
    const answer = { into: wanted.into, branch, merge_token: token, dry_run: wanted.dryRun };
    if (sides.base.id === sides.theirs.id) return nothingToMerge(author, sides, answer, wanted);
    const fastForward = sides.base.id === sides.ours.id;
    const { document, conflicts } = await mergeSides(accountId, sides, wanted);
    if (conflicts.length > 0 && !wanted.dryRun) {
      throw new Fault(
        'merge_conflict.fields',
        { count: conflicts.length },
        { data: { merge_token: token, conflicts } },
      );
    }
    const base = { ...answer, fast_forward: fastForward, conflicts };
    const planned = { ...base, document, created: false, branch_deleted: false };
    if (conflicts.length > 0) return planned;
    const checked = await checkMerged(accountId, sides.template, document);
    if (wanted.dryRun) return planned;
    return { ...base, ...(await commitMerge(author, sides, branch, document, checked, wanted)) };
  }

  async function findSides(accountId: string, name: string, branch: string, into: string): Promise<Sides> {
    const { template, version: theirs } = await findVersion(sql, accountId, name, { branch });
    const { version: ours } = await findVersion(sql, accountId, name, { branch: into });
    const base = mergeBase(await selectHistory(sql, accountId, template.id), ours.id, theirs.id);
    // Every branch starts at a version of its template, and all of those come from the first.
    if (base === undefined) throw new Error(`versions ${ours.id} and ${theirs.id} have no common ancestor`);
    return { template, ours, theirs, base: await findById(sql, accountId, base) };
  }

  async function mergeSides(
    accountId: string,
    { base, ours, theirs }: Sides,
    { strategy, resolutions }: Merge,
  ) {
    const [from, mine, other] = await Promise.all(
      [base, ours, theirs].map((version) => selectContent(sql, accountId, version.content)),
    );
    if (!from || !mine || !other) throw new Error('three versions in, three documents out');
    return mergeDocument({ base: from, ours: mine, theirs: other }, { strategy, resolutions });
  }

  /** A text that merges can still be a template that does not parse, or one its own samples no longer fit. */
  async function checkMerged(accountId: string, template: TemplateRow, document: Document): Promise<Checked> {
    const parsed = Document.safeParse(document);
    // Only the text of a resolution can break the bounds every field was held to when it came in.
    if (!parsed.success)
      throw new Fault('validation_failed.input', { summary: z.prettifyError(parsed.error) });
    const checked = await check(context, accountId, template.kind, document).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error;
      throw new Fault(
        'merge_conflict.invalid',
        { reason: error.code },
        { errors: error.errors, cause: error },
      );
    });
    const [failure] = runFixtures(context, checked.resolved, await listFixtures(sql, accountId, template.id));
    if (!failure) return checked;
    const reason = `${failure.params?.['fixture']}: ${failure.params?.['reason']}`;
    throw new Fault('merge_conflict.invalid', { reason });
  }

  async function commitMerge(
    author: Author,
    { template, ours, theirs }: Sides,
    branch: string,
    document: Document,
    { variables, uses }: Checked,
    { into, bump, deleteBranch, message }: Merge,
  ) {
    const { accountId, actor } = author;
    return write(context, author, async (tx) => {
      const locked = await lockTemplate(tx, accountId, template.name);
      const state = await stateOfBranch(tx, accountId, locked, into);
      const merged = await findBranch(tx, accountId, locked, branch);
      if (state.head !== ours.id || merged.head !== theirs.id) throw new Fault('conflict.merge_moved');
      const content = { document, variables, uses, bump, message: message || `Merge ${branch}` };
      const parents = [ours.id, theirs.id];
      const { version: saved } = await commit(tx, accountId, {
        template: locked,
        branch: into,
        parents,
        state,
        ...content,
        author: actor,
      });
      if (branch !== DEFAULT_BRANCH) await markMerged(tx, accountId, locked.id, branch);
      const branchDeleted = deleteBranch && branch !== DEFAULT_BRANCH;
      if (branchDeleted) await deleteBranchRow(tx, accountId, locked.id, branch);
      const news = {
        template: template.name,
        branch,
        into,
        version: saved.label,
        previous: ours.label,
        actor,
      };
      await announceMerge(tx, accountId, news);
      const detail = { branch, into, content: hashDocument(document) };
      const event = {
        action: 'branch.merged',
        target: template.name,
        from: ours.label,
        to: saved.label,
        detail,
      };
      const version = { version: saved.label, bump: saved.bump, bump_reason: saved.bump_reason };
      return { result: { ...version, created: true, branch_deleted: branchDeleted }, event };
    });
  }

  /** Everything is there already; the branch may still be done with. */
  async function nothingToMerge<Answer extends { branch: string }>(
    author: Author,
    { template, ours }: Sides,
    answer: Answer,
    { dryRun, deleteBranch }: Merge,
  ) {
    const { branch } = answer;
    const branchDeleted = deleteBranch && !dryRun && branch !== DEFAULT_BRANCH;
    if (branchDeleted) {
      await write(context, author, async (tx) => {
        const locked = await lockTemplate(tx, author.accountId, template.name);
        await deleteBranchRow(tx, author.accountId, locked.id, branch);
        return {
          result: undefined,
          event: { action: 'branch.deleted', target: template.name, from: branch },
        };
      });
    }
    const version = { version: ours.label, bump: 'none', bump_reason: 'nothing to merge' };
    return {
      ...answer,
      ...version,
      fast_forward: false,
      conflicts: [],
      created: false,
      branch_deleted: branchDeleted,
    };
  }

  return { merge };
}

/** Names the exact three versions of a merge, so that resolutions are never used on others. */
function tokenOf({ base, ours, theirs }: Sides): string {
  return createHash('sha256').update(`${base.id} ${ours.id} ${theirs.id}`).digest('base64url');
}
