import { splitLines } from '../diff/diff-text.ts';
import { type TimeLimit, timeLimit } from '../diff/shortest-edit.ts';
import { type Token, tokenize } from '../diff/tokenize.ts';
import { diff3, type Part, part, type Range, type Region, type Versions } from './diff3.ts';

/** A place both sides changed, in different ways. */
type TextConflict = {
  /** Position among the conflicts, from 0. */
  readonly index: number;
  /** Line, from 1, of the merged text in which every conflict before it holds our text. */
  readonly line: number;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
};

/** What a merged text is put together from, in order. */
export type MergePiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'conflict'; readonly index: number };

export type TextMerge =
  | { readonly clean: true; readonly text: string }
  | {
      readonly clean: false;
      readonly pieces: readonly MergePiece[];
      readonly conflicts: readonly TextConflict[];
    };

type MergeTextOptions = {
  /** `line` merges whole lines alone, as git does; `token`, the default, tries conflicting lines again by token. */
  readonly granularity?: 'line' | 'token';
  /** Shared by everything this merge compares; 700 ms unless given. */
  readonly limit?: TimeLimit;
};

/**
 * Three-way merge of a text. A change that both sides made is no conflict.
 *
 * @throws Fault `too_large.merge` when the texts differ in too many places to be compared in time
 */
export function mergeText(texts: Versions<string>, options: MergeTextOptions = {}): TextMerge {
  const { granularity = 'token', limit = timeLimit() } = options;
  const { base, ours, theirs } = texts;
  if (ours === theirs || theirs === base) return { clean: true, text: ours };
  if (ours === base) return { clean: true, text: theirs };
  const parts = mergeLines(texts, limit);
  if (granularity === 'line') return assembled(parts);
  return assembled(parts.flatMap((one) => (typeof one === 'string' ? [one] : mergeTokens(one, limit))));
}

function mergeLines({ base, ours, theirs }: Versions<string>, limit: TimeLimit): Part[] {
  const lists = { base: splitLines(base), ours: splitLines(ours), theirs: splitLines(theirs) };
  return diff3(lists, limit).map((region) => part(region, lists));
}

function assembled(parts: readonly Part[]): TextMerge {
  const sides = parts.filter((part) => typeof part !== 'string');
  if (sides.length === 0) return { clean: true, text: parts.join('') };
  const pieces = toPieces(parts);
  const lines = conflictLines(pieces, (index) => sides[index]?.ours ?? '');
  const conflicts = sides.map((side, index) => ({ index, line: lines.get(index) ?? 1, ...side }));
  return { clean: false, pieces, conflicts };
}

function toPieces(parts: readonly Part[]): MergePiece[] {
  const pieces: MergePiece[] = [];
  let text = '';
  let index = 0;
  const flush = () => {
    if (text !== '') pieces.push({ kind: 'text', text });
    text = '';
  };
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
    } else {
      flush();
      pieces.push({ kind: 'conflict', index: index++ });
    }
  }
  flush();
  return pieces;
}

/** The line, from 1, on which each conflict starts, by its index, when every conflict holds the given text. */
export function conflictLines(
  pieces: readonly MergePiece[],
  held: (index: number) => string,
): ReadonlyMap<number, number> {
  const lines = new Map<number, number>();
  let line = 1;
  for (const piece of pieces) {
    if (piece.kind === 'conflict') lines.set(piece.index, line);
    line += newlines(piece.kind === 'conflict' ? held(piece.index) : piece.text);
  }
  return lines;
}

function newlines(text: string): number {
  return text.split('\n').length - 1;
}

/** A side that changed more of the base than this did not edit it here and there but wrote it again. */
const MOST_CHANGED = 0.5;

/**
 * Merges by token what does not merge by line, and leaves what it cannot as conflicts.
 *
 * Made to merge nothing that reads as neither side wrote it. Changes of the two sides stay apart only where a space, a
 * tag or an expression between them stayed, so `19.99` changed to `20.99` and to `19.95` is a conflict. A conflict takes in
 * every change up to the next tag, since half a sentence cannot be resolved. Where one side wrote more than half again,
 * all is one conflict.
 *
 * @throws Fault `too_large.merge` when the limit passes
 */
function mergeTokens(texts: Versions<string>, limit: TimeLimit): Part[] {
  const tokens = { base: tokenize(texts.base), ours: tokenize(texts.ours), theirs: tokenize(texts.theirs) };
  const lists = { base: written(tokens.base), ours: written(tokens.ours), theirs: written(tokens.theirs) };
  const regions = diff3(lists, limit, (between) => some(tokens.base, between, isBoundary));
  if (isRewritten(regions, tokens.base)) return [texts];
  return runs(regions, tokens)
    .flatMap(withWholeConflict)
    .map((region) => part(region, lists));
}

function written(tokens: readonly Token[]): string[] {
  return tokens.map((token) => token.text);
}

function isBoundary({ kind }: Token): boolean {
  return kind !== 'word' && kind !== 'other';
}

function isTag({ kind }: Token): boolean {
  return kind === 'tag' || kind === 'comment';
}

function some(tokens: readonly Token[], range: Range, is: (token: Token) => boolean): boolean {
  for (const token of tokens.slice(range.start, range.end)) {
    if (is(token)) return true;
  }
  return false;
}

function isRewritten(regions: readonly Region[], base: readonly Token[]): boolean {
  const changedBy = (side: 'ours' | 'theirs') =>
    regions
      .filter(({ kind }) => kind === side || kind === 'conflict')
      .reduce((sum, region) => sum + visible(base.slice(region.base.start, region.base.end)), 0);
  const allowed = visible(base) * MOST_CHANGED;
  return changedBy('ours') > allowed || changedBy('theirs') > allowed;
}

function visible(tokens: readonly Token[]): number {
  return tokens.filter(({ kind }) => kind !== 'space').length;
}

/** The regions cut at those with a tag; a conflict cuts nothing. */
function runs(regions: readonly Region[], tokens: Versions<readonly Token[]>): Region[][] {
  const found: Region[][] = [];
  let inRun = false;
  for (const region of regions) {
    const cuts = region.kind !== 'conflict' && hasTag(region, tokens);
    if (inRun && !cuts) found.at(-1)?.push(region);
    else found.push([region]);
    inRun = !cuts;
  }
  return found;
}

/** A run with all its changes as one conflict, if there is a conflict among them. */
function withWholeConflict(run: readonly Region[]): Region[] {
  if (!run.some(({ kind }) => kind === 'conflict')) return [...run];
  const first = run.findIndex(({ kind }) => kind !== 'unchanged');
  const end = run.findLastIndex(({ kind }) => kind !== 'unchanged') + 1;
  return [...run.slice(0, first), spanned(run.slice(first, end)), ...run.slice(end)];
}

function hasTag({ base, ours, theirs }: Region, tokens: Versions<readonly Token[]>): boolean {
  return (
    some(tokens.base, base, isTag) || some(tokens.ours, ours, isTag) || some(tokens.theirs, theirs, isTag)
  );
}

function spanned(regions: readonly Region[]): Region {
  const across = (of: keyof Versions<Range>): Range => ({
    start: regions[0]?.[of].start ?? 0,
    end: regions.at(-1)?.[of].end ?? 0,
  });
  return { kind: 'conflict', base: across('base'), ours: across('ours'), theirs: across('theirs') };
}
