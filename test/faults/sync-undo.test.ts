import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fault } from '../../src/errors.ts';
import type { StoreField } from '../../src/sync/values/field.ts';
import { type Arena, openArena } from './sync-worlds/arena.ts';
import { caller, type Engine } from './sync-worlds/engine.ts';
import { isRight } from './sync-worlds/findings.ts';
import { isOfProduct } from './sync-worlds/goods.ts';
import type { Trial } from './sync-worlds/trial.ts';
import { TAB, type World } from './sync-worlds/world.ts';

const TRIALS = Number(process.env['SYNC_TRIALS'] ?? 200);
const VARIANTS = 60;
const FAULTED = 0.25;
/** More than there ever are. */
const MAX_ROWS = 300;

let arena: Arena;
beforeAll(async () => {
  arena = await openArena();
});
afterAll(() => arena.close());

test(`${TRIALS} runs are undone: what was sold or typed since stays, and everything else is as before and stays so`, async () => {
  const { wrong, ...totals } = await arena.tryAll({ trials: TRIALS, most: VARIANTS }, takeBack);
  process.stdout.write(`${JSON.stringify(totals)}\n`);
  expect(wrong).toEqual([]);
});

async function takeBack(trial: Trial, engine: Engine): Promise<string[]> {
  const { world, people, state } = trial;
  state.faulted = FAULTED;
  if (world.direction === 'two_way') await trial.run();
  for (let deeds = world.chance.between(10, 60); deeds > 0; deeds--) people.act('rows');
  let before = looked(world);
  const { id } = await trial.run(() => {
    before = looked(world);
    return engine.run(world.id);
  });
  const after = looked(world);
  for (let deeds = world.chance.between(0, 30); deeds > 0; deeds--) people.act('cells');
  const touched = looked(world);
  const isTaken = await trial
    .run(async () => engine.ended(await engine.runs.revert(caller, id)))
    .then(() => true)
    .catch(nothingToRevert);
  if (!isTaken) return [];
  const end = looked(world);
  const undone = await undoneCells(trial, engine, id);
  const wrong = [...end].flatMap(([cell, value]) => {
    const right = rightOf(cell, { before, after, touched });
    return value === right ? [] : [`${cell} is ${value}, not ${right}`];
  });
  state.faulted = 0;
  await trial.run();
  const again = redone(world, { after, touched, end });
  return [...wrong, ...again, ...differing(world, { undone, end })];
}

/** Cells that the undo has changed and the next run has changed again, though no person touched them on either side. */
function redone(world: World, { after, touched, end }: Record<'after' | 'touched' | 'end', Cells>): string[] {
  const last = looked(world);
  const isTouched = (cell: string) => after.get(cell) !== touched.get(cell);
  return [...end].flatMap(([cell, value]) => {
    const wasUndone = value !== touched.get(cell) && !isTouched(cell);
    if (!wasUndone || last.get(cell) === value || otherSides(world, cell, touched).some(isTouched)) return [];
    return [`${cell} was undone to ${value} and is ${last.get(cell)} after the next run`];
  });
}

/** The cells of the same item and field on the other side; where they are of a product, also those of its other variants. */
function otherSides({ lane }: World, cell: string, cells: Cells): string[] {
  const [side, name = '', field = ''] = cell.split(' ');
  if (side === 'sheet') return [`store ${cells.get(`sheet ${name} sku`)} ${field}`];
  const variants = lane.shop.variants();
  const product = variants.find(({ sku }) => sku === name)?.productId;
  const isShared = field !== '' && isOfProduct(field as StoreField);
  const sharing = isShared ? variants.filter(({ productId }) => productId === product) : [];
  const skus = new Set<unknown>([name, ...sharing.map(({ sku }) => sku)]);
  return [...cells].flatMap(([key, sku]) =>
    key.startsWith('sheet ') && key.endsWith(' sku') && skus.has(sku) ? [key.replace(/sku$/, field)] : [],
  );
}

/** `sku field` of what the undos of a run have written; what is of a product for all its variants. */
async function undoneCells({ runs, world }: Trial, engine: Engine, id: string): Promise<ReadonlySet<string>> {
  const undos = runs.filter(({ reverts_run }) => reverts_run === id);
  const order = { limit: MAX_ROWS * 10, state: 'applied' } as const;
  const pages = await Promise.all(undos.map((undo) => engine.runs.rows(caller.accountId, undo.id, order)));
  const variants = world.lane.shop.variants();
  const cells = pages.flatMap(({ items }) =>
    items.flatMap(({ key, field, productId }) => {
      const isShared = field !== 'key' && field !== 'status' && isOfProduct(field);
      const sharing = isShared ? variants.filter((variant) => variant.productId === productId) : [];
      return [key, ...sharing.map(({ sku }) => sku)].map((sku) => `${sku} ${field}`);
    }),
  );
  return new Set(cells);
}

type Cells = ReadonlyMap<string, unknown>;

/**
 * A quantity that both sides were given stays in both where the store has sold since, and so does the first picture of a
 * product: none is ever taken off.
 */
function rightOf(
  cell: string,
  { before, after, touched }: Record<'before' | 'after' | 'touched', Cells>,
): unknown {
  const isTouched = (one: string) => after.get(one) !== touched.get(one);
  const isChanged = (one: string) => before.get(one) !== after.get(one);
  if (isTouched(cell) || !isChanged(cell)) return touched.get(cell);
  if (cell.endsWith(' image')) {
    const picture = cell.replace(/^sheet \d+ /, (row) => `store ${touched.get(`${row}sku`)} `);
    if (before.get(picture) === null && after.get(picture) !== null) return touched.get(cell);
  }
  // A row that the run has appended is taken back as a whole or not at all.
  const [ofRow] = /^sheet \d+ /.exec(cell) ?? [];
  const isOfRow = (one: string) => ofRow !== undefined && one.startsWith(ofRow) && isChanged(one);
  if (before.get(`${ofRow}sku`) === '' && [...after.keys()].some((one) => isOfRow(one) && isTouched(one)))
    return touched.get(cell);
  const [, row, field] = /^sheet (\d+) (inventory_quantity(?::\d+)?)$/.exec(cell) ?? [];
  const inStore = `store ${touched.get(`sheet ${row} sku`)} ${field}`;
  return row && isChanged(inStore) && isTouched(inStore) ? touched.get(cell) : before.get(cell);
}

/** Every cell of both sides: those of the sheet by the number of their row. */
function looked(world: World): Map<string, unknown> {
  const cells = new Map<string, unknown>();
  for (const [sku, values] of world.store()) {
    for (const field of world.fields) cells.set(`store ${sku} ${field}`, values[field]);
  }
  const rows = world.book.rows(TAB);
  const fields: StoreField[] = ['sku', ...world.fields];
  for (let row = world.header + 1; row <= MAX_ROWS; row++) {
    for (const field of fields) {
      cells.set(`sheet ${row} ${field}`, rows[row - 1]?.[world.columns.indexOf(field)] ?? '');
    }
  }
  return cells;
}

/** What was undone may differ, as the undo has left it. */
function differing(world: World, { undone, end }: { undone: ReadonlySet<string>; end: Cells }): string[] {
  const store = world.store();
  return world.sheet().flatMap((row) => {
    const there = store.get(row.sku ?? '');
    if (!there) return [];
    return world.fields
      .filter((field) => !isRight(field, there, row))
      .filter(
        (field) =>
          !undone.has(`${row.sku} ${field}`) || there[field] !== end.get(`store ${row.sku} ${field}`),
      )
      .map(
        (field) => `${row.sku} ${field} in the end: ${row[field]} in the sheet, ${there[field]} in the store`,
      );
  });
}

function nothingToRevert(error: unknown): false {
  if (error instanceof Fault && error.key === 'conflict.nothing_to_revert') return false;
  throw error;
}
