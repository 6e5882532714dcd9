import type { FaultDetail } from '../../errors.ts';
import {
  localizeDetail,
  localizeFinding,
  localizeWarning,
  plainReader,
  type Warning,
} from '../../language.ts';
import type { Variable } from '../engine/engine.ts';
import type { Finding } from '../lint/rules.ts';
import type { Document } from '../schema.ts';

/** The parts of a request that a draft can be checked against. */
export type ReviewContext = {
  /** Variables that must be read. */
  readonly variables: readonly string[];
  readonly logoUrl?: string | undefined;
  /** Every text the model was given; an address that is in none of them is made up. */
  readonly given: string;
};

const ADDRESS = /\b(?:(?:href|src|background)\s*=\s*["']|url\(\s*["']?)\s*(https?:\/\/[^"'\s{)]+)/gi;
/** Each is looked for in all that was given, which may be long; no email means so many. */
const MAX_ADDRESSES = 100;

/** How a valid draft differs from the request: unused variables, invented addresses, a missing logo. */
export function reviewDraft(
  document: Document,
  variables: readonly Variable[],
  wish: ReviewContext,
): Warning[] {
  const unread = wish.variables.filter((name) => !reads(variables, name));
  const given = decoded(wish.given);
  const addresses = new Set(
    [...`${document.html}\n${document.css ?? ''}`.matchAll(ADDRESS)].map(([, address = '']) => address),
  );
  const made = [...addresses].slice(0, MAX_ADDRESSES).filter((address) => !isGiven(address, given));
  const { logoUrl } = wish;
  return [
    ...unread.map((name) => ({ key: 'generated_variable_unread', params: { name } }) as const),
    ...made.map((address) => ({ key: 'generated_address', params: { address } }) as const),
    ...(logoUrl === undefined || decoded(document.html).includes(logoUrl)
      ? []
      : [{ key: 'generated_logo_missing', params: { address: logoUrl } } as const]),
  ];
}

/** People write `example.com/sale` and mean the address; HTML writes `&` as `&amp;`, which `given` no longer does. */
function isGiven(address: string, given: string): boolean {
  const core = decoded(address)
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '');
  return given.includes(core);
}

function decoded(html: string): string {
  return html.replaceAll('&amp;', '&');
}

/** `order` is read where `order.id` or `order[].id` is. */
function reads(variables: readonly Variable[], name: string): boolean {
  return variables.some(
    (one) => one.name === name || one.name.startsWith(`${name}.`) || one.name.startsWith(`${name}[`),
  );
}

/**
 * A problem with a draft. With a `fatal` one it is never delivered, a `warning` is delivered with it,
 * and a `finding` stands in the email's lint as well.
 */
export type Problem =
  | { readonly kind: 'fatal'; readonly detail: FaultDetail }
  | { readonly kind: 'warning'; readonly warning: Warning }
  | { readonly kind: 'finding'; readonly finding: Finding };

/** Problems sent to a model in one repair: later ones are often the same mistake again. */
const MAX_PRESENTED = 20;

/** One problem as a model reads it, in English, whatever the caller speaks. */
type PresentedProblem = {
  code: string;
  problem: string;
  field?: string;
  line?: number;
  col?: number;
  rendered_line?: number;
};

/** The first problems in words a model can act on. */
export function presentProblems(problems: readonly Problem[]): PresentedProblem[] {
  return problems.slice(0, MAX_PRESENTED).map(presentProblem);
}

function presentProblem(problem: Problem): PresentedProblem {
  switch (problem.kind) {
    case 'fatal': {
      const { loc, line, col, msg, type } = localizeDetail(problem.detail, plainReader('en'));
      return {
        field: String(loc.at(-1)),
        code: type,
        ...(line && { line }),
        ...(col && { col }),
        problem: msg,
      };
    }
    case 'warning': {
      const { code, message } = localizeWarning(problem.warning, plainReader('en'));
      return { code, problem: message };
    }
    case 'finding': {
      const { rule, line, message, fix } = localizeFinding(problem.finding, 'en');
      return { code: rule, ...(line && { rendered_line: line }), problem: `${message} ${fix}` };
    }
  }
}
