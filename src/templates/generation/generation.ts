import { Fault } from '../../errors.ts';
import { createCatalog } from '../catalog.ts';
import type { Author, TemplateContext } from '../context.ts';
import { ITEM, type Ref, refOf } from '../engine/paths.ts';
import { isObject, type Json, own } from '../engine/variable.ts';
import { presentVariables } from '../present.ts';
import { selectBranch } from '../repository/branch-repo.ts';
import { selectTemplate } from '../repository/template-repo.ts';
import type { VersionRow } from '../repository/version-repo.ts';
import { findContent, findTemplate, findVersion } from '../resolve/find-version.ts';
import { DEFAULT_BRANCH, type Document } from '../schema.ts';
import { assess } from './assess.ts';
import { engineName } from './example-data.ts';
import { createEmailPrompts, fieldsOf, type GenerationInput, givenText, requestOf } from './model-request.ts';
import { commitMessage, saveDraft } from './save-draft.ts';
import { type DeliveredDraft, type GenerationCaller, writeDraft } from './write-draft.ts';

/** Where the email is saved: as a new template, or as the next version of an existing one. */
type Target = {
  readonly name: string;
  readonly onto?: { readonly branch: string; readonly from: VersionRow };
};

/** Longest answer asked for; about 45 KB of HTML. */
const MAX_TOKENS = 16_000;

/**
 * Writes and edits emails with an AI model. In: what the caller wants, and perhaps a template to start from. Out: a draft
 * with what is doubtful about it, saved where that was asked. Always: a draft is checked and rendered before
 * anything is saved, and no transaction is open while a model writes.
 */
export function createGenerating(context: TemplateContext) {
  const prompts = createEmailPrompts(context.prompts);
  const catalog = createCatalog(context);
  const { sql } = context;

  /**
   * Stores nothing before the draft is accepted, and opens no transaction while the model writes.
   * @throws Fault not_configured, name_taken, conflict, provider_bad_output and the writer's others
   */
  async function generate(author: Author, asked: GenerationInput, caller: GenerationCaller) {
    const { accountId } = author;
    const input = { ...asked, brand: asked.brand ?? (await context.brandForModels(accountId)) };
    const target = input.save && (await targetOf(accountId, input.save));
    const base = input.baseTemplate === undefined ? undefined : await baseOf(accountId, input.baseTemplate);
    const writer = await context.writers.choose({ ...input, payer: caller.caller });
    const request = requestOf(input, base);
    const wish = {
      variables: (input.variables ?? []).map(({ name }) => engineName(name)),
      logoUrl: input.brand?.logo_url,
      given: givenText(input, base?.shown),
    };
    const frame = {
      accountId,
      kind: 'template',
      base: base?.document,
      wish,
      locale: input.language,
    } as const;
    const delivered = await writeDraft(
      {
        writer,
        model: input.model,
        instructions: prompts.instructions('generate-template', {
          framed: base?.document.layout !== undefined,
          format: base?.document.format,
        }),
        request,
        maxTokens: MAX_TOKENS,
        repair: prompts.repair,
        assess: (answer) => assess(context, answer, frame),
        quota: context.quota,
      },
      caller,
    );
    const mail = presentMail(delivered);
    if (!target) return mail;
    try {
      const { saved, warnings } = await save(author, target, input, delivered);
      return { ...mail, saved, warnings: [...mail.warnings, ...warnings] };
    } catch (error) {
      // The name was free when the model was called. The draft took minutes and money, so it is returned anyway.
      if (!(error instanceof Fault) || (error.status !== 409 && error.status !== 404)) throw error;
      const unsaved = { key: 'generated_unsaved', params: { name: target.name } } as const;
      return { ...mail, warnings: [...mail.warnings, unsaved] };
    }
  }

  /** @throws Fault before the model is called, when the email could not be saved. */
  async function targetOf(
    accountId: string,
    { name, branch }: NonNullable<GenerationInput['save']>,
  ): Promise<Target> {
    const draft = branch === undefined || branch === DEFAULT_BRANCH ? undefined : branch;
    const row = await selectTemplate(sql, accountId, name);
    if (!row && draft === undefined) return { name };
    if (row && branch === undefined) throw new Fault('name_taken.template', { name });
    if (draft === undefined) throw new Fault('conflict.generate_main', { name });
    const template = row ?? (await findTemplate(sql, accountId, name));
    if (template.kind !== 'template')
      throw new Fault('conflict.generate_kind', { name, kind: template.kind });
    const present = await selectBranch(sql, accountId, template.id, draft);
    const { version } = await findVersion(sql, accountId, name, { branch: present?.name });
    return { name, onto: { branch: draft, from: version } };
  }

  /** A template to start from, or a layout to write the content for. */
  async function baseOf(accountId: string, name: string) {
    const { template: row, document } = await findContent(sql, accountId, name);
    if (row.kind === 'partial') throw new Fault('validation_failed.base_partial', { name });
    const shown = fieldsOf(document);
    if (row.kind === 'layout') {
      const framed: Document = { html: '', layout: name };
      return { kind: row.kind, shown, document: framed };
    }
    return { kind: row.kind, shown, document };
  }

  async function save(
    author: Author,
    { name, onto }: Target,
    { prompt, environments }: Pick<GenerationInput, 'prompt' | 'environments'>,
    mail: Awaited<ReturnType<typeof writeDraft>>,
  ) {
    const { document, checked, sample } = mail;
    const message = commitMessage(prompt);
    if (onto) {
      const version = await saveDraft(context, author, {
        template: name,
        ...onto,
        document,
        checked,
        message,
      });
      return { saved: { template: name, version, branch: onto.branch }, warnings: [] };
    }
    const rest = { message, fixtures: { sample }, environments };
    const { version, branch, warnings } = await catalog.create(author, { name, ...document, ...rest });
    return { saved: { template: name, version, branch }, warnings };
  }

  return { generate };
}

/** A draft as its caller gets it: the variables are those the template reads, with an example each. */
function presentMail({ document, checked, sample, removed: _, ...rest }: DeliveredDraft) {
  const { html, css = '', text = '', subject = '', preheader = '', layout, schema } = document;
  const variables = presentVariables([...checked.variables]).map((variable) => {
    const example = valueAt(sample, refOf(variable.name));
    return { ...variable, ...(example !== undefined && { example }) };
  });
  const fields = {
    html,
    css,
    text,
    subject,
    preheader,
    ...(layout && { layout }),
    ...(schema && { schema }),
  };
  return { ...fields, variables, sample_data: sample, ...rest };
}

/** What stands at a place of the data; of a list, in its first item. */
function valueAt(value: Json | undefined, [first, ...rest]: Ref): Json | undefined {
  if (first === undefined) return value;
  if (first === ITEM) return Array.isArray(value) ? valueAt(value[0], rest) : undefined;
  return isObject(value) ? valueAt(own(value, first), rest) : undefined;
}
