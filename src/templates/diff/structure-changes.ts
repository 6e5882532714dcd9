import { around, cut, excerpt } from './excerpt.ts';
import { pathOf, type StructureNode } from './structure-tree.ts';

/**
 * One change of the tree. A `path` leads from the root by tags, such as `html > body > table:nth(2) > #text`; it is
 * counted in the new tree, for `removed` in the old one. Texts, values and html are cut to what shows the change.
 */
export type StructureChange =
  | { readonly change: 'added'; readonly path: string; readonly after: string }
  | { readonly change: 'removed'; readonly path: string; readonly before: string }
  | {
      readonly change: 'moved';
      readonly path: string;
      readonly from_path: string;
      /** Place among all children of its parent, from 1, now and before. */
      readonly position: number;
      readonly from_position: number;
    }
  | { readonly change: 'text'; readonly path: string; readonly before: string; readonly after: string }
  | {
      readonly change: 'attribute';
      readonly path: string;
      readonly name: string;
      /** Left out when the attribute is new. */
      readonly before?: string;
      /** Left out when the attribute is gone. */
      readonly after?: string;
    };

type Pair = { readonly from: StructureNode; readonly to: StructureNode };

/** Nodes of the old and the new tree that differ. */
export type Difference =
  | { readonly kind: 'added' | 'removed'; readonly node: StructureNode }
  | ({ readonly kind: 'moved' | 'edited' } & Pair);

/** A difference of two trees as it is shown; an edited node is one change for its text and for each attribute. */
export function structureChanges(difference: Difference): StructureChange[] {
  switch (difference.kind) {
    case 'added':
      return [{ change: 'added', path: pathOf(difference.node), after: excerpt(difference.node) }];
    case 'removed':
      return [{ change: 'removed', path: pathOf(difference.node), before: excerpt(difference.node) }];
    case 'moved':
      return [moved(difference)];
    case 'edited':
      return [...textChange(difference), ...attributeChanges(difference)];
  }
}

function moved({ from, to }: Pair): StructureChange {
  return {
    change: 'moved',
    path: pathOf(to),
    from_path: pathOf(from),
    position: to.position,
    from_position: from.position,
  };
}

function textChange({ from, to }: Pair): StructureChange[] {
  if (from.text === to.text) return [];
  return [{ change: 'text', path: pathOf(to), ...around(from.text, to.text) }];
}

function attributeChanges({ from, to }: Pair): StructureChange[] {
  const names = new Set([...from.attributes.keys(), ...to.attributes.keys()]);
  return [...names].flatMap((name): StructureChange[] => {
    const before = from.attributes.get(name);
    const after = to.attributes.get(name);
    if (before === after) return [];
    const change = { change: 'attribute', path: pathOf(to), name } as const;
    if (before === undefined) return [{ ...change, after: cut(after ?? '') }];
    if (after === undefined) return [{ ...change, before: cut(before) }];
    return [{ ...change, ...around(before, after) }];
  });
}
