import type { Call } from './lane.ts';
import type { Trial } from './trial.ts';
import { TAB } from './world.ts';

/** Moves rows or columns of the sheet, as people do who do not know of a run. */
export type Mover = keyof typeof MOVERS;

const MOVERS = {
  sort({ world }: Trial): void {
    const { book, chance, columns, header } = world;
    const how = { from: header + 1, descending: chance.happens(0.5) };
    book.sortRows(TAB, columns.indexOf(chance.pick(['sku', 'inventory_quantity', 'Note'] as const)), how);
  },
  insertRow({ world }: Trial): void {
    const row = world.chance.between(1, world.header + 12);
    world.book.insertRow(TAB, row);
    if (row <= world.header) world.header += 1;
  },
  deleteRow({ people }: Trial): void {
    people.deleteRow();
  },
  insertColumn({ world }: Trial): void {
    const at = world.chance.between(0, world.columns.length);
    world.book.insertColumn(TAB, at);
    world.columns.splice(at, 0, '');
  },
  moveColumn({ world }: Trial): void {
    const { book, chance, columns } = world;
    const from = chance.between(0, columns.length - 1);
    const to = chance.between(0, columns.length - 1);
    book.moveColumn(TAB, from, to);
    columns.splice(to, 0, ...columns.splice(from, 1));
  },
} as const;

/** Has rows or columns moved at boundaries of requests: before one is served, or after. Returns how often it happened. */
export function moveAt(trial: Trial, movers: readonly { mover: Mover; boundary: Boundary }[]) {
  const open = [...movers];
  const seen = { all: 0, writes: 0 };
  const done: string[] = [];
  trial.state.happens = (call, moment) => {
    if (moment === 'before') seen.all += 1;
    if (moment === 'before' && call.side === 'sheet' && call.isWrite) seen.writes += 1;
    for (const one of [...open]) {
      if (!isAt(one.boundary, call, moment, seen)) continue;
      open.splice(open.indexOf(one), 1);
      MOVERS[one.mover](trial);
      done.push(`${one.mover} ${moment} ${call.name}`);
      trial.count.deeds += 1;
    }
  };
  return done;
}

/** The nth write to the sheet, or the nth request of all; from 1. */
export type Boundary = {
  readonly of: 'all' | 'writes';
  readonly nth: number;
  readonly moment: 'before' | 'after';
};

function isAt(
  { of, nth, moment: wanted }: Boundary,
  { side, isWrite }: Call,
  moment: 'before' | 'after',
  seen: { readonly all: number; readonly writes: number },
): boolean {
  return moment === wanted && seen[of] === nth && (of === 'all' || (side === 'sheet' && isWrite));
}
