/** How far around an item the neighbourhood goes. */
const WINDOW = 100;
const MOST_COMMON = 1024;

/**
 * Marks the items of `ids[start, end)` that the search for the shortest edit does without: those the other list has
 * nowhere, and frequent ones (an empty line, a `</td>`) lost among such, where a match would only be chance.
 */
export function unhelpful(ids: Int32Array, other: Int32Array, start: number, end: number): Uint8Array {
  const absent = new Uint8Array(end - start);
  const frequent = new Uint8Array(end - start);
  const occurrences = counts(other);
  const many = Math.min(roughRoot(ids.length), MOST_COMMON);
  for (let at = start; at < end; at++) {
    const count = occurrences.get(ids[at] ?? -1) ?? 0;
    if (count === 0) absent[at - start] = 1;
    else if (count >= many) frequent[at - start] = 1;
  }
  return withLostOnes(absent, frequent);
}

function counts(ids: Int32Array): Map<number, number> {
  const found = new Map<number, number>();
  for (const id of ids) found.set(id, (found.get(id) ?? 0) + 1);
  return found;
}

/** The power of two next to the square root that git takes as "many". */
function roughRoot(count: number): number {
  return 1 << ((33 - Math.clz32(count)) >> 1);
}

/**
 * Adds the frequent items that stand in a run of absent and frequent ones only, with absent ones on both sides and
 * more than three times as many of them as of frequent ones. The item itself counts twice, as it does in git.
 */
function withLostOnes(absent: Uint8Array, frequent: Uint8Array): Uint8Array {
  const absentBefore = runningSum(absent);
  const frequentBefore = runningSum(frequent);
  const { first, last } = runs(absent, frequent);
  return absent.map((isAbsent, at) => {
    if (isAbsent || !frequent[at]) return isAbsent;
    const low = Math.max(first[at] ?? 0, at - WINDOW);
    const high = Math.min(last[at] ?? 0, at + WINDOW) + 1;
    const before = between(absentBefore, low, at);
    const after = between(absentBefore, at, high);
    const alike = between(frequentBefore, low, high) + 1;
    return before > 0 && after > 0 && alike * 3 < before + after ? 1 : 0;
  });
}

function runningSum(flags: Uint8Array): Int32Array {
  const sums = new Int32Array(flags.length + 1);
  flags.forEach((flag, at) => {
    sums[at + 1] = (sums[at] ?? 0) + flag;
  });
  return sums;
}

function between(sums: Int32Array, low: number, high: number): number {
  return (sums[high] ?? 0) - (sums[low] ?? 0);
}

/** For each item the first and last position of the run of absent or frequent items it stands in. */
function runs(absent: Uint8Array, frequent: Uint8Array): { first: Int32Array; last: Int32Array } {
  const first = new Int32Array(absent.length);
  const last = new Int32Array(absent.length);
  const inRun = (at: number) => absent[at] === 1 || frequent[at] === 1;
  for (let at = 0; at < absent.length; at++) {
    first[at] = at > 0 && inRun(at - 1) && inRun(at) ? (first[at - 1] ?? at) : at;
  }
  for (let at = absent.length - 1; at >= 0; at--) {
    last[at] = at + 1 < absent.length && inRun(at + 1) && inRun(at) ? (last[at + 1] ?? at) : at;
  }
  return { first, last };
}
