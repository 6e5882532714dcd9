import type { FaultKey } from '../../errors.ts';
import { addressStatus } from './address.ts';
import { addressOf, type HtmlState, isAddress } from './html/state.ts';

/**
 * What is printed at a mustache: html `text`, a `value` that must only be escaped, or an address to check: a whole one of an
 * `image` or another `url`, or the `part` of one whose scheme is not decided yet.
 */
export type Place = 'text' | 'value' | 'image' | 'url' | 'part';

const STRICTNESS: readonly Place[] = ['text', 'value', 'image', 'url', 'part'];

/** The place a mustache at this state prints to, or the fault it is refused with. */
export function placeOf(state: HtmlState): { place: Place } | { refused: FaultKey } {
  switch (state.mode) {
    case 'text':
      return { place: 'text' };
    case 'comment':
    case 'cdata':
      return { place: 'value' };
    case 'raw':
      // A value could be the rest of the end tag's name.
      if (state.tail.startsWith('<')) return { refused: 'unsafe_context.tag' };
      if (state.tag === 'script') return { refused: 'unsafe_context.script' };
      return state.tag === 'style' ? { refused: 'unsafe_context.style' } : { place: 'value' };
    case 'quoted':
      return placeInAttribute(state);
    case 'before-value':
    case 'unquoted':
      return { refused: 'unsafe_context.unquoted' };
    default:
      return { refused: 'unsafe_context.tag' };
  }
}

function placeInAttribute(state: HtmlState): { place: Place } | { refused: FaultKey } {
  const { tag, attribute } = state;
  if (attribute.startsWith('on')) return { refused: 'unsafe_context.event' };
  if (attribute === 'srcdoc') return { refused: 'unsafe_context.srcdoc' };
  if (tag === 'animate' || tag === 'set') return { refused: 'unsafe_context.animation' };
  if (!isAddress(state)) return { place: 'value' };
  if (tag === 'script' || tag === 'base') return { refused: 'unsafe_context.code_address' };
  switch (addressStatus(addressOf(state))) {
    case 'start':
      return { place: isImage(state) ? 'image' : 'url' };
    case 'open':
    case 'split':
      return { place: 'part' };
    case 'decided':
      return { place: 'value' };
    case 'script':
      return { refused: 'unsafe_context.script_address' };
  }
}

function isImage({ tag, attribute }: HtmlState): boolean {
  if (/^(?:iframe|frame|embed|object)$/.test(tag)) return false;
  return /^(?:src|srcset|background|poster)$/.test(attribute);
}

export function stricter(a: Place | undefined, b: Place): Place {
  return a && STRICTNESS.indexOf(a) > STRICTNESS.indexOf(b) ? a : b;
}
