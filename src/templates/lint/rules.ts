import type en from '../../../locales/en.json';
import type { FaultParams } from '../../errors.ts';

/** `error` is certainly broken for a reader, `warning` is broken or worse for some, `info` is advice. */
export type Severity = 'error' | 'warning' | 'info';

/** Every rule has a sentence in `lint` of `locales/*.json`, and what to do about it in `lint_fixes`. */
export type RuleId = keyof typeof en.lint;

export type Rule = { readonly id: RuleId; readonly severity: Severity; readonly title: string };

const error = (id: RuleId, title: string): Rule => ({ id, severity: 'error', title });
const warning = (id: RuleId, title: string): Rule => ({ id, severity: 'warning', title });
const info = (id: RuleId, title: string): Rule => ({ id, severity: 'info', title });

/** What an email is examined for, in the order of the documents. */
export const LINT_RULES: readonly Rule[] = [
  error('size-clip', 'Larger than Gmail shows'),
  warning('size-near-clip', 'Over 80% of what Gmail shows'),
  warning('style-size', "Embedded CSS over Gmail's limit"),
  warning('client-support', 'A feature that some email clients lack'),
  error('conditional-comment', 'A conditional comment that is never closed'),
  warning('unclosed-element', 'An element that is never closed'),
  warning('script', 'A script'),
  warning('embedded-content', 'A frame, video, audio or embedded object'),
  warning('form', 'A form'),
  info('css-import', 'An external style sheet'),
  info('doctype', 'No HTML doctype'),
  warning('html-lang', 'No language'),
  info('title', 'No title'),
  info('charset', 'No character encoding'),
  info('viewport', 'No viewport'),
  info('color-scheme', 'No color scheme for dark mode'),
  info('table-role', 'A layout table that is announced as data'),
  error('img-source', "An image URL that can't load"),
  warning('img-insecure', 'An image without HTTPS'),
  warning('img-data', 'An image embedded in the HTML'),
  warning('img-weight', 'An asset over 500 kB'),
  warning('img-alt', 'An image without alternative text'),
  info('img-dimensions', 'An image without a width'),
  error('link-broken', "A link that doesn't work in an email"),
  error('link-script', 'A link that runs a script'),
  error('link-unfilled', 'A link with an unfilled variable'),
  warning('link-empty', 'A link without a URL'),
  warning('link-mailto', 'An invalid email address'),
  warning('link-private', 'A link to a private address'),
  warning('link-name', 'A link without text'),
  info('link-insecure', 'A link without HTTPS'),
  info('link-text', 'A link text that is meaningless out of context'),
  info('unsubscribe', 'No way to unsubscribe'),
  error('unfilled-variable', 'An unfilled variable that readers see'),
  warning('foreign-tag', "Another email tool's placeholder that readers see"),
  warning('contrast', 'Text that is hard to see'),
  warning('font-tiny', 'Text under 10 px'),
  info('font-small', 'Text under 12 px'),
  info('font-fallback', 'A font without a common fallback'),
  info('subject-missing', 'No subject'),
  info('subject-long', 'A subject over 78 characters'),
  info('subject-style', 'A subject that looks like spam'),
  info('preheader-missing', 'No preheader'),
  info('preheader-long', 'A preheader over 140 characters'),
  info('text-missing', 'No plain text part'),
];

/** Remarks about the examination itself; they cannot be chosen. */
export const LINT_NOTES: readonly Rule[] = [
  info('partly-examined', 'Too large to check in full'),
  info('findings-cut', 'Too many findings to list'),
];

/** A place in the HTML that was examined; both count from 1. */
export type Place = { readonly line: number; readonly col: number };

/** What a rule saw. */
export type Found = {
  readonly rule: RuleId;
  readonly at?: Place | undefined;
  readonly params?: FaultParams;
  /** Mail clients by `family.platform`. */
  readonly clients?: readonly string[];
  /** What is found again under the same name counts up the first finding. Infos of one rule always do. */
  readonly group?: string;
};

/** A finding before it is put into words in the caller's language. */
export type Finding = {
  readonly rule: RuleId;
  readonly severity: Severity;
  readonly params: FaultParams;
  readonly line?: number;
  readonly col?: number;
  /** In how many places, when in more than this one. */
  readonly count?: number;
  readonly clients?: readonly string[];
};

/** An email as it leaves: the rendered HTML, and what is sent beside it. */
export type Mail = {
  readonly html: string;
  readonly text?: string | null | undefined;
  readonly subject?: string | null | undefined;
  readonly preheader?: string | null | undefined;
};

/** How much of an email is examined: no client shows what is beyond well, and it could block the process. */
export const LINT_LIMITS = {
  /** Characters of HTML; Gmail shows half of it. */
  chars: 200_000,
  /** Levels of elements. */
  depth: 300,
  /** Elements, with those a browser repairs the page with. */
  elements: 30_000,
  /** Rules of embedded style sheets. */
  styleRules: 1000,
  findings: 200,
} as const;
