import { HOLE } from '../address.ts';
import { cdataTail, commentStart, commentTail } from './raw-text.ts';
import { type HtmlState, isAddress, VALUE_LENGTH } from './state.ts';

/** The state after a mustache whose value cannot leave the place it stands in. */
export function readHole(state: HtmlState): HtmlState {
  const { mode, value, tail } = state;
  if (mode === 'comment')
    return { ...state, value: commentStart(value + HOLE), tail: commentTail(tail + HOLE) };
  if (mode === 'cdata') return { ...state, tail: cdataTail(tail + HOLE) };
  if (mode !== 'quoted' || !isAddress(state) || value.endsWith(HOLE)) return state;
  return { ...state, value: (value + HOLE).slice(0, VALUE_LENGTH) };
}
