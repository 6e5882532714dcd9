import type { FaultKey } from '../../errors.ts';
import type { BlockNode, MustacheNode, ProgramNode, StatementNode } from './ast.ts';
import { readHole } from './html/read-hole.ts';
import { readHtml } from './html/read-html.ts';
import { distinct, type HtmlState, TEXT } from './html/state.ts';
import { COMPILE_LIMITS } from './limits.ts';
import { type Place, placeOf, stricter } from './place.ts';
import { type Problem, problemAt } from './problem.ts';

export type Contexts = {
  readonly places: ReadonlyMap<MustacheNode, Place>;
  readonly problems: readonly Problem[];
};

/** A document whose branches can leave it in more places than this cannot be followed. */
const STATES = 16;
const REPEATS = 4;

/**
 * Finds the place every mustache of an html source prints to, and refuses those where escaping alone does not make a value harmless.
 * Branches are followed side by side, so what holds is held in all of them.
 */
export function findContexts(program: ProgramNode, endsInText: boolean): Contexts {
  const places = new Map<MustacheNode, Place>();
  const problems = new Map<object, Problem>();
  let steps = 0;
  let lastMustache: MustacheNode | ProgramNode = program;

  const report = (key: FaultKey, node: StatementNode | ProgramNode, params = {}) => {
    if (!problems.has(node)) problems.set(node, problemAt(key, 'html', node, params));
  };

  function walk(from: ProgramNode | undefined, states: readonly HtmlState[]): readonly HtmlState[] {
    let current = states;
    for (const node of from?.body ?? []) {
      if (++steps > COMPILE_LIMITS.analysisSteps) return current;
      current = step(node, current);
    }
    return current;
  }

  function step(node: StatementNode, states: readonly HtmlState[]): readonly HtmlState[] {
    switch (node.type) {
      case 'ContentStatement':
        return bounded(node, readContent(node.value, states));
      case 'MustacheStatement':
        return printValue(node, states);
      case 'BlockStatement':
        return readBlock(node, states);
      case 'PartialStatement':
        expectWhole(node, states);
        return states;
      case 'PartialBlockStatement':
        expectWhole(node, states);
        expectEnd(node, walk(node.program, [TEXT]));
        return states;
      case 'DecoratorBlock':
        expectEnd(node, walk(node.program, [TEXT]));
        return states;
      case 'Decorator':
      case 'CommentStatement':
        return states;
    }
  }

  function readContent(text: string, states: readonly HtmlState[]): readonly HtmlState[] {
    const next = readHtml(states, text);
    for (const { broken } of next) if (broken) report(broken, lastMustache);
    return next;
  }

  function printValue(node: MustacheNode, states: readonly HtmlState[]): readonly HtmlState[] {
    lastMustache = node;
    for (const state of states) {
      const found = placeOf(state);
      if ('refused' in found) report(found.refused, node, { attribute: state.attribute, element: state.tag });
      else if (!node.escaped && found.place !== 'text') report('unsafe_context.raw_place', node);
      else places.set(node, stricter(places.get(node), found.place));
    }
    return bounded(node, distinct(states.map(readHole)));
  }

  function readBlock(node: BlockNode, states: readonly HtmlState[]): readonly HtmlState[] {
    const skipped = walk(node.inverse, states);
    let entered = states;
    let left = walk(node.program, entered);
    for (let pass = 0; mayRepeat(node) && pass < REPEATS; pass++) {
      const again = bounded(node, distinct([...entered, ...left]));
      if (again.length === entered.length) break;
      entered = again;
      left = walk(node.program, entered);
    }
    return bounded(node, distinct([...left, ...skipped]));
  }

  function bounded(node: StatementNode, states: readonly HtmlState[]): readonly HtmlState[] {
    if (states.length > STATES) report('unsafe_context.unclear', node);
    return states.slice(0, STATES);
  }

  /** A partial is checked on its own, as html text, so it can stand only where html text stands. */
  function expectWhole(node: StatementNode, states: readonly HtmlState[]): void {
    const other = states.find((state) => !holdsText(state));
    if (other) report('unsafe_context.partial', node, { attribute: other.attribute, element: other.tag });
  }

  function expectEnd(node: StatementNode | ProgramNode, states: readonly HtmlState[]): void {
    const other = states.find((state) => state.mode !== 'text');
    if (other) report('unsafe_context.open_end', node, { attribute: other.attribute, element: other.tag });
  }

  const ends = walk(program, [TEXT]);
  if (endsInText) expectEnd(program, ends);
  if (steps > COMPILE_LIMITS.analysisSteps) report('template_too_complex.branches', program);
  return { places, problems: [...problems.values()] };
}

function mayRepeat(node: BlockNode): boolean {
  const called = node.params.length > 0;
  return !called || node.path.original === 'each';
}

function holdsText(state: HtmlState): boolean {
  const text = state.mode === 'raw' && state.tag !== 'script' && state.tag !== 'style';
  return state.mode === 'text' || state.mode === 'comment' || text;
}
