import { COMPILE_LIMITS } from '../limits.ts';
import { ITEM, type Ref } from '../paths.ts';
import type { TemplateKind } from '../source.ts';
import {
  type BlockNode,
  inlineName,
  type MustacheNode,
  type PartialBlockNode,
  type PartialNode,
  type ProgramNode,
  partialName,
  type StatementNode,
} from './ast.ts';
import {
  createExpressionReader,
  type Site as ExpressionSite,
  innerFrame,
  resolve,
  rootFrame,
} from './expressions.ts';
import type { VariableUsage } from './variable-usage.ts';

/** A use of another template: which, with what as its context, with which fields replaced, and what was asked for before. */
export type PartialCall = {
  readonly name: string;
  /** Null where only the data decides it. */
  readonly context: Ref | null;
  readonly given: Readonly<Record<string, Ref | null>>;
  readonly guards: readonly string[];
  /** Whether the call brings a block to show where no such partial exists. */
  readonly fallback: boolean;
};

export type VariableReferences = {
  readonly calls: readonly PartialCall[];
  /** What each expression prints or passes first to its helper, once for every scope it is read in. */
  readonly printed: ReadonlyMap<MustacheNode, readonly (Ref | null)[]>;
  /** False where the limits on an analysis cut it short. */
  readonly complete: boolean;
};

/** Walks a field as Handlebars would run it and notes in the book every path it reads. */
export function findReferences(
  program: ProgramNode,
  kind: TemplateKind,
  book: VariableUsage,
): VariableReferences {
  const expressions = createExpressionReader(book);
  const calls: PartialCall[] = [];
  const printed = new Map<MustacheNode, (Ref | null)[]>();
  let steps = 0;
  const isSpent = () => steps > COMPILE_LIMITS.analysisSteps || book.size() > COMPILE_LIMITS.variables;

  function walk(from: ProgramNode | undefined, outer: Site): void {
    if (!from) return;
    const { site, defined } = withInlines(from, outer);
    for (const node of from.body) {
      if (++steps && isSpent()) return;
      visit(node, site);
    }
    for (const inline of defined) if (inline.seen.size === 0) walk(inline.program, site);
  }

  function visit(node: StatementNode, site: Site): void {
    switch (node.type) {
      case 'MustacheStatement': {
        const refs = printed.get(node) ?? [];
        refs.push(expressions.print(node, site));
        printed.set(node, refs);
        return;
      }
      case 'BlockStatement':
        visitBlock(node, site);
        return;
      case 'PartialStatement':
      case 'PartialBlockStatement':
        visitPartial(node, site);
        return;
      default:
        return;
    }
  }

  function visitBlock(node: BlockNode, site: Site): void {
    const name = node.params.length > 0 ? node.path.original : '';
    if (name === '') visitSection(node, site);
    else if (name === 'each' || name === 'with') visitChange(node, name, site);
    else visitCondition(node, site);
  }

  function visitCondition(node: BlockNode, site: Site): void {
    const asked = node.params.flatMap((param) => expressions.test(param, site));
    for (const pair of node.hash?.pairs ?? []) expressions.test(pair.value, site);
    const inner = guarded(site, asked);
    walk(node.program, inner);
    walk(node.inverse, inner);
  }

  function visitChange(node: BlockNode, name: 'each' | 'with', site: Site): void {
    const [value] = node.params;
    const inner = guarded(site, value && node.inverse ? expressions.test(value, site) : []);
    const read = value ? expressions.read(value, name === 'each' ? 'list' : 'object', inner) : null;
    const ref = value?.type === 'PathExpression' ? read : null;
    const context = name === 'each' && ref ? [...ref, ITEM] : ref;
    const frame = innerFrame(site.frame, context, node.program?.blockParams, [context]);
    walk(node.program, { ...inner, frame });
    walk(node.inverse, inner);
  }

  /** `{{#items}}…{{/items}}` is a test for a boolean and a loop for a list. With anything but text inside it is taken for a list. */
  function visitSection(node: BlockNode, site: Site): void {
    const ref = resolve(node.path, site.frame);
    const inner = guarded(site, expressions.section(ref, site));
    const loops = node.program?.body.some(
      (one) => one.type !== 'ContentStatement' && one.type !== 'CommentStatement',
    );
    const context = ref && [...ref, ITEM];
    const frame = innerFrame(site.frame, context, node.program?.blockParams, [context]);
    if (loops) walk(node.program, { ...inner, frame });
    walk(node.inverse, inner);
  }

  function visitPartial(node: PartialNode | PartialBlockNode, site: Site): void {
    const name = partialName(node);
    const [param] = node.params;
    const context = param ? expressions.read(param, 'object', site) : site.frame.context;
    const given = Object.fromEntries(
      (node.hash?.pairs ?? []).map(
        (pair) => [pair.key, expressions.read(pair.value, 'print', site)] as const,
      ),
    );
    const inline = site.inlines.get(name);
    const fallback = node.type === 'PartialBlockStatement';
    if (inline) useInline(inline, context, given, site);
    else if (name !== '@partial-block') calls.push({ name, context, given, guards: site.guards, fallback });
    if (fallback) walk(node.program, { ...site, frame: { ...site.frame, context } });
  }

  /** Once for every different scope it is used in, but not again inside itself, where the paths would never end. */
  function useInline(
    inline: Inline,
    context: Ref | null,
    given: Record<string, Ref | null>,
    site: Site,
  ): void {
    const scope = JSON.stringify([context, given, site.guards]);
    if (inline.seen.has(scope) || site.within.includes(inline)) return;
    inline.seen.add(scope);
    walk(inline.program, {
      ...site,
      within: [...site.within, inline],
      frame: innerFrame(site.frame, context, Object.keys(given), Object.values(given)),
    });
  }

  walk(program, rootSite(kind));
  return { calls, printed, complete: !isSpent() };
}

/** An inline partial, and the scopes it has been read in. */
type Inline = { readonly program: ProgramNode; readonly seen: Set<string> };

/** Where statements are read. */
type Site = ExpressionSite & {
  readonly inlines: ReadonlyMap<string, Inline>;
  /** The inline partials being read, for those that use themselves. */
  readonly within: readonly Inline[];
};

function rootSite(kind: TemplateKind): Site {
  return { frame: rootFrame(kind), guards: [], inlines: new Map(), within: [] };
}

/** The same place after more names have been asked for. */
function guarded(site: Site, names: readonly string[]): Site {
  return names.length === 0 ? site : { ...site, guards: [...site.guards, ...names] };
}

/** The site inside a program, which sees the inline partials that the program defines. */
function withInlines(from: ProgramNode, outer: Site): { site: Site; defined: readonly Inline[] } {
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
