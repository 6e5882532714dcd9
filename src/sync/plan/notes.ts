import type { SyncError } from '../change.ts';

/** More are counted, but not saved. */
const MAX_NOTES = 1_000;

export type Notes = {
  add(notes: readonly SyncError[]): void;
  /** How many more are saved. */
  remaining(): number;
  all(): readonly SyncError[];
};

/** Gathers the errors of a run, up to a limit. */
export function createNotes(): Notes {
  const kept: SyncError[] = [];
  return {
    add: (notes) => void kept.push(...notes.slice(0, MAX_NOTES - kept.length)),
    remaining: () => MAX_NOTES - kept.length,
    all: () => kept,
  };
}
