import { placeOf } from '../copy.ts';
import { DEFAULT_BRANCH } from '../schema.ts';

/** One side of a comparison. */
export type Side = {
  readonly template: string;
  /** A version, branch or environment. */
  readonly reference: string;
  /** What answers call a version of this side: with the template's name, where it is not the one compared. */
  labelOf(version: { readonly label: string }): string;
};

/** Reads `v1.0.0`, or `other@v1.0.0` of another template than `name`. */
export function sideOf(name: string, text: string): Side {
  if (!text.includes('@')) return { template: name, reference: text, labelOf: ({ label }) => label };
  const { template, reference = DEFAULT_BRANCH } = placeOf(text);
  return { template, reference, labelOf: ({ label }) => `${template}@${label}` };
}
