import { Fault, type FaultDetail } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import { type Author, type TemplateContext, write } from '../context.ts';
import { foreignTags } from '../lint/foreign-tags.ts';
import { countTemplates } from '../repository/template-repo.ts';
import { type Document, type EnvironmentName, LIMITS, type TemplateKind } from '../schema.ts';
import { type CheckedTemplate, checkImport } from './check-import.ts';
import { fixRawBlocks } from './fix-raw-blocks.ts';
import type { ImportedAsset, ImportedSource, ImportedTemplate } from './imported-template.ts';
import { type OnConflict, type PlannedTemplate, planImport, skipOf } from './plan-import.ts';
import { readPayload, type Source } from './sources/sources.ts';
import { type AssetNote, planAssets, storeAssets } from './store-assets.ts';
import { writeTemplate } from './write-import.ts';

export type ImportRequest = {
  readonly source: Source;
  /** A service's answer as JSON or text, a source text, or a zip archive in base64. */
  readonly payload: unknown;
  /** Path of a zip archive, in place of the payload. */
  readonly archive: string | undefined;
  readonly onConflict: OnConflict;
  readonly prefix: string;
  readonly skipInvalid: boolean;
  readonly dryRun: boolean;
  /** Whether the caller may store the pictures and fonts that an archive brings. */
  readonly mayWriteAssets: boolean;
  /** The environments that show what is new. */
  readonly environments: readonly EnvironmentName[];
};

export type ImportCalls = {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number, message: string) => void;
};

export type Imported = {
  readonly created: readonly { name: string; kind: TemplateKind; version: string; from: string }[];
  readonly skipped: readonly { name: string; reason: Warning; errors: readonly FaultDetail[] }[];
  readonly notes: readonly { template: string; note: Warning }[];
};

/** How many placeholders of other tools an import names for one template; lint finds them all. */
const NAMED_TAGS = 10;

function foreignTagNotes(document: Document | undefined): Warning[] {
  const { html, text, subject, preheader } = document ?? {};
  const tags = foreignTags([subject, preheader, text, html].join('\n'));
  return tags.slice(0, NAMED_TAGS).map((tag) => ({ key: 'import_foreign_tag', params: { tag } }));
}

/** How many templates an import from elsewhere may hold. */
const MOST_FOREIGN = 500;

/** Templates between two reports of progress. */
const SHOWN_EVERY = 25;

/** Ends the transaction of a dry run, which has then done everything but stay. */
const DRY_RUN = new Error('dry run');

/**
 * Brings templates in from other services, from source files and from bundles: all of them, or none.
 *
 * In: a payload or an archive. Out: what was created, updated and noted. Invariant: one transaction, so an import that
 * fails leaves no template behind.
 */
export function createImporting(context: TemplateContext) {
  /** @throws Fault validation_failed, too_large, insufficient_scope.import_assets, template_invalid.import with every problem of every template */
  async function run(author: Author, request: ImportRequest, calls: ImportCalls): Promise<Imported> {
    const source = await readPayload(request, calls.signal);
    try {
      return await bringIn(author, request, source, calls);
    } finally {
      source.close?.();
    }
  }

  async function bringIn(
    author: Author,
    request: ImportRequest,
    { importedTemplates, notes, assets = [] }: ImportedSource,
    calls: ImportCalls,
  ): Promise<Imported> {
    const { signal } = calls;
    const { accountId } = author;
    const { onConflict } = request;
    assertCount(importedTemplates);
    const all = await planImport(
      context,
      accountId,
      await fixAll(accountId, importedTemplates, signal),
      request,
    );
    const reasons = new Map<PlannedTemplate, Awaited<ReturnType<typeof skipOf>>>();
    for (const planned of all) reasons.set(planned, await skipOf(planned, onConflict));
    const coming = all.filter((planned) => !reasons.get(planned));
    const { passed, failed } = await checkAll(accountId, coming, all, request.skipInvalid, signal);
    const kept = passed.length === 0 ? [] : await storeArriving(author, request, assets, signal);
    const created = await writeAll(author, passed, request, calls);
    return {
      created,
      skipped: [
        ...[...reasons].flatMap(([{ name }, key]) => (key ? [skip(name, key, [])] : [])),
        ...failed.map(({ planned: { name }, problems }) => skip(name, 'import_skipped_invalid', problems)),
      ],
      notes: [
        ...[...notes, ...kept].map(({ from, warning }) => ({ template: from, note: warning })),
        ...passed.flatMap(notesOf),
      ],
    };
  }

  /** @throws Fault insufficient_scope.import_assets, also in a dry run */
  async function storeArriving(
    author: Author,
    { dryRun, mayWriteAssets }: ImportRequest,
    assets: readonly ImportedAsset[],
    signal: AbortSignal,
  ): Promise<AssetNote[]> {
    const { missing, notes } = await planAssets(context, author, assets);
    const [{ from: file } = { from: '' }] = missing;
    if (missing.length > 0 && !mayWriteAssets)
      throw new Fault('insufficient_scope.import_assets', { scope: 'assets:write', file });
    return dryRun ? [] : [...notes, ...(await storeAssets(context, author, missing, signal))];
  }

  /** What our engine asks for beyond other services' syntax; bundles are of this engine. */
  async function fixAll(
    accountId: string,
    importedTemplates: readonly ImportedTemplate[],
    signal: AbortSignal,
  ): Promise<ImportedTemplate[]> {
    const fixed: ImportedTemplate[] = [];
    for (const imported of importedTemplates) {
      signal.throwIfAborted();
      fixed.push(imported.history ? imported : await fixOne(accountId, imported));
    }
    return fixed;
  }

  async function fixOne(accountId: string, imported: ImportedTemplate): Promise<ImportedTemplate> {
    const { kind, active } = imported;
    const prepare = (document: Document) => context.composer.prepare(accountId, kind, document);
    const fixed = await Array.fromAsync(imported.versions, async ({ read }) =>
      fixRawBlocks(prepare, await read()),
    );
    return {
      ...imported,
      versions: imported.versions.map((version, index) => {
        const document = fixed[index]?.document;
        return document ? { ...version, read: async () => document } : version;
      }),
      notes: [
        ...imported.notes,
        ...(fixed[active]?.notes ?? []),
        ...foreignTagNotes(fixed[active]?.document),
      ],
    };
  }

  /** With `skipInvalid`, what uses something invalid is invalid too, so the rest is checked again without it. */
  async function checkAll(
    accountId: string,
    coming: readonly PlannedTemplate[],
    all: readonly PlannedTemplate[],
    skipInvalid: boolean,
    signal: AbortSignal,
  ): ReturnType<typeof checkImport> {
    const outcome = await checkImport(context, accountId, coming, all, signal);
    const { failed } = outcome;
    if (failed.length === 0) return outcome;
    if (!skipInvalid) {
      const errors = failed.flatMap(({ problems }) => problems);
      const [first] = failed;
      throw new Fault(
        'template_invalid.import',
        { count: failed.length, name: first?.planned.name ?? '' },
        { errors },
      );
    }
    const left = coming.filter((planned) => !failed.some((one) => one.planned === planned));
    const rest = await checkAll(accountId, left, all, skipInvalid, signal);
    return { passed: rest.passed, failed: [...failed, ...rest.failed] };
  }

  async function writeAll(
    author: Author,
    passed: readonly CheckedTemplate[],
    { source, dryRun, environments }: ImportRequest,
    { signal, progress }: ImportCalls,
  ) {
    const created: { name: string; kind: TemplateKind; version: string; from: string }[] = [];
    if (passed.length === 0) return created;
    const writing = write(context, author, async (tx) => {
      const count = passed.filter(({ taken }) => !taken).length;
      if (count > 0 && (await countTemplates(tx, author.accountId)) + count > LIMITS.templates)
        throw new Fault('conflict.too_many_templates', { limit: LIMITS.templates });
      for (const [index, one] of passed.entries()) {
        signal.throwIfAborted();
        if (index % SHOWN_EVERY === 0) progress(index, passed.length, 'writing');
        const version = await writeTemplate(tx, author, one, environments);
        created.push({ name: one.name, kind: one.imported.kind, version, from: one.imported.from });
      }
      if (dryRun) throw DRY_RUN;
      const detail = { created: created.map(({ name }) => name) };
      return { result: undefined, event: { action: 'templates.imported', target: source, detail } };
    });
    await writing.catch((error: unknown) => {
      if (error !== DRY_RUN) throw error;
    });
    return created;
  }

  return { run };
}

function skip(name: string, key: Warning['key'], errors: readonly FaultDetail[]) {
  return { name, reason: { key, params: { name } }, errors };
}

/** A bundle is read piece by piece; what comes from elsewhere is in memory. */
function assertCount(templates: readonly ImportedTemplate[]): void {
  const limit = templates[0]?.history ? LIMITS.templates : MOST_FOREIGN;
  if (templates.length === 0) throw new Fault('validation_failed.import_empty');
  if (templates.length > limit) throw new Fault('validation_failed.import_count', { limit });
}

function notesOf({ name, imported, taken, notes }: CheckedTemplate) {
  const { versions, active, history } = imported;
  const more: Warning[] = [];
  if (taken && versions.length > 1) more.push({ key: 'import_history_left', params: { name } });
  else if (!history && active < versions.length - 1)
    more.push({ key: 'import_active_older', params: { version: versions[active]?.title ?? '' } });
  return [...notes, ...more].map((note) => ({ template: name, note }));
}
