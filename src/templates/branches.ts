import { Fault } from '../errors.ts';
import type { Author, TemplateContext } from './context.ts';
import { divergence } from './history.ts';
import { createLookup, isVersionReference } from './lookup.ts';
import { DEFAULT_BRANCH, EnvironmentName, LIMITS } from './schema.ts';
import { type BranchRow, createTemplateStore, type TemplateRow } from './store.ts';
import { write } from './write.ts';

export type NewBranch = { readonly name: string; readonly from: string; readonly description: string };

/** Opens, reads and closes lines of work beside main. */
export function createBranches(context: TemplateContext) {
  const store = createTemplateStore(context.sql);
  const lookup = createLookup(context.sql);

  async function present(accountId: string, row: TemplateRow, branches: readonly BranchRow[]) {
    const history = await store.history(accountId, row.id);
    const main = (await lookup.branch(accountId, row, DEFAULT_BRANCH)).head;
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
    const row = await lookup.template(accountId, name);
    const [found] = await present(accountId, row, [await lookup.branch(accountId, row, branch)]);
    if (!found) throw new Error('one branch in, one branch out');
    return found;
  }

  return {
    get,

    async list(accountId: string, name: string) {
      const row = await lookup.template(accountId, name);
      return { items: await present(accountId, row, await store.listBranches(accountId, row.id)) };
    },

    async create(author: Author, template: string, { name, from, description }: NewBranch) {
      const { accountId } = author;
      if (isVersionReference(name) || EnvironmentName.safeParse(name).success) {
        throw new Fault('validation_failed.branch_name', { branch: name });
      }
      await write(context, author, async (tx) => {
        const inside = createTemplateStore(tx);
        const row = await createLookup(tx).lock(accountId, template);
        const { id, label } = await createLookup(tx).reference(accountId, row, from);
        if ((await inside.listBranches(accountId, row.id)).length >= LIMITS.branches) {
          throw new Fault('conflict.too_many_branches', { limit: LIMITS.branches });
        }
        const inserted = await inside.insertBranch(accountId, row.id, {
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

    /** Removes the name; the versions stay. Unmerged work needs `force`. */
    async remove(author: Author, template: string, name: string, force: boolean): Promise<void> {
      const { accountId } = author;
      if (name === DEFAULT_BRANCH) throw new Fault('conflict.main_branch');
      await write(context, author, async (tx) => {
        const inside = createTemplateStore(tx);
        const row = await createLookup(tx).lock(accountId, template);
        const { head } = await createLookup(tx).branch(accountId, row, name);
        const main = await createLookup(tx).branch(accountId, row, DEFAULT_BRANCH);
        const { ahead } = divergence(await inside.history(accountId, row.id), head, main.head);
        if (ahead > 0 && !force) throw new Fault('conflict.unmerged', { branch: name, ahead });
        await inside.deleteBranch(accountId, row.id, name);
        return { result: undefined, event: { action: 'branch.deleted', target: template, from: name } };
      });
    },
  };
}
