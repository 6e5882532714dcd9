import type { TemplateContext } from '../context.ts';
import type { DiffFormat } from '../output-choices.ts';
import { choiceOf, findContent } from '../resolve/find-version.ts';
import type { Document } from '../schema.ts';
import { compareContracts } from '../versions/contract.ts';
import { diffStructure } from './diff-structure.ts';
import { diffHunks, diffTokens, type HunkDiff, unifiedDiff } from './diff-text.ts';
import { type TimeLimit, timeLimit } from './shortest-edit.ts';
import { type Side, sideOf } from './side.ts';

type Field = { readonly field: keyof Document; readonly from: string; readonly to: string };

const FIELDS = ['html', 'subject', 'preheader', 'text', 'css', 'format', 'layout', 'schema'] as const;

/**
 * Compares two versions, of one template or of two, field by field.
 *
 * In: two references. Out: what differs, in the form that was asked for. Invariant: comparing changes nothing and ends
 * within a time limit.
 */
export function createDiffing({ sql }: TemplateContext) {
  const read = (accountId: string, { template, reference }: Side) =>
    findContent(sql, accountId, template, choiceOf(reference));

  return {
    /**
     * `from` and `to` are versions, branches or environments, of the template or, as `other@main`, of another one.
     * @throws Fault not_found, too_large
     */
    async diff(
      accountId: string,
      name: string,
      { from, to, format }: { from: string; to: string; format: DiffFormat },
    ) {
      const [old, now] = [sideOf(name, from), sideOf(name, to)];
      const before = await read(accountId, old);
      const after = await read(accountId, now);
      const fields = changedFields(before.document, after.document);
      // One limit for all fields together.
      const limit = timeLimit();
      const compared = fields.map((field) => diffHunks(...linesOf(field), { limit }));
      const changes = compareContracts(before.version.variables, after.version.variables);
      const labels = [old.labelOf(before.version), now.labelOf(after.version)] as const;
      return {
        from: labels[0],
        to: labels[1],
        format,
        stats: stats(compared),
        fields: fields.map(({ field }) => field),
        breaking: changes.some((change) => change.breaking),
        ...body(format, { fields, compared, changes, labels, limit }),
      };
    },
  };
}

function changedFields(before: Document, after: Document): Field[] {
  return FIELDS.map((field) => ({ field, from: textOf(before[field]), to: textOf(after[field]) })).filter(
    ({ from, to }) => from !== to,
  );
}

function textOf(value: Document[keyof Document]): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`;
}

/** Values are no files: that one does not end with a newline is only said where the other one does. */
function linesOf({ from, to }: Field): readonly [from: string, to: string] {
  if (from.endsWith('\n') || to.endsWith('\n')) return [from, to];
  return [from && `${from}\n`, to && `${to}\n`];
}

function stats(compared: readonly HunkDiff[]) {
  const sum = (key: 'added' | 'removed') => compared.reduce((total, { stats }) => total + stats[key], 0);
  return { added: sum('added'), removed: sum('removed') };
}

type Comparison = {
  readonly fields: readonly Field[];
  /** The lines of each field, in the same order. */
  readonly compared: readonly HunkDiff[];
  readonly changes: ReturnType<typeof compareContracts>;
  readonly labels: readonly [from: string, to: string];
  readonly limit: TimeLimit;
};

function body(format: DiffFormat, { fields, compared, changes, labels, limit }: Comparison) {
  switch (format) {
    case 'unified':
      return { unified: fields.map((field) => unified(field, labels, limit)).join('') };
    case 'hunks':
      return { hunks: fields.map(({ field }, index) => ({ field, hunks: compared[index]?.hunks ?? [] })) };
    case 'tokens':
      return { tokens: fields.map(({ field, from, to }) => ({ field, parts: diffTokens(from, to, limit) })) };
    case 'structural': {
      const html = fields.find(({ field }) => field === 'html');
      return { nodes: html ? diffStructure(html.from, html.to, limit) : [] };
    }
    case 'schema':
      return { schema_changes: changes };
    // Screenshots need a browser: visual-diff.ts takes them.
    case 'visual':
      return {};
  }
}

function unified(field: Field, [before, after]: Comparison['labels'], limit: TimeLimit): string {
  const [fromLabel, toLabel] = [`${before}/${field.field}`, `${after}/${field.field}`];
  return unifiedDiff(...linesOf(field), { fromLabel, toLabel, limit });
}
