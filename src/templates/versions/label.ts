import type { Bump } from '../schema.ts';

/** A version label taken apart. `draft` is set on versions of a Draft branch. */
export type Label = {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly draft?: { readonly slug: string; readonly number: number };
};

const LABEL = /^v(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(?:-([a-z0-9-]+)\.(\d{1,9}))?$/;

export const FIRST_RELEASE: Label = { major: 1, minor: 0, patch: 0 };

/** Reads `v2.1`, `v2.1.0` or `v2.1.0-holiday.3`; undefined for anything else. */
export function parseLabel(text: string): Label | undefined {
  const match = LABEL.exec(text);
  if (!match) return undefined;
  const [, major, minor, patch = '0', slug, number] = match;
  const release = { major: Number(major), minor: Number(minor), patch: Number(patch) };
  return slug === undefined ? release : { ...release, draft: { slug, number: Number(number) } };
}

/** The one way a version is written: three parts, drafts as a semver prerelease. */
export function formatLabel({ major, minor, patch, draft }: Label): string {
  return `v${major}.${minor}.${patch}${draft ? `-${draft.slug}.${draft.number}` : ''}`;
}

/** `v2.1` → `v2.1.0`; a text that is no label stays as it is. */
export function normalLabel(text: string): string {
  const label = parseLabel(text);
  return label ? formatLabel(label) : text;
}

/** The short form `v2.1` of `v2.1.0`; undefined where there is none. */
export function aliasOf(text: string): string | undefined {
  const label = parseLabel(text);
  return label && label.patch === 0 && !label.draft ? `v${label.major}.${label.minor}` : undefined;
}

/** The release after `label`. */
export function nextRelease({ major, minor, patch }: Label, bump: Exclude<Bump, 'auto'>): Label {
  if (bump === 'major') return { major: major + 1, minor: 0, patch: 0 };
  if (bump === 'minor') return { major, minor: minor + 1, patch: 0 };
  return { major, minor, patch: patch + 1 };
}

/** Negative when `a` comes before `b`; drafts of a release are not told apart from it. */
export function compareReleases(a: Label, b: Label): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

/** The part of a draft label that names its branch: `feature/x` → `feature-x`. */
export function slugOf(branch: string): string {
  return branch.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'draft';
}
