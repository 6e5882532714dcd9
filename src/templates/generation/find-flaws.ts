import type { Warning } from '../../language.ts';
import type { Variable } from '../engine/engine.ts';
import type { Document } from '../schema.ts';

/** What the caller asked of a mail, as far as it can be checked. */
export type Wish = {
  /** Variables that must be read. */
  readonly variables: readonly string[];
  readonly logoUrl?: string | undefined;
  /** Every text the model was given; an address that is in none of them is made up. */
  readonly given: string;
};

const ADDRESS = /\b(?:(?:href|src|background)\s*=\s*["']|url\(\s*["']?)\s*(https?:\/\/[^"'\s{)]+)/gi;
/** Each is looked for in all that was given, which may be long; no mail means so many. */
const MOST_ADDRESSES = 100;

/** What a valid mail does not do as it was asked. */
export function findFlaws(document: Document, variables: readonly Variable[], wish: Wish): Warning[] {
  const unread = wish.variables.filter((name) => !reads(variables, name));
  const given = decoded(wish.given);
  const addresses = new Set(
    [...`${document.html}\n${document.css ?? ''}`.matchAll(ADDRESS)].map(([, address = '']) => address),
  );
  const made = [...addresses].slice(0, MOST_ADDRESSES).filter((address) => !isGiven(address, given));
  const { logoUrl } = wish;
  return [
    ...unread.map((name) => ({ key: 'generated_variable_unread', params: { name } }) as const),
    ...made.map((address) => ({ key: 'generated_address', params: { address } }) as const),
    ...(logoUrl === undefined || decoded(document.html).includes(logoUrl)
      ? []
      : [{ key: 'generated_logo_missing', params: { address: logoUrl } } as const]),
  ];
}

/** People write `example.com/sale` and mean the address; html writes `&` as `&amp;`, which `given` no longer does. */
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
