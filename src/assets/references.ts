import type { AssetUse } from './asset.ts';

/** A text that may refer to assets, and whose it is. */
export type ReferencingText = AssetUse & { readonly references: readonly string[] };

/** Every ID, path and content that the texts refer to. */
export function findReferences(texts: readonly ReferencingText[]): string[] {
  return [...new Set(texts.flatMap(({ references }) => references))];
}

/** The texts that refer to one of the names. */
export function referencesTo(texts: readonly ReferencingText[], names: readonly string[]): AssetUse[] {
  const wanted = new Set(names);
  return texts
    .filter(({ references }) => references.some((reference) => wanted.has(reference)))
    .map(({ kind, name }) => ({ kind, name }));
}
