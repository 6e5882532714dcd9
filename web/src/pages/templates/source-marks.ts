import type { ApiFault } from '../../api/fault.ts';
import type { text } from '../../i18n/text.ts';
import type { Mark } from '../../ui/code/code-marks.ts';

/** What to mark in the margin of a source: where it cannot be compiled, and variables that have no value. */
export function sourceMarks(
  source: string,
  fault: ApiFault | null,
  missing: readonly string[],
  t: typeof text,
): Mark[] {
  const broken = (fault?.errors ?? []).flatMap(({ line, col = 1, msg }) =>
    line === undefined ? [] : [{ line, col, severity: 'error' as const, message: msg }],
  );
  const blank = missing.flatMap((name) => {
    const at = source.search(new RegExp(`\\{\\{[^}]*(?<![\\w.])${RegExp.escape(name)}(?![\\w.])`));
    if (at < 0) return [];
    const before = source.slice(0, at).split('\n');
    const place = { line: before.length, col: (before.at(-1)?.length ?? 0) + 1 };
    return [{ ...place, severity: 'warning' as const, message: t('variables.noValueFor', { name }) }];
  });
  return [...broken, ...blank];
}
