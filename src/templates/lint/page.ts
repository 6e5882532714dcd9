import type { Declaration } from './declarations.ts';
import type { Place } from './finding.ts';
import type { StyleRule } from './style-rules.ts';

export type PageElement = {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: PageElement | undefined;
  /** Where its tag stands; a browser adds elements nobody wrote, which have none. */
  readonly at: Place | undefined;
  readonly isClosed: boolean;
  /** The link it stands in, which may be itself. */
  readonly link: PageElement | undefined;
  /** Of its `style` attribute. */
  readonly style: readonly Declaration[];
  /** Text directly in it, without that of the elements in it. */
  readonly text: string;
};

export type PageText = {
  readonly text: string;
  readonly parent: PageElement;
  readonly at: Place | undefined;
};

export type PageComment = { readonly text: string; readonly at: Place | undefined };

/** The tree a mail client builds from the html, as flat lists in the order of the html: parents before children. */
export type Page = {
  readonly elements: readonly PageElement[];
  readonly texts: readonly PageText[];
  readonly comments: readonly PageComment[];
  /** Name of the doctype; undefined without one. */
  readonly doctype: string | undefined;
  readonly rules: readonly (StyleRule & { readonly at: Place | undefined })[];
  readonly imports: readonly (Place | undefined)[];
  /** Length of all style sheets in characters. */
  readonly styleChars: number;
  /** Only the beginning was read: nothing can be said about what is missing or open at its end. */
  readonly isCut: boolean;
};
