import type { FaultKey } from '../../../errors.ts';

/** Where in an html document a position stands, as its tokenizer would see it. */
export type Mode =
  | 'text'
  | 'raw'
  | 'cdata'
  | 'comment'
  | 'declaration'
  | 'tag-open'
  | 'markup'
  | 'tag-name'
  | 'attributes'
  | 'name'
  | 'after-name'
  | 'before-value'
  | 'quoted'
  | 'unquoted';

export type HtmlState = {
  readonly mode: Mode;
  /** The open tag's name in lower case, and in `raw` the element whose text this is. */
  readonly tag: string;
  readonly closing: boolean;
  readonly attribute: string;
  readonly quote: string;
  /** The attribute's value so far where it is an address; the first characters of a comment; how far a script has escaped itself. */
  readonly value: string;
  /** The last characters, for an end that is spread over two pieces of text. */
  readonly tail: string;
  /** What the last piece of text has just made unsafe about a mustache before it. */
  readonly broken: FaultKey | '';
  /** The open elements in which html is read by other rules, svg, math and select; a star where no end tag can settle it any more. */
  readonly foreign: string;
};

export const TEXT: HtmlState = {
  mode: 'text',
  tag: '',
  closing: false,
  attribute: '',
  quote: '',
  value: '',
  tail: '',
  broken: '',
  foreign: '',
};

/** Longer schemes do not exist, so a longer start of an address has none. */
export const VALUE_LENGTH = 128;

const ADDRESSES = new Set(
  'href src srcset action formaction background poster cite data codebase longdesc ping manifest lowsrc dynsrc imagesrcset classid archive profile'.split(
    ' ',
  ),
);

/** Whether the value of the attribute at this state is used as an address. `<meta content>` is one when it refreshes. */
export function isAddress({ tag, attribute }: Pick<HtmlState, 'tag' | 'attribute'>): boolean {
  const local = attribute.slice(attribute.lastIndexOf(':') + 1);
  return ADDRESSES.has(local) || (tag === 'meta' && attribute === 'content');
}

/** The address that the value so far begins. */
export function addressOf({ tag, attribute, value }: Pick<HtmlState, 'tag' | 'attribute' | 'value'>): string {
  if (tag !== 'meta' || attribute !== 'content') return value;
  return /url\s*=\s*['"]?([\s\S]*)$/i.exec(value)?.[1] ?? '/';
}

/** Each state once. */
export function distinct(states: readonly HtmlState[]): readonly HtmlState[] {
  if (states.length < 2) return states;
  return [...new Map(states.map((state) => [keyOf(state), state])).values()];
}

export function keyOf(state: HtmlState): string {
  return Object.values(state).join('\u0001');
}
