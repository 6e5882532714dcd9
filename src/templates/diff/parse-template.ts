import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { Fault } from '../../errors.ts';
import type { TimeLimit } from './time-limit.ts';
import { type Token, tokenize } from './tokenize.ts';

const MOST_ELEMENTS = 50_000;
const MOST_LEVELS = 500;

/** Begins a comment that is a mustache; no comment of a template's own begins with this character. */
export const SHIELD = '\u0001';

/**
 * Parses a template as a browser would. Mustaches in text come as comments behind `SHIELD`, since a parser moves text
 * out of tables but leaves comments where they are; those in attributes and in raw text, such as a title, stay.
 *
 * @throws Fault `too_large.structure` when there are too many elements or levels, `too_large.merge` when the limit passes
 */
export function parseTemplate(html: string, limit: TimeLimit): DefaultTreeAdapterTypes.Document {
  return parseBounded(shielded(html), limit);
}

const RAW_TEXT = /^<(style|script|title|textarea|xmp|iframe|noembed|noframes|plaintext)[\s/>]/i;

function shielded(html: string): string {
  let rawText: string | undefined;
  return tokenize(html)
    .map((token) => {
      if (token.kind === 'tag') rawText = rawTextAfter(token.text, rawText);
      return rawText === undefined && isShieldable(token) ? `<!--${SHIELD}${token.text}-->` : token.text;
    })
    .join('');
}

/** The element whose content is no markup, after a tag. */
function rawTextAfter(tag: string, rawText: string | undefined): string | undefined {
  if (rawText === undefined) return RAW_TEXT.exec(tag)?.[1]?.toLowerCase();
  return tag.toLowerCase().startsWith(`</${rawText}`) ? undefined : rawText;
}

function isShieldable({ kind, text }: Token): boolean {
  return kind === 'mustache' && !text.includes('-->') && !text.includes('--!>');
}

/** Hostile html makes a parser build far more elements than it has tags, so they are counted while it does. */
function parseBounded(html: string, limit: TimeLimit): DefaultTreeAdapterTypes.Document {
  let elements = 0;
  let levels = 0;
  const tooLarge = () => new Fault('too_large.structure', { elements: MOST_ELEMENTS, levels: MOST_LEVELS });
  const createElement: typeof defaultTreeAdapter.createElement = (...element) => {
    if (elements++ >= MOST_ELEMENTS) throw tooLarge();
    if (elements % 100 === 0) limit.check();
    return defaultTreeAdapter.createElement(...element);
  };
  const onItemPush = () => {
    if (levels++ >= MOST_LEVELS) throw tooLarge();
  };
  const onItemPop = () => {
    levels--;
  };
  const treeAdapter = { ...defaultTreeAdapter, createElement, onItemPush, onItemPop };
  return parse(html, { treeAdapter, scriptingEnabled: false });
}
