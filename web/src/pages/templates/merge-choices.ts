import type { Input, Output } from '../../api/operation.ts';
import type { mergeBranch } from '../../api/operations.gen.ts';

export type Conflict = Output<typeof mergeBranch>['conflicts'][number];
export type Resolution = NonNullable<Input<typeof mergeBranch>['resolutions']>[number];

/** What a person wants at one conflict; `text` only of their own words. */
export type Choice = { readonly take: Resolution['take']; readonly text?: string };

/** By `keyOf` a conflict. */
export type Choices = Readonly<Record<string, Choice>>;

/** The same as long as both sides say the same: a choice holds when another place of a branch changes. */
export const keyOf = ({ id, base, ours, theirs }: Conflict): string =>
  JSON.stringify([id, base, ours, theirs]);

/** What a side has at a place: its text, or JSON of a place in the schema. Nothing where it has none. */
export function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** The choices of these conflicts, as the server takes them. */
export function resolutionsOf(conflicts: readonly Conflict[], choices: Choices): Resolution[] {
  return conflicts.flatMap((conflict) => {
    const choice = choices[keyOf(conflict)];
    return choice ? [{ id: conflict.id, ...choice }] : [];
  });
}

/** Every conflict settled by the same side. */
export const allFrom = (conflicts: readonly Conflict[], take: 'ours' | 'theirs'): Choices =>
  Object.fromEntries(conflicts.map((conflict) => [keyOf(conflict), { take }]));
