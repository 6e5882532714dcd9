import type { FaultParams } from '../../errors.ts';
import type { RuleId, Severity } from './rules.ts';

/** A place in the html that was examined; both count from 1. */
export type Place = { readonly line: number; readonly col: number };

/** What a rule saw. */
export type Found = {
  readonly rule: RuleId;
  readonly at?: Place | undefined;
  readonly params?: FaultParams;
  /** Mail clients by `family.platform`. */
  readonly clients?: readonly string[];
  /** What is found again under the same name counts up the first finding. Infos of one rule always do. */
  readonly group?: string;
};

/** What a caller is told, not yet in words: `localizeFinding` puts it into them. */
export type Finding = {
  readonly rule: RuleId;
  readonly severity: Severity;
  readonly params: FaultParams;
  readonly line?: number;
  readonly col?: number;
  /** In how many places, when in more than this one. */
  readonly count?: number;
  readonly clients?: readonly string[];
};

/** A mail as it leaves: the rendered html, and what is sent beside it. */
export type Mail = {
  readonly html: string;
  readonly text?: string | undefined;
  readonly subject?: string | undefined;
  readonly preheader?: string | undefined;
};
