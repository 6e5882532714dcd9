import { setTimeout } from 'node:timers/promises';
import { Fault } from '../errors.ts';
import type { Warning } from '../language.ts';
import type { Tx } from '../platform/database/database.ts';
import { createTurns } from '../platform/turns.ts';
import { type Author, type TemplateContext, write } from './context.ts';
import { type Edit, editDocument } from './edits.ts';
import {
  etagOf,
  type PresentedVersion,
  presentVariables,
  presentVersion,
  presentVersions,
} from './present.ts';
import { listFixtures } from './repository/fixture-repo.ts';
import { type TemplateRow, updateMetadata } from './repository/template-repo.ts';
import type { VersionRow } from './repository/version-repo.ts';
import { findContent, findVersion, lockTemplate } from './resolve/find-version.ts';
import { type Bump, DEFAULT_BRANCH, type Document } from './schema.ts';
import { type Checked, check, runFixtures } from './versions/check.ts';
import { commit, stateOfBranch } from './versions/commit.ts';
import { changeDocument, type DocumentChange, hashDocument } from './versions/document.ts';
import { normalLabel } from './versions/label.ts';

export type Update = {
  readonly change: DocumentChange;
  /** Changes of single places, on top of the head as it is when they are saved. */
  readonly edits?: readonly Edit[] | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly branch: string;
  readonly message: string;
  readonly bump: Bump;
  readonly version?: string | undefined;
  /** Label of the head that the change was made on. */
  readonly expectedHead?: string | undefined;
  readonly ifMatch?: readonly string[] | undefined;
};

type Updated = PresentedVersion & {
  readonly variables: ReturnType<typeof presentVariables>;
  /** False when only metadata changed, so that no version was created. */
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

// A writer that sent no expected_head has its change put on the new head, this often, before it must read again.
const MAX_ATTEMPTS = 16;
const PAUSE_MS = 25;

/** Updates templates: a new version when the content differs, metadata without one. */
export function createUpdating(context: TemplateContext) {
  const { sql } = context;
  // Only writers of other nodes are met at the database.
  const turns = createTurns();

  /** @throws Fault head_moved, precondition_failed, version_exists, and what `check` throws */
  async function update(author: Author, name: string, wanted: Update): Promise<Updated> {
    if (wanted.version !== undefined && wanted.branch !== DEFAULT_BRANCH)
      throw new Fault('validation_failed.draft_version');
    if (wanted.version !== undefined && wanted.bump !== 'auto') throw new Fault('validation_failed.bump');
    return turns.take(`${author.accountId} ${name}`, () => updateInTurn(author, name, wanted));
  }

  async function updateInTurn(author: Author, name: string, wanted: Update): Promise<Updated> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const proposal = await propose(author.accountId, name, wanted);
      const updated = await write<Updated | undefined>(context, author, (tx) =>
        apply(tx, author, name, wanted, proposal),
      );
      if (updated) return updated;
      // A random pause, so that writers who met once do not meet at every attempt.
      await setTimeout(Math.random() * PAUSE_MS * attempt);
    }
    const { version: head } = await findVersion(sql, author.accountId, name, { branch: wanted.branch });
    throw headMoved(head, wanted);
  }

  async function propose(accountId: string, name: string, wanted: Update): Promise<Proposal> {
    const { branch, expectedHead } = wanted;
    const { template, version: head, document: before } = await findContent(sql, accountId, name, { branch });
    if (expectedHead !== undefined && normalLabel(expectedHead) !== head.label) throw headMoved(head, wanted);
    const document = changeDocument(before, editDocument(before, wanted.change, wanted.edits ?? []));
    if (hashDocument(document) === head.content) return { head, document, checked: undefined, warnings: [] };
    const checked = await check(context, accountId, template.kind, document);
    const fixtures = await listFixtures(sql, accountId, template.id);
    return { head, document, checked, warnings: runFixtures(context, checked.resolved, fixtures) };
  }

  /** The result is undefined when the branch has advanced since the proposal was made. */
  async function apply(tx: Tx, author: Author, name: string, wanted: Update, proposal: Proposal) {
    const { accountId } = author;
    const { head, checked } = proposal;
    const template = await lockTemplate(tx, accountId, name);
    if (wanted.ifMatch && !wanted.ifMatch.includes(etagOf(template)))
      throw new Fault('precondition_failed.etag');
    const state = await stateOfBranch(tx, accountId, template, wanted.branch);
    if (state.head !== head.id) return { result: undefined };
    if (!checked) return describe(tx, accountId, template, wanted, head);
    const { document, warnings } = proposal;
    const { branch, bump, version: label, message, description, tags } = wanted;
    const { version, revision } = await commit(tx, accountId, {
      ...{ template, branch, parents: [head.id], state, document, bump, version: label, message },
      ...{ variables: checked.variables, uses: checked.uses, author: author.actor, description, tags },
    });
    const place = { template: name, labels: new Map([[head.id, head.label]]), pointers: [] };
    const result = {
      ...presentVersion(version, place),
      variables: presentVariables(version.variables),
      created: true,
      warnings,
      etag: etagOf({ id: template.id, revision }),
    };
    const event = { action: 'template.updated', target: name, from: head.label, to: version.label };
    return { result, event: { ...event, detail: { branch } } };
  }

  return { update };
}

/** Changes metadata alone; without an event where that does not differ either. */
async function describe(tx: Tx, accountId: string, template: TemplateRow, wanted: Update, head: VersionRow) {
  const { description = template.description, tags = template.tags } = wanted;
  const same = description === template.description && JSON.stringify(tags) === JSON.stringify(template.tags);
  const revision = same
    ? template.revision
    : await updateMetadata(tx, accountId, template.id, { description, tags });
  const [presented] = await presentVersions(tx, accountId, template, [head]);
  if (!presented) throw new Error('one version in, one version out');
  const variables = presentVariables(head.variables);
  const etag = etagOf({ id: template.id, revision });
  const result: Updated = { ...presented, variables, created: false, warnings: [], etag };
  const event = { action: 'template.described', target: template.name, from: head.label, to: head.label };
  return { result, event: same ? undefined : { ...event, detail: { branch: wanted.branch } } };
}

function headMoved(head: VersionRow, { branch, expectedHead }: Update): Fault {
  const params = { branch, head: head.label };
  const key = expectedHead === undefined ? 'head_moved.often' : 'head_moved.branch';
  return new Fault(key, { ...params, expected: expectedHead ?? '' }, { data: { head: head.label } });
}
