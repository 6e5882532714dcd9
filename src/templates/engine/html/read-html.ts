import { type Cursor, stateOf } from './cursor.ts';
import { distinct, type HtmlState, keyOf } from './state.ts';
import { STEPS } from './tags.ts';

type Start = { readonly state: HtmlState; readonly at: number };

/**
 * The states after a piece of html, read from each of the states before it. Follows the WHATWG tokenizer as far as places for values
 * differ; where a tag's meaning depends on the tree around it, both meanings are followed.
 */
export function readHtml(states: readonly HtmlState[], text: string): readonly HtmlState[] {
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
