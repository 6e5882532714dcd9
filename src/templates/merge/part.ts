import type { Range, Region, Versions } from './diff3.ts';

/** A stretch of a merge: its text, or the three texts where the sides conflict. */
export type Part = string | Versions<string>;

/** The text that stands for a region of three lists. */
export function part(region: Region, lists: Versions<readonly string[]>): Part {
  const text = (of: keyof Versions<Range>) => lists[of].slice(region[of].start, region[of].end).join('');
  switch (region.kind) {
    case 'unchanged':
      return text('base');
    case 'ours':
      return text('ours');
    case 'theirs':
      return text('theirs');
    case 'conflict':
      return { base: text('base'), ours: text('ours'), theirs: text('theirs') };
  }
}
