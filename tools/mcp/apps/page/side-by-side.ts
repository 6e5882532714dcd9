import { type Child, h } from './dom.ts';
import { count, t } from './texts.ts';

type Line = { readonly op: 'equal' | 'added' | 'removed'; readonly text: string };

export type Hunk = {
  readonly from_start: number;
  readonly to_start: number;
  readonly from_lines: number;
  readonly to_lines: number;
  readonly lines: readonly Line[];
};

/** A line with its numbers on both sides, from 1; undefined on the side that lacks it. */
type Numbered = Line & { readonly from: number | undefined; readonly to: number | undefined };

type Form = { readonly isWide: boolean; readonly from: string; readonly to: string };

/** The lines of a diff as a table: two columns where there is room, else removed lines above added ones. */
export function linesOf(hunks: readonly Hunk[], { isWide, from, to }: Form): HTMLElement {
  const columns = isWide ? 4 : 2;
  const head = h(
    'thead',
    { class: 'hidden' },
    h(
      'tr',
      {},
      (isWide ? [t('line'), from, t('line'), to] : [t('line'), t('text')]).map((text) =>
        h('th', { scope: 'col' }, text),
      ),
    ),
  );
  const rows = hunks.flatMap((hunk, at) => {
    const before = hunks[at - 1];
    const skipped = hunk.from_start - (before ? before.from_start + before.from_lines : 1);
    const lines = numbered(hunk);
    return [
      ...(skipped > 0
        ? [h('tr', { class: 'skipped' }, h('td', { colspan: columns }, count('unchanged_lines', skipped)))]
        : []),
      ...(isWide ? paired(lines).map(twoSides) : lines.map(oneSide)),
    ];
  });
  return h(
    'div',
    { class: 'scroller' },
    h('table', { class: 'lines' }, columnsOf(isWide), head, h('tbody', {}, rows)),
  );
}

/** The numbers take little, the texts the rest. */
function columnsOf(isWide: boolean): HTMLElement {
  const side = () => [h('col', { class: 'numbers' }), h('col')];
  return h('colgroup', {}, side(), isWide && side());
}

function numbered({ from_start, to_start, lines }: Hunk): Numbered[] {
  let [from, to] = [from_start, to_start];
  return lines.map((line) => ({
    ...line,
    from: line.op === 'added' ? undefined : from++,
    to: line.op === 'removed' ? undefined : to++,
  }));
}

type Pair = readonly [Numbered | undefined, Numbered | undefined];

/** The removed lines of a change stand beside the added ones. */
function paired(lines: readonly Numbered[]): Pair[] {
  const pairs: Pair[] = [];
  let removed: Numbered[] = [];
  let added: Numbered[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) pairs.push([removed[at], added[at]]);
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.op === 'removed') removed.push(line);
    else if (line.op === 'added') added.push(line);
    else {
      flush();
      pairs.push([line, line]);
    }
  }
  flush();
  return pairs;
}

function twoSides([old, now]: Pair): HTMLElement {
  return h('tr', {}, cells(old, old?.from), cells(now, now?.to));
}

function oneSide(line: Numbered): HTMLElement {
  return h('tr', {}, cells(line, line.to ?? line.from));
}

function cells(line: Numbered | undefined, place: number | undefined): Child[] {
  const kind = line && line.op !== 'equal' ? line.op : '';
  const said = kind && h('span', { class: 'hidden' }, `${t(kind)} `);
  return [
    h('td', { class: `margin ${kind}` }, place),
    h('td', { class: `text ${kind}` }, said, line?.text ?? ''),
  ];
}
