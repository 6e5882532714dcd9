import { z } from 'zod';
import en from '../locales/en.json' with { type: 'json' };
import es from '../locales/es.json' with { type: 'json' };
import type { Fault, FaultDetail, FaultKey, FaultParams } from './errors.ts';

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

/** What zod is told to word its issues with. */
export const parserErrors = (locale: Locale) => PARSER_ERRORS[locale];

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
export function sayFault(fault: Fault, locale: Locale): SpokenFault {
  return {
    title: TEXTS[locale].titles[fault.code],
    detail: fill(TEXTS[locale].faults[fault.key], fault.params),
    errors: fault.errors.map((detail) => sayDetail(detail, locale)),
  };
}

/** Puts a warning into words; its `code` stays the same in every language. */
export function sayWarning(warning: Warning, locale: Locale) {
  const { key, params = {}, ...place } = warning;
  return { code: key, message: fill(TEXTS[locale].warnings[key], params), ...place };
}

/** Puts one place at fault into words. */
export function sayDetail(detail: FaultDetail, locale: Locale): SpokenDetail {
  if ('msg' in detail) return detail;
  const { key, params = {}, ...place } = detail;
  return { ...place, msg: fill(TEXTS[locale].faults[key as FaultKey], params), type: key };
}

function fill(sentence: string, params: FaultParams): string {
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(params[name] ?? placeholder));
}
