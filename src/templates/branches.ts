import { Fault } from '../errors.ts';
import { type Author, type TemplateContext, write } from './context.ts';
import { type BranchRow, deleteBranch, insertBranch, listBranches } from './repository/branch-repo.ts';
import type { TemplateRow } from './repository/template-repo.ts';
import { selectHistory } from './repository/version-repo.ts';
import {
  choiceOf,
  findBranch,
  findTemplate,
  findVersion,
  isVersionReference,
  lockTemplate,
} from './resolve/find-version.ts';
import { DEFAULT_BRANCH, EnvironmentName, LIMITS } from './schema.ts';

type NewBranch = { readonly name: string; readonly from: string; readonly description: string };

/** Creates, reads and deletes branches. */
export function createBranches(context: TemplateContext) {
  const { sql } = context;

  async function present(accountId: string, row: TemplateRow, branches: readonly BranchRow[]) {
    const history = await selectHistory(sql, accountId, row.id);
    const main = (await findBranch(sql, accountId, row, DEFAULT_BRANCH)).head;
    const label = (id: string) => history.get(id)?.label ?? id;
    return branches.map(({ name, head, base, description, created_at, merged_at }) => ({
      name,
      status: name === DEFAULT_BRANCH ? ('Active' as const) : ('Draft' as const),
      head: label(head),
      base: label(base),
      description,
      ...divergence(history, head, main),
      created_at: created_at.toISOString(),
      ...(merged_at && { merged_at: merged_at.toISOString() }),
    }));
  }

  async function get(accountId: string, name: string, branch: string) {
    const row = await findTemplate(sql, accountId, name);
    const [found] = await present(accountId, row, [await findBranch(sql, accountId, row, branch)]);
    if (!found) throw new Error('one branch in, one branch out');
    return found;
  }

  return {
    get,

    async list(accountId: string, name: string) {
      const row = await findTemplate(sql, accountId, name);
      return { items: await present(accountId, row, await listBranches(sql, accountId, row.id)) };
    },

    async create(author: Author, template: string, { name, from, description }: NewBranch) {
      const { accountId } = author;
      if (isVersionReference(name) || EnvironmentName.safeParse(name).success) {
        throw new Fault('validation_failed.branch_name', { branch: name });
      }
      await write(context, author, async (tx) => {
        const row = await lockTemplate(tx, accountId, template);
        const { id, label } = (await findVersion(tx, accountId, template, choiceOf(from))).version;
        if ((await listBranches(tx, accountId, row.id)).length >= LIMITS.branches) {
          throw new Fault('conflict.too_many_branches', { limit: LIMITS.branches });
        }
        const inserted = await insertBranch(tx, accountId, row.id, {
          name,
          head: id,
          base: id,
          description,
        });
        if (!inserted) throw new Fault('name_taken.branch', { template, branch: name });
        const event = { action: 'branch.created', target: template, from: label, to: name };
        return { result: undefined, event };
      });
      return get(accountId, template, name);
    },

    /** Deletes a branch; its versions stay. Unmerged versions require `force`. */
    async remove(author: Author, template: string, name: string, force: boolean): Promise<void> {
      const { accountId } = author;
      if (name === DEFAULT_BRANCH) throw new Fault('conflict.main_branch');
      await write(context, author, async (tx) => {
        const row = await lockTemplate(tx, accountId, template);
        const { head } = await findBranch(tx, accountId, row, name);
        const main = await findBranch(tx, accountId, row, DEFAULT_BRANCH);
        const { ahead } = divergence(await selectHistory(tx, accountId, row.id), head, main.head);
        if (ahead > 0 && !force) throw new Fault('conflict.unmerged', { branch: name, ahead });
        await deleteBranch(tx, accountId, row.id, name);
        return { result: undefined, event: { action: 'branch.deleted', target: template, from: name } };
      });
    },
  };
}

/** The versions of a template by id: who came before whom, and when (`seq` rises with time). */
export type History = ReadonlyMap<string, { readonly parents: readonly string[]; readonly seq: number }>;

/** `id` and everything it came from. */
export function ancestors(history: History, id: string): Set<string> {
  const found = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(history.get(next)?.parents ?? []));
  }
  return found;
}

/** How many versions each of the two has that the other has not. */
export function divergence(history: History, head: string, main: string): { ahead: number; behind: number } {
  const mine = ancestors(history, head);
  const theirs = ancestors(history, main);
  return { ahead: mine.difference(theirs).size, behind: theirs.difference(mine).size };
}

/**
 * The common ancestor a merge starts from: one that no other common ancestor came from. Where branches were merged
 * crosswise there are several; the oldest is taken, so that the answer never depends on the order of the branches.
 */
export function mergeBase(history: History, ours: string, theirs: string): string | undefined {
  const common = ancestors(history, ours).intersection(ancestors(history, theirs));
  const passed = new Set<string>();
  for (const id of common) {
    for (const parent of history.get(id)?.parents ?? []) passed.add(parent);
  }
  const best = [...common.difference(passed)];
  const seq = (id: string) => history.get(id)?.seq ?? 0;
  return best.sort((a, b) => seq(a) - seq(b))[0];
}
