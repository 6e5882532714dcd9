import { createHash } from 'node:crypto';
import type { Tab } from '../../sync/ports/sheet.ts';

/** The whole form: a tab of a person may begin alike. */
const TITLE = /^Stallhand staging (?<tab>\d+) (?<since>[0-9a-z]+) [0-9a-f]{8}$/;
/** No write takes longer: whoever began then is gone. */
const LONGEST_WRITE_MS = 60 * 60 * 1000;

/** The hidden tab of a write: for which tab, since when, and of which write. */
export function stagingTitle(tabId: number, now: number, key: string): string {
  const mark = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return `Stallhand staging ${tabId} ${now.toString(36)} ${mark}`;
}

export function isStaging(title: string): boolean {
  return TITLE.test(title);
}

/** Left by a write that did not end: of the same tab, which has one writer at a time, or old. */
export function isLeftover({ title }: Tab, tabId: number | null, now: number): boolean {
  const { tab, since } = TITLE.exec(title)?.groups ?? {};
  if (tab === undefined || since === undefined) return false;
  return tab === String(tabId) || !(now - Number.parseInt(since, 36) < LONGEST_WRITE_MS);
}
