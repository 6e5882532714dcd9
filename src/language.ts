import { z } from 'zod';
import en from '../locales/en.json' with { type: 'json' };
import es from '../locales/es.json' with { type: 'json' };
import type { Fault, FaultDetail, FaultKey, FaultParams } from './errors.ts';
import type { ScoreReason } from './hooks/scoring/check-hook.ts';
import { inputIssue } from './input-issue.ts';
import type { SyncError, SyncNoteKey } from './sync/change.ts';
import type { Finding } from './templates/lint/rules.ts';

export const LOCALES = ['en', 'es'] as const;
export type Locale = (typeof LOCALES)[number];

type WarningKey = keyof typeof en.warnings;

/** Something the caller should know although the call succeeded. `line` and `col` count from 1. */
export type Warning = {
  readonly key: WarningKey;
  readonly params?: FaultParams;
  readonly line?: number;
  readonly col?: number;
};

// The error map of each language, made once: making one costs more than using it.
const PARSER_ERRORS = { en: z.locales.en().localeError, es: z.locales.es().localeError };

/** What zod is told to word its issues with: our sentences, and its own where we have none. */
export const parserErrors =
  (locale: Locale): z.core.$ZodErrorMap =>
  (issue) => {
    const known = inputIssue(issue);
    return known ? fill(TEXTS[locale].issues[known.key], known.params ?? {}) : PARSER_ERRORS[locale](issue);
  };

/** What a schema says in the place of zod's own words: a key of `inputs`. */
export type InputKey = keyof typeof en.inputs;

type SpokenDetail = {
  loc: readonly (string | number)[];
  msg: string;
  type: string;
  line?: number;
  col?: number;
};
type SpokenFault = { title: string; detail: string; errors: SpokenDetail[] };

// `satisfies` holds both languages to the same keys at compile time.
const TEXTS = { en, es } satisfies Record<Locale, typeof en>;

/** Puts a fault into words. */
export function localizeFault(fault: Fault, locale: Locale): SpokenFault {
  return {
    title: TEXTS[locale].titles[fault.code],
    detail: fill(TEXTS[locale].faults[fault.key], fault.params),
    errors: fault.errors.map((detail) => localizeDetail(detail, locale)),
  };
}

/** Puts a warning into words; its `code` stays the same in every language. */
export function localizeWarning(warning: Warning, locale: Locale) {
  const { key, params = {}, ...place } = warning;
  return { code: key, message: fill(TEXTS[locale].warnings[key], params), ...place };
}

/** Puts what a mail was found to have into words, with what to do about it. */
export function localizeFinding({ params, ...finding }: Finding, locale: Locale) {
  const { lint, lint_fixes: fixes } = TEXTS[locale];
  const message = fill(lint[finding.rule], params);
  return { ...finding, message, fix: fill(fixes[finding.rule], params) };
}

/** Puts what is said of a hook into words. */
export function sayNote({ key, params = {} }: ScoreReason, locale: Locale): string {
  return fill(TEXTS[locale].hooks[key], params);
}

/** Puts what went wrong in a run into words, with its code. */
export function localizeSyncError({ key, params = {} }: Pick<SyncError, 'key' | 'params'>, locale: Locale) {
  const { sync, faults } = TEXTS[locale];
  if (!isSyncNote(key)) return { code: key.slice(0, key.indexOf('.')), message: fill(faults[key], params) };
  // What a cell should be is a sentence of its own.
  const { expected } = params;
  const said = typeof expected === 'string' && isSyncNote(expected) ? { expected: sync[expected] } : {};
  return { code: key, message: fill(sync[key], { ...params, ...said }) };
}

const isSyncNote = (key: string): key is SyncNoteKey => Object.hasOwn(en.sync, key);

/** What the mail with a sign-in code says. */
export function localizeCodeMail(params: { code: string; minutes: number }, locale: Locale) {
  const { sign_in_subject: subject, sign_in_text: text, sign_in_advice: advice } = TEXTS[locale].mails;
  return { subject: fill(subject, params), text: fill(text, params), advice };
}

/** Puts what is wrong with a field into words: ours where its schema names a key, else those that zod found. */
export function localizeInput(message: string, locale: Locale): string {
  const said: Readonly<Record<string, string>> = TEXTS[locale].inputs;
  return said[message] ?? message;
}

/** Puts one place at fault into words. */
export function localizeDetail(detail: FaultDetail, locale: Locale): SpokenDetail {
  if ('msg' in detail) return detail;
  if ('issue' in detail) {
    const { issue, params = {}, ...place } = detail;
    return { ...place, msg: fill(TEXTS[locale].issues[issue], params) };
  }
  const { key, params = {}, ...place } = detail;
  return { ...place, msg: fill(TEXTS[locale].faults[key as FaultKey], params), type: key };
}

function fill(sentence: string, params: FaultParams): string {
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(params[name] ?? placeholder));
}
