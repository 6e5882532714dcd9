import { Fault } from '../../errors.ts';
import { type Author, type TemplateContext, write } from '../context.ts';
import { insertBranch, listBranches } from '../repository/branch-repo.ts';
import type { VersionRow } from '../repository/version-repo.ts';
import { findById, lockTemplate } from '../resolve/find-version.ts';
import { type Document, LIMITS } from '../schema.ts';
import type { Checked } from '../versions/check.ts';
import { commit } from '../versions/commit.ts';

export type DraftVersion = {
  readonly template: string;
  readonly branch: string;
  /** The version the document was made from: the branch's head, or where a new branch starts. */
  readonly from: VersionRow;
  readonly document: Document;
  readonly checked: Checked;
  readonly message: string;
};

/**
 * Saves a document as the next version of a Draft branch, in one transaction. Creates the branch when there is none.
 * @throws Fault head_moved.branch when the branch was written in between
 */
export async function saveDraft(
  context: TemplateContext,
  author: Author,
  draft: DraftVersion,
): Promise<string> {
  const { accountId, actor } = author;
  const { template, branch, from, document, checked, message } = draft;
  return write(context, author, async (tx) => {
    const row = await lockTemplate(tx, accountId, template);
    const branches = await listBranches(tx, accountId, row.id);
    const present = branches.find(({ name }) => name === branch);
    if (present && present.head !== from.id) {
      const { label: head } = await findById(tx, accountId, present.head);
      throw new Fault('head_moved.branch', { branch, head, expected: from.label }, { data: { head } });
    }
    if (!present) {
      if (branches.length >= LIMITS.branches)
        throw new Fault('conflict.too_many_branches', { limit: LIMITS.branches });
      await insertBranch(tx, accountId, row.id, {
        name: branch,
        head: from.id,
        base: from.id,
        description: '',
      });
      const created = { action: 'branch.created', target: template, from: from.label, to: branch };
      await context.audit.record(tx, accountId, { ...created, actor });
    }
    const content = { document, variables: checked.variables, uses: checked.uses, parents: [from.id] };
    const { version: saved } = await commit(tx, accountId, {
      template: row,
      branch,
      ...content,
      bump: 'auto',
      message,
      author: actor,
    });
    const event = { action: 'template.updated', target: template, from: from.label, to: saved.label };
    return { result: saved.label, event: { ...event, detail: { branch } } };
  });
}

const LENGTH = 200;

/** The start of what a caller asked for, in one line: the message of the version made for it. */
export function commitMessage(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LENGTH
    ? `${line
        .slice(0, LENGTH - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
    : line;
}
