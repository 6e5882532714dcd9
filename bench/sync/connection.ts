import { z } from 'zod';
import { Direction } from '../../src/sync/config.ts';

/** What the bench calls its store and its sheet; the token of the sheet is the peer's own. */
export const DOMAIN = 'bench.myshopify.com';
export const STORE_TOKEN = 'shpat_bench';
export const SPREADSHEET = 'bench';
export const SHEET_TOKEN = 'ya29.test';
export const TAB = 'Sheet1';

export const ACCOUNT = 'acc_bench';
export const CONFIG = 'cfg_bench';
export const STORE = 'sto_bench';
export const SHEET = 'she_bench';

/** Where both sides are, and which is to follow which. */
export const Task = z.object({
  store: z.string(),
  sheet: z.string(),
  location: z.string(),
  direction: Direction,
});
export type Task = z.output<typeof Task>;

/**
 * What one run has cost the process that made it. `wall_s` is without `waited_s`, which somebody else's job was waited
 * for; `cpu_s` is of all threads; `peak_mib` is of the process from its start, `ready_mib` what it had before the run.
 */
export const Cost = z.object({
  rows: z.number(),
  changed: z.number(),
  wall_s: z.number(),
  waited_s: z.number(),
  cpu_s: z.number(),
  ready_mib: z.number(),
  peak_mib: z.number(),
});
export type Cost = z.output<typeof Cost>;
