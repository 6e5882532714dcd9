import { setTimeout } from 'node:timers/promises';
import { Fault } from '../errors.ts';
import type { Warning } from '../language.ts';
import type { Tx } from '../platform/database/database.ts';
import { type Checked, check, runFixtures } from './check.ts';
import { commit } from './commit.ts';
import type { Author, TemplateContext } from './context.ts';
import { changeDocument, type DocumentChange, hashDocument } from './document.ts';
import { createFixtureStore } from './fixtures/store.ts';
import { normalLabel } from './label.ts';
import { createLookup } from './lookup.ts';
import { etagOf, presentVariables } from './present.ts';
import { type PresentedVersion, versionPresenter } from './present-version.ts';
import { type Bump, DEFAULT_BRANCH, type Document } from './schema.ts';
import { createTemplateStore, type TemplateRow, type VersionRow } from './store.ts';
import { write } from './write.ts';

export type Update = {
  readonly change: DocumentChange;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly branch: string;
  readonly message: string;
  readonly bump: Bump;
  readonly version?: string | undefined;
  /** Label of the head the change was made on. */
  readonly expectedHead?: string | undefined;
  readonly ifMatch?: readonly string[] | undefined;
};

type Updated = PresentedVersion & {
  readonly variables: ReturnType<typeof presentVariables>;
  /** False when nothing but metadata changed, so that no version was made. */
  readonly created: boolean;
  readonly warnings: readonly Warning[];
  readonly etag: string;
};

/** A change on top of the head it was made on; without `checked` the content stays as it is. */
type Proposal = {
  readonly head: VersionRow;
  readonly document: Document;
  readonly checked: Checked | undefined;
  readonly warnings: readonly Warning[];
};

// A writer that named no head puts its change on top of the new one, this often, before it is told to read again.
const ATTEMPTS = 8;
const PAUSE_MS = 25;

/** Changes templates: a new version when the content differs, metadata without one. */
export function createUpdating(context: TemplateContext) {
  const store = createTemplateStore(context.sql);
  const lookup = createLookup(context.sql);

  /** @throws Fault head_moved, precondition_failed, version_exists, and what `check` throws */
  async function update(author: Author, name: string, wanted: Update): Promise<Updated> {
    if (wanted.version !== undefined && wanted.branch !== DEFAULT_BRANCH)
      throw new Fault('validation_failed.draft_version');
    if (wanted.version !== undefined && wanted.bump !== 'auto') throw new Fault('validation_failed.bump');
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const proposal = await propose(author.accountId, name, wanted);
      const updated = await write<Updated | undefined>(context, author, (tx) =>
        apply(tx, author, name, wanted, proposal),
      );
      if (updated) return updated;
      // Apart by chance, writers who met once do not meet again at every attempt.
      await setTimeout(Math.random() * PAUSE_MS * attempt);
    }
    throw await movedFault(author.accountId, name, wanted);
  }

  async function propose(accountId: string, name: string, wanted: Update): Promise<Proposal> {
    const row = await lookup.template(accountId, name);
    const head = await lookup.head(accountId, row, wanted.branch);
    if (wanted.expectedHead !== undefined && normalLabel(wanted.expectedHead) !== head.label) {
      throw await movedFault(accountId, name, wanted);
    }
    const document = changeDocument(await store.content(accountId, head.content), wanted.change);
    if (hashDocument(document) === head.content) return { head, document, checked: undefined, warnings: [] };
    const checked = await check(context, accountId, row.kind, document);
    const warnings = runFixtures(
      context,
      checked.plan,
      await createFixtureStore(context.sql).list(accountId, row.id),
    );
    return { head, document, checked, warnings };
  }

  /** Undefined when the branch has moved since the proposal was made. */
  async function apply(tx: Tx, author: Author, name: string, wanted: Update, proposal: Proposal) {
    const { accountId, actor } = author;
    const { head, document, checked, warnings } = proposal;
    const inside = createTemplateStore(tx);
    const template = await createLookup(tx).lock(accountId, name);
    if (wanted.ifMatch && !wanted.ifMatch.includes(etagOf(template)))
      throw new Fault('precondition_failed.etag');
    const current = await createLookup(tx).branch(accountId, template, wanted.branch);
    if (current.head !== head.id) return { result: undefined };
    const described = await describe(tx, accountId, template, wanted);
    if (!checked)
      return {
        result: await present(head, false),
        event: described ? event('template.described', head.label) : undefined,
      };
    const { branch, bump, version, message } = wanted;
    const content = { document, variables: checked.variables, uses: checked.uses, parents: [head.id] };
    const saved = await commit(tx, accountId, {
      template,
      branch,
      ...content,
      bump,
      version,
      message,
      author: actor,
    });
    await inside.touchTemplate(accountId, template.id);
    const result = await present(await createLookup(tx).byId(accountId, saved.id), true);
    return { result, event: event('template.updated', saved.label) };

    function event(action: string, to: string) {
      return { action, target: name, from: head.label, to, detail: { branch: wanted.branch } };
    }

    async function present(version: VersionRow, created: boolean): Promise<Updated> {
      const shown = (await versionPresenter(tx, accountId, template))(version);
      const etag = etagOf(await createLookup(tx).template(accountId, name));
      return { ...shown, variables: presentVariables(version.variables), created, warnings, etag };
    }
  }

  async function movedFault(accountId: string, name: string, { branch, expectedHead }: Update) {
    const head = await lookup.head(accountId, await lookup.template(accountId, name), branch);
    const params = { branch, head: head.label };
    const key = expectedHead === undefined ? 'head_moved.often' : 'head_moved.branch';
    return new Fault(key, { ...params, expected: expectedHead ?? '' }, { data: { head: head.label } });
  }

  return { update };
}

async function describe(tx: Tx, accountId: string, row: TemplateRow, wanted: Update): Promise<boolean> {
  const { description = row.description, tags = row.tags } = wanted;
  if (description === row.description && JSON.stringify(tags) === JSON.stringify(row.tags)) return false;
  await createTemplateStore(tx).changeMetadata(accountId, row.id, description, [...tags]);
  await createTemplateStore(tx).touchTemplate(accountId, row.id);
  return true;
}
