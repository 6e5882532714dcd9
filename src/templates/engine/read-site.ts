import { inlineName, type ProgramNode } from './ast.ts';
import type { Site as ExpressionSite } from './expressions.ts';
import { rootFrame } from './scope.ts';
import type { TemplateKind } from './source.ts';

/** An inline partial, and the scopes it has been read in. */
export type Inline = { readonly program: ProgramNode; readonly seen: Set<string> };

/** Where statements are read. */
export type Site = ExpressionSite & {
  readonly inlines: ReadonlyMap<string, Inline>;
  /** The inline partials being read, for those that use themselves. */
  readonly within: readonly Inline[];
};

export function rootSite(kind: TemplateKind): Site {
  return { frame: rootFrame(kind), guards: [], inlines: new Map(), within: [] };
}

/** The same place after more names have been asked for. */
export function guarded(site: Site, names: readonly string[]): Site {
  return names.length === 0 ? site : { ...site, guards: [...site.guards, ...names] };
}

/** The site inside a program, which sees the inline partials that the program defines. */
export function withInlines(from: ProgramNode, outer: Site): { site: Site; defined: readonly Inline[] } {
  const inlines = new Map(outer.inlines);
  const defined: Inline[] = [];
  for (const node of from.body) {
    if (node.type !== 'DecoratorBlock') continue;
    const inline = { program: node.program, seen: new Set<string>() };
    inlines.set(inlineName(node), inline);
    defined.push(inline);
  }
  return defined.length === 0 ? { site: outer, defined } : { site: { ...outer, inlines }, defined };
}
