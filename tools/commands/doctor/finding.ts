import { z } from 'zod';
import { Fault } from '../../../src/errors.ts';
import { explainFailure } from '../command.ts';

/** What a check found. hint: the server works, with fewer features. skipped: another finding is in the way. */
const Finding = z
  .object({
    check: z.string(),
    state: z.enum(['ok', 'hint', 'broken', 'skipped']),
    found: z.string(),
    /** What to do about it. */
    advice: z.string().optional(),
  })
  .readonly();
export type Finding = z.output<typeof Finding>;
export const Findings = z.array(Finding);

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found });
export const hint = (check: string, found: string, advice: string): Finding => ({
  ...{ check, state: 'hint', found, advice },
});
export const broken = (check: string, found: string, advice: string): Finding => ({
  ...{ check, state: 'broken', found, advice },
});
export const skipped = (check: string, found: string): Finding => ({ check, state: 'skipped', found });

/** The reason of a failure, with its cause and without its stack. */
export function reasonOf(error: unknown): string {
  if (error instanceof Fault) return explainFailure(error);
  return error instanceof Error ? error.message : String(error);
}
