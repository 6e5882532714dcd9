import type { SyncError } from '../change.ts';

/** More are counted, but not kept. */
const MOST = 1_000;

export type Notes = {
  add(notes: readonly SyncError[]): void;
  /** How many more are kept. */
  room(): number;
  all(): readonly SyncError[];
};

/** What went wrong in a run, as much of it as is kept. */
export function createNotes(): Notes {
  const kept: SyncError[] = [];
  return {
    add: (notes) => void kept.push(...notes.slice(0, MOST - kept.length)),
    room: () => MOST - kept.length,
    all: () => kept,
  };
}
