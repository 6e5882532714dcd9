import fc from 'fast-check';

/** A text and two edits of it. */
export type EditedTexts = { readonly base: string; readonly ours: string; readonly theirs: string };

/**
 * From a few lines that repeat all the time to hundreds that hardly do, with and without lines of their own, edited in
 * some places or all over: lines removed, inserted, replaced and moved, with and without a newline at the end.
 */
export const editedTexts: fc.Arbitrary<EditedTexts> = fc
  .record({
    alphabet: fc.constantFrom(1, 2, 3, 5, 12, 1000),
    longest: fc.constantFrom(12, 40, 200),
    density: fc.constantFrom(1, 4, 12),
    ownLines: fc.constantFrom(0, 0, 1, 6),
  })
  .chain(({ alphabet, longest, density, ownLines }) => {
    const repeated = fc.nat(alphabet - 1).map((number) => (number === 0 ? '\n' : `line ${number}\n`));
    const own = fc.nat(1_000_000).map((number) => `own ${number}\n`);
    const line = fc.oneof({ weight: 1, arbitrary: repeated }, { weight: ownLines, arbitrary: own });
    const edits = fc.array(edit(line), { maxLength: Math.ceil(longest / density / 2), size: 'max' });
    const end = fc.constantFrom(true, true, true, false);
    return fc
      .record({
        base: fc.array(line, { maxLength: longest, size: 'max' }),
        ours: edits,
        theirs: edits,
        ends: fc.tuple(end, end, end),
      })
      .map(({ base, ours, theirs, ends }) => ({
        base: text(base, ends[0]),
        ours: text(edited(base, ours), ends[1]),
        theirs: text(edited(base, theirs), ends[2]),
      }));
  });

type Edit = {
  readonly at: number;
  readonly remove: number;
  readonly insert: readonly string[];
  readonly moveTo: number | null;
};

function edit(line: fc.Arbitrary<string>): fc.Arbitrary<Edit> {
  return fc.record({
    at: fc.nat(),
    remove: fc.nat(8),
    insert: fc.array(line, { maxLength: 12, size: 'max' }),
    moveTo: fc.option(fc.nat(), { freq: 4 }),
  });
}

function edited(base: readonly string[], edits: readonly Edit[]): string[] {
  const lines = [...base];
  for (const { at, remove, insert, moveTo } of edits) {
    const removed = lines.splice(at % (lines.length + 1), remove);
    if (moveTo === null) lines.splice(at % (lines.length + 1), 0, ...insert);
    else lines.splice(moveTo % (lines.length + 1), 0, ...removed);
  }
  return lines;
}

function text(lines: readonly string[], newlineAtEnd: boolean): string {
  const joined = lines.join('');
  return newlineAtEnd ? joined : joined.replace(/\n$/, '');
}
