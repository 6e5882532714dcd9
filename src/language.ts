import { z } from 'zod';
import en from '../locales/en.json' with { type: 'json' };
import es from '../locales/es.json' with { type: 'json' };
import type { Fault, FaultDetail, FaultKey, FaultParams } from './errors.ts';
import { inputIssue } from './input-issue.ts';
import { type CallInput, inputOf, parseCall, plainVoice, type Voice } from './voice.ts';

export const LOCALES = ['en', 'es'] as const;
export type Locale = (typeof LOCALES)[number];

/** Who reads a message: in which language, and by which transport they make the calls that it names. */
export type Reader = { readonly locale: Locale; readonly voice: Voice };

/** A reader whose transport is not known, as that of an email or of the log. */
export const plainReader = (locale: Locale): Reader => ({ locale, voice: plainVoice });

export type WarningKey = keyof typeof en.warnings;
type LintRule = keyof typeof en.lint;
type HookReasonKey = keyof typeof en.hooks;
type SyncNoteKey = keyof typeof en.sync;

/** Something the caller should know although the call succeeded. `line` and `col` count from 1. */
export type Warning = {
  readonly key: WarningKey;
  readonly params?: FaultParams;
  /** Path of the input field it is about, such as `data.brand.color`. */
  readonly field?: string;
  readonly line?: number;
  readonly col?: number;
  /** How many distinct characters it is about, and some of them. */
  readonly characters?: number;
  readonly sample?: string;
  /** Of `picture_cut`: pixels of the whole email, and the most that an image has. */
  readonly height?: number;
  readonly limit?: number;
  /** Of `low_contrast` in a brand: two colors, such as `text/background`, and the contrast they have. */
  readonly pair?: string;
  readonly ratio?: number;
};

// Cached per language: creating an error map costs more than using it.
const PARSER_ERRORS = { en: z.locales.en().localeError, es: z.locales.es().localeError };

/** Error map for zod: our sentences, and zod's own where the locales have none. */
export const parserErrors =
  (locale: Locale): z.core.$ZodErrorMap =>
  (issue) => {
    const known = inputIssue(issue) ?? eitherOf(issue);
    return known ? fill(TEXTS[locale].issues[known.key], known.params ?? {}) : PARSER_ERRORS[locale](issue);
  };

/** What a value of two kinds may be; their sentences are in this language already. */
function eitherOf(issue: z.core.$ZodRawIssue) {
  if (issue.code !== 'invalid_union') return undefined;
  const [[first] = [], [second] = [], ...more] = issue.errors;
  const isPlain = first?.code === 'invalid_type' && second?.code === 'invalid_type' && more.length === 0;
  return isPlain
    ? ({ key: 'either', params: { first: first.message, second: second.message } } as const)
    : undefined;
}

/** Message of a schema in place of zod's: a key of `inputs` in the locales. */
export type InputKey = keyof typeof en.inputs;

type LocalizedDetail = {
  loc: readonly (string | number)[];
  msg: string;
  type: string;
  line?: number;
  col?: number;
};
type LocalizedFault = { title: string; detail: string; errors: LocalizedDetail[] };

// `satisfies` holds both languages to the same keys at compile time.
const TEXTS = { en, es } satisfies Record<Locale, typeof en>;

/** The fault's title and message in the reader's words, with its details. */
export function localizeFault(fault: Fault, reader: Reader): LocalizedFault {
  return {
    title: TEXTS[reader.locale].titles[fault.code],
    detail: faultText(fault.key, fault.params, reader),
    errors: fault.errors.map((detail) => localizeDetail(detail, reader)),
  };
}

function faultText(key: FaultKey, params: FaultParams, reader: Reader): string {
  return say(wordedFor(reader, key) ?? TEXTS[reader.locale].faults[key], params, reader);
}

/** The sentence of a key that only the readers of this transport get. */
function wordedFor({ locale, voice: { transport } }: Reader, key: string): string | undefined {
  const { over_mcp: overMcp, over_web: overWeb } = TEXTS[locale];
  const own: Readonly<Record<string, string>> =
    transport === 'mcp' ? overMcp : transport === 'web' ? overWeb : {};
  return own[key];
}

/** The warning's message in the reader's words; its `code`, the part of the key before a dot, is the same in every language. */
export function localizeWarning(warning: Warning, reader: Reader) {
  const { key: named, params: own = {}, ...place } = warning;
  // A newer release may have stored one that this one does not know, as during an update.
  const [key, params]: readonly [WarningKey, FaultParams] = Object.hasOwn(en.warnings, named)
    ? [named, own]
    : ['warning_unknown', { code: named }];
  const [code = key] = key.split('.', 1);
  const sentence = wordedFor(reader, key) ?? TEXTS[reader.locale].warnings[key];
  return { code, message: say(sentence, params, reader), ...place };
}

/** A lint finding with its message and how to fix it. */
export function localizeFinding<Finding extends { readonly rule: LintRule; readonly params: FaultParams }>(
  { params, ...finding }: Finding,
  locale: Locale,
) {
  const { lint, lint_fixes: fixes } = TEXTS[locale];
  const message = fill(lint[finding.rule], params);
  return { ...finding, message, fix: fill(fixes[finding.rule], params) };
}

type CheckKey = keyof typeof en.checks;

/** What a check of a promotion found, as part of a sentence in a language. */
export type CheckFinding = { readonly key: CheckKey; readonly params: FaultParams };

export function localizeCheck({ key, params }: CheckFinding, locale: Locale): string {
  return fill(TEXTS[locale].checks[key], params);
}

/** The feedback on a hook in a language. */
export function localizeHookReason(
  reason: { key: HookReasonKey; params?: FaultParams },
  locale: Locale,
): string {
  const { key, params = {} } = reason;
  return fill(TEXTS[locale].hooks[key], params);
}

/** The code and message of a sync run's error. */
export function localizeSyncError(
  error: { key: SyncNoteKey | FaultKey; params?: FaultParams },
  reader: Reader,
) {
  const { key, params = {} } = error;
  const { sync } = TEXTS[reader.locale];
  if (!isSyncNote(key))
    return { code: key.slice(0, key.indexOf('.')), message: faultText(key, params, reader) };
  // `expected` may itself be a key of a sentence.
  const { expected } = params;
  const said = typeof expected === 'string' && isSyncNote(expected) ? { expected: sync[expected] } : {};
  const [code = key] = key.split('.', 1);
  return { code, message: fill(sync[key], { ...params, ...said }) };
}

const isSyncNote = (key: string): key is SyncNoteKey => Object.hasOwn(en.sync, key);

/** A task that a person can start in an assistant by its name. */
export type PromptName = Exclude<keyof typeof en.prompts, 'arguments'>;

/**
 * A prompt's title, description and text in a language. A line that only holds an argument the person left out is not
 * there; in a sentence it is left to the model.
 */
export function localizePrompt(name: PromptName, values: FaultParams, reader: Reader) {
  const { title, description, text } = TEXTS[reader.locale].prompts[name];
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => String(value).trim() !== ''));
  const lines = text.split('\n').filter((line) => {
    const [, alone] = /^[^{}]+: \{(\w+)\}$/.exec(line) ?? [];
    return alone === undefined || alone in given;
  });
  return { title, description, text: say(lines.join('\n'), { count: 5, ...given }, reader) };
}

export type QuestionKey = keyof typeof en.questions;

/** What a person is asked in a language. */
export function localizeQuestion(key: QuestionKey, params: FaultParams, locale: Locale): string {
  return fill(TEXTS[locale].questions[key], params);
}

/** What an argument of a prompt is. */
export function localizeArgument(name: keyof typeof en.prompts.arguments, locale: Locale): string {
  return TEXTS[locale].prompts.arguments[name];
}

type MailText = keyof typeof en.mails;
/** An email of the server: `<name>_subject`, `<name>_text` and `<name>_advice` in `mails` of the locales. */
export type MailName = {
  [Key in MailText]: Key extends `${infer Name}_subject` ? Name : never;
}[MailText];

/** An email in a language, as plain text and as HTML. A `code` is shown large; what params hold is text, never markup. */
export function localizeMail(name: MailName, params: FaultParams, locale: Locale) {
  const texts: Readonly<Record<string, string>> = TEXTS[locale].mails;
  const plain = Object.fromEntries(
    Object.entries(params).map(([key, value]) => [
      key,
      String(value).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
    ]),
  );
  const body = [`${name}_text`, `${name}_advice`].map((key) => fill(texts[key] ?? '', plain));
  const { code } = plain;
  return {
    subject: fill(texts[`${name}_subject`] ?? '', plain),
    text: body.join('\n\n'),
    html: body.map((paragraph) => `<p>${markup(paragraph, code)}</p>`).join(''),
  };
}

function markup(text: string, code: string | undefined): string {
  const html = text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
  if (code === undefined) return html.replace(/https?:\/\/\S+[^\s.,)]/g, '<a href="$&">$&</a>');
  return html.replace(code, () => `<strong style="font-size:1.4em;letter-spacing:.1em">${code}</strong>`);
}

/** A letter as an email in a person's language; `role` in its parameters is the name of a role. */
export function localizeLetter(
  { kind, params }: { kind: 'invitation' | 'account_deleted'; params: FaultParams },
  locale: Locale,
) {
  const { mails } = TEXTS[locale];
  const { role } = params;
  const roles: Readonly<Record<string, string>> = {
    admin: mails.role_admin,
    member: mails.role_member,
    viewer: mails.role_viewer,
  };
  const said = { ...params, ...(typeof role === 'string' && { role: roles[role] ?? role }) };
  return { subject: fill(mails[`${kind}_subject`], said), text: fill(mails[`${kind}_text`], said) };
}

export type OauthText = keyof typeof en.oauth;

/** A text of the pages on which a person lets a program in. What params hold is text, never markup. */
export function localizeOauth(key: OauthText, locale: Locale, params: FaultParams = {}): string {
  return fill(TEXTS[locale].oauth[key], params);
}

/** The message of an invalid field: ours if its schema names a key of `inputs`, otherwise zod's. */
export function localizeInput(message: string, reader: Reader): string {
  const known: Readonly<Record<string, string>> = TEXTS[reader.locale].inputs;
  const sentence = known[message] && (wordedFor(reader, message) ?? known[message]);
  return sentence === undefined ? message : say(sentence, {}, reader);
}

/** One invalid place of the input, in the reader's words. */
export function localizeDetail(detail: FaultDetail, reader: Reader): LocalizedDetail {
  if ('msg' in detail) return detail;
  if ('issue' in detail) {
    const { issue, params = {}, ...place } = detail;
    return { ...place, msg: fill(TEXTS[reader.locale].issues[issue], params) };
  }
  const { key, params = {}, ...place } = detail;
  return { ...place, msg: faultText(key as FaultKey, params, reader), type: key };
}

/** A sentence with its values, and with operations and calls as the reader knows them; a value is never read as a call. */
function say(sentence: string, params: FaultParams, reader: Reader): string {
  const { tool } = params;
  const values = { ...params, ...(typeof tool === 'string' && { tool: reader.voice.operation(tool) }) };
  return sentence.replace(/\{(call:[^{}]+|\w+)\}/g, (placeholder, name: string) =>
    name.startsWith('call:') ? namedCall(name, params, reader) : filled(name, values, placeholder),
  );
}

function namedCall(form: string, params: FaultParams, reader: Reader): string {
  const call = parseCall(form);
  return localizeCall(call.tool, inputOf(call, params), reader);
}

/** A call as the reader would make it. */
export function localizeCall(tool: string, input: CallInput, { locale, voice }: Reader): string {
  const { calls } = TEXTS[locale];
  const named = voice.call(tool, input);
  if ('text' in named) return named.text;
  if ('person' in named) return fill(calls.person, { tool: named.person, url: named.url });
  return fill(calls.unavailable, { tool: named.unavailable });
}

function fill(sentence: string, params: FaultParams): string {
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => filled(name, params, placeholder));
}

function filled(name: string, params: FaultParams, placeholder: string): string {
  return String(params[name] ?? placeholder);
}
