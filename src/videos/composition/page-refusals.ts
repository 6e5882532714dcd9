import { Fault, type FaultDetail, type FaultKey } from '../../errors.ts';
import type { Inspection, Refused } from './inspect-page.ts';

type Where = {
  /** The field that holds the page. */
  readonly loc: FaultDetail['loc'];
  /** The page may run scripts of its own. */
  readonly scripts: boolean;
};

const KEYS: Readonly<Record<Refused['what'], FaultKey>> = {
  element: 'template_invalid.video_element',
  script: 'template_invalid.video_script',
  script_source: 'template_invalid.video_script_source',
  import: 'template_invalid.video_import',
};

/** Throws the Fault of the first thing a page may not hold, with all of them as details. */
export function refusePage({ refused }: Pick<Inspection, 'refused'>, { loc, scripts }: Where): void {
  const errors = refused
    .filter(({ what }) => what !== 'script' || !scripts)
    .map(({ what, line, col, ...more }) => ({
      loc,
      key: KEYS[what],
      params: { ...more, line, col },
      line,
      col,
    }));
  const [first] = errors;
  if (first) throw new Fault(first.key, first.params, { errors });
}

/** @throws Fault template_invalid.stage_missing */
export function checkStage({ stages: count }: Pick<Inspection, 'stages'>, loc: FaultDetail['loc']): void {
  if (count === 1) return;
  const key = 'template_invalid.stage_missing';
  throw new Fault(key, { count }, { errors: [{ loc, key, params: { count } }] });
}
