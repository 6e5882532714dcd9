import { isScoped, type PathNode } from './ast.ts';
import { ITEM, type Ref, ROOT } from './paths.ts';
import type { TemplateKind } from './source.ts';

/** What `this` means at some point of a template; a null context is one that only the data decides. */
export type Frame = {
  readonly context: Ref | null;
  readonly blockParams: ReadonlyMap<string, Ref | null>;
  /** What `../` leads to. */
  readonly outer: Frame | null;
  readonly root: Ref;
};

export function rootFrame(kind: TemplateKind): Frame {
  return { context: [], blockParams: new Map(), outer: null, root: kind === 'partial' ? [ROOT] : [] };
}

/** The frame inside a block that changes the context; `names` are the block's parameters and what they stand for. */
export function innerFrame(
  outer: Frame,
  context: Ref | null,
  names: readonly string[] = [],
  values: readonly (Ref | null)[] = [],
): Frame {
  const blockParams = new Map(names.map((name, index) => [name, values[index] ?? null]));
  return { context, blockParams, outer, root: outer.root };
}

/** The place in the data that a path means, or null when it means none (`@index`) or one that is not known before a render. */
export function resolve(path: PathNode, frame: Frame): Ref | null {
  if (path.data) return path.parts[0] === 'root' ? [...frame.root, ...fields(path.parts.slice(1))] : null;
  let from: Frame | null = frame;
  if (path.depth === 0 && !isScoped(path)) {
    const param = blockParam(path.parts[0] ?? '', frame);
    if (param) return param.ref && [...param.ref, ...fields(path.parts.slice(1))];
  }
  for (let up = 0; up < path.depth && from; up++) from = from.outer;
  return from?.context ? [...from.context, ...fields(path.parts)] : null;
}

function blockParam(name: string, frame: Frame): { ref: Ref | null } | null {
  for (let from: Frame | null = frame; from; from = from.outer) {
    const ref = from.blockParams.get(name);
    if (ref !== undefined) return { ref };
  }
  return null;
}

/** `items.0` is one of the items. */
function fields(parts: readonly string[]): readonly string[] {
  return parts.map((part) => (/^\d+$/.test(part) ? ITEM : part));
}
