import type { FaultKey } from '../../../errors.ts';
import type { BlockNode, MustacheNode, ProgramNode, StatementNode } from '../language/ast.ts';
import { COMPILE_LIMITS } from '../limits.ts';
import { type Problem, problemAt } from '../problem.ts';
import { HOLE } from './address.ts';
import { type Place, placeOf, stricter } from './rewrite.ts';
import {
  type Cursor,
  distinct,
  type HtmlState,
  isAddress,
  keyOf,
  STARTED,
  stateOf,
  TEXT,
  VALUE_LENGTH,
} from './state.ts';
import { cdataTail, commentStart, commentTail, STEPS } from './tags.ts';

type Contexts = {
  readonly places: ReadonlyMap<MustacheNode, Place>;
  readonly problems: readonly Problem[];
};

/** A document whose branches can leave it in more places than this cannot be followed. */
const STATES = 16;
const REPEATS = 4;

/**
 * Finds the place every expression of an HTML source prints to, and refuses those where escaping alone does not make a value harmless.
 * Branches are followed side by side, so what holds is held in all of them.
 * In: the syntax tree of an HTML source. Out: a place for every expression, or problems. Invariant: a document that
 * cannot be followed to its end is refused.
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

  /** A partial is checked on its own, as HTML text, so it can stand only where HTML text stands. */
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

type Start = { readonly state: HtmlState; readonly at: number };

/**
 * The states after a piece of HTML, read from each of the states before it. Follows the WHATWG tokenizer as far as places for values
 * differ; where a tag's meaning depends on the tree around it, both meanings are followed.
 */
function readHtml(states: readonly HtmlState[], text: string): readonly HtmlState[] {
  const ends: HtmlState[] = [];
  const seen = new Set<string>();
  const pending: Start[] = states.map((state) => ({ state: { ...state, broken: '' }, at: 0 }));
  for (let start = pending.pop(); start; start = pending.pop()) {
    const cursor: Cursor = { ...start.state, text, at: start.at, fork: null };
    while (cursor.at < text.length && !cursor.fork) STEPS[cursor.mode](cursor);
    if (!cursor.fork) {
      ends.push(stateOf(cursor));
      continue;
    }
    for (const state of [stateOf(cursor), cursor.fork]) {
      const key = `${cursor.at} ${keyOf(state)}`;
      if (!seen.has(key)) pending.push({ state, at: cursor.at });
      seen.add(key);
    }
  }
  return distinct(ends);
}

/** The state after an expression whose value cannot leave the place it stands in. */
function readHole(state: HtmlState): HtmlState {
  const { mode, value, tail } = state;
  if (mode === 'comment')
    return { ...state, value: commentStart(value + HOLE), tail: commentTail(tail + HOLE) };
  if (mode === 'cdata') return { ...state, tail: cdataTail(tail + HOLE) };
  if (mode === 'quoted' && state.attribute === 'style') return { ...state, value: STARTED };
  if (mode !== 'quoted' || !isAddress(state) || value.endsWith(HOLE)) return state;
  return { ...state, value: (value + HOLE).slice(0, VALUE_LENGTH) };
}
