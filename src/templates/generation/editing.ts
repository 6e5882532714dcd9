import { Fault } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import type { Author, TemplateContext } from '../context.ts';
import { createDiffing } from '../diff/diff.ts';
import { presentVariables } from '../present.ts';
import { listBranches } from '../repository/branch-repo.ts';
import type { TemplateRow } from '../repository/template-repo.ts';
import type { VersionRow } from '../repository/version-repo.ts';
import { choiceOf, findContent, findTemplate } from '../resolve/find-version.ts';
import { DEFAULT_BRANCH } from '../schema.ts';
import { compareContracts } from '../versions/contract.ts';
import { hashDocument } from '../versions/document.ts';
import { assess } from './assess.ts';
import { createEmailPrompts, fieldsOf, type ModelChoice } from './model-request.ts';
import { commitMessage, type DraftVersion, saveDraft } from './save-draft.ts';
import { type GenerationCaller, writeDraft } from './write-draft.ts';

export type EditInput = ModelChoice & {
  readonly instruction: string;
  /** A Draft branch; one that is not there is begun. Without one, a new `ai-1`, `ai-2`… */
  readonly branch?: string | undefined;
  /** Where a new branch starts; the head of main when absent. */
  readonly from?: string | undefined;
};

/** Longest answer asked for. */
const MAX_TOKENS = 20_000;

/** Edits a stored template with an AI model, on a Draft branch. */
export function createEditing(context: TemplateContext) {
  const prompts = createEmailPrompts(context.prompts);
  const diffing = createDiffing(context);
  const { sql } = context;

  /** @throws Fault conflict.edit_main, conflict.edit_unchanged, not_configured, and the writer's others */
  async function edit(author: Author, name: string, input: EditInput, caller: GenerationCaller) {
    const { accountId } = author;
    if (input.branch === DEFAULT_BRANCH) throw new Fault('conflict.edit_main');
    const row = await findTemplate(sql, accountId, name);
    const { branch: wanted, from, document: before } = await placeOf(accountId, row, input);
    const writer = await context.writers.choose({ ...input, payer: caller.caller });
    const template = fieldsOf(before);
    const wish = { variables: [], given: [input.instruction, ...Object.values(template)].join('\n') };
    const known = from.variables.map((variable) => variable.name);
    const frame = { accountId, kind: row.kind, base: before, known, wish };
    const written = await writeDraft(
      {
        writer,
        model: input.model,
        instructions: prompts.instructions('edit-template', {
          framed: before.layout !== undefined,
          kind: row.kind,
          format: before.format,
        }),
        request: { instruction: input.instruction, template, variables: presentVariables(from.variables) },
        maxTokens: MAX_TOKENS,
        repair: prompts.repair,
        assess: (answer) => assess(context, answer, frame),
        quota: context.quota,
      },
      caller,
    );
    const { document, checked, lint, provider, model, usage, attempts, warnings } = written;
    if (hashDocument(document) === from.content)
      throw new Fault('conflict.edit_unchanged', { model }, { data: { usage } });
    const draft = { template: name, from, document, checked, message: commitMessage(input.instruction) };
    const { version, branch } = await saveSomewhere(author, row, { ...draft, branch: wanted });
    const elsewhere = input.branch !== undefined && input.branch !== branch;
    const diff = await diffing.diff(accountId, name, { from: from.label, to: version, format: 'unified' });
    return {
      template: name,
      branch,
      version,
      diff: 'unified' in diff ? (diff.unified ?? '') : '',
      changed: diff.fields,
      ...(lint && { lint }),
      ...{ provider, model, usage, attempts },
      warnings: [
        ...warnings,
        ...contractWarnings(from, checked.variables),
        ...(elsewhere ? [{ key: 'edited_elsewhere', params: { wanted, branch } } as const] : []),
      ],
    };
  }

  /** On the branch, or on a new one if that was written while the model was: its work took minutes and money. */
  async function saveSomewhere(author: Author, row: TemplateRow, draft: DraftVersion) {
    try {
      return { version: await saveDraft(context, author, draft), branch: draft.branch };
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'head_moved') throw error;
      const branch = freeName(await branchNames(author.accountId, row));
      return { version: await saveDraft(context, author, { ...draft, branch }), branch };
    }
  }

  async function branchNames(accountId: string, row: TemplateRow): Promise<Set<string>> {
    return new Set((await listBranches(sql, accountId, row.id)).map(({ name }) => name));
  }

  async function placeOf(accountId: string, row: TemplateRow, { branch, from }: EditInput) {
    const names = await branchNames(accountId, row);
    if (branch !== undefined && names.has(branch)) {
      if (from !== undefined) throw new Fault('validation_failed.edit_from', { branch });
      const { version, document } = await findContent(sql, accountId, row.name, { branch });
      return { branch, from: version, document };
    }
    const choice = choiceOf(from ?? DEFAULT_BRANCH);
    const { version, document } = await findContent(sql, accountId, row.name, choice);
    return { branch: branch ?? freeName(names), from: version, document };
  }

  return { edit };
}

function freeName(taken: ReadonlySet<string>): string {
  let number = 1;
  while (taken.has(`ai-${number}`)) number++;
  return `ai-${number}`;
}

/** What those who send data must know of the change. */
function contractWarnings(before: VersionRow, after: Parameters<typeof compareContracts>[1]): Warning[] {
  return compareContracts(before.variables, after).flatMap(({ variable, change, breaking }): Warning[] => {
    if (change === 'removed') return [{ key: 'contract_removed', params: { variable } }];
    return breaking ? [{ key: 'contract_breaking', params: { variable, change } }] : [];
  });
}
