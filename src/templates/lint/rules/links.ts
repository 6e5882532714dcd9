import ipaddr from 'ipaddr.js';
import type { Examined } from '../effective-style.ts';
import type { PageElement } from '../page.ts';
import type { Found, RuleId } from '../rules.ts';

/** Rules about where links lead. */
export function* links({ page }: Examined): Iterable<Found> {
  const hasBase = page.elements.some(({ tag }) => tag === 'base');
  for (const { tag, attributes, at } of page.elements) {
    if (tag !== 'a' && tag !== 'area') continue;
    const address = attributes.get('href')?.trim();
    const rule = address === undefined ? missing(attributes) : wrong(address, hasBase);
    if (rule) yield { rule, at, params: { address: shortened(address ?? '') } };
  }
}

// An anchor with a name is a place to jump to.
function missing(attributes: PageElement['attributes']): RuleId | undefined {
  return attributes.has('name') || attributes.has('id') ? undefined : 'link-empty';
}

function wrong(address: string, hasBase: boolean): RuleId | undefined {
  if (address === '' || address === '#') return 'link-empty';
  if (MUSTACHE.test(address) || /%7b%7b.{1,200}%7d%7d/i.test(address.slice(0, 5000))) return 'link-unfilled';
  if (isMergeTag(address) || address.startsWith('#')) return undefined;
  const scheme = schemeOf(address);
  switch (scheme) {
    case 'javascript':
    case 'vbscript':
      return 'link-script';
    case 'mailto':
      return isMailto(address) ? undefined : 'link-mailto';
    case 'http':
    case 'https':
      return web(address, scheme);
    case '':
      if (address.startsWith('//')) return web(`https:${address}`, 'https');
      return hasBase ? undefined : 'link-broken';
    default:
      return undefined;
  }
}

function web(address: string, scheme: 'http' | 'https'): RuleId | undefined {
  // What a provider fills in later may stand in the host.
  if (/\*\||%%|<%|\[\[|\$\{/.test(address)) return undefined;
  if (!URL.canParse(address)) return 'link-broken';
  if (isPrivate(new URL(address).hostname)) return 'link-private';
  return scheme === 'http' ? 'link-insecure' : undefined;
}

function isPrivate(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(bare)) return ipaddr.parse(bare).range() !== 'unicast';
  return /(?:^|\.)(?:localhost|local|internal|lan|test)$/i.test(bare) || !bare.includes('.');
}

function isMailto(address: string): boolean {
  const [, to = '', query = ''] = /^mailto:([^?]*)(?:\?(.*))?$/is.exec(address.slice(0, 5000)) ?? [];
  if (to === '') return /(?:^|&)(?:to|subject|body|cc|bcc)=/i.test(query);
  return to.split(',').every((one) => /^[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+$/.test(decoded(one)));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return text;
  }
}

const VAGUE = new Set(
  'click here,click,here,read more,more,link,this link,learn more,haga clic aquí,haz clic aquí,clic aquí,pulse aquí,pincha aquí,aquí,leer más,más,más información,enlace'.split(
    ',',
  ),
);

const UNSUBSCRIBE =
  /unsubscri|opt[ -]?out|email preferences|manage (?:your )?(?:preferences|subscription)|darse de baja|darte de baja|date de baja|cancelar (?:la |tu |su )?suscripci[oó]n|desuscri|desubscri|preferencias de correo/i;

/** Rules about what links are called. */
export function* linkNames({ page, looks }: Examined): Iterable<Found> {
  const names = namesOf(page);
  let offersToLeave = false;
  for (const [link, name] of names) {
    const { attributes, at } = link;
    const address = attributes.get('href') ?? '';
    offersToLeave ||= UNSUBSCRIBE.test(`${name} ${address}`.slice(0, 5000));
    if (!attributes.has('href') || looks.get(link)?.isHidden) continue;
    const text = name.replace(/[\s\u00a0]+/g, ' ').trim();
    if (text === '') yield { rule: 'link-name', at };
    else if (
      VAGUE.has(
        text
          .toLowerCase()
          .replace(/[.!»›>→]+$/, '')
          .trim(),
      )
    )
      yield { rule: 'link-text', at, params: { text } };
  }
  if (!offersToLeave && !page.isCut) yield { rule: 'unsubscribe' };
}

/** What a screen reader says for each link, in the order of the HTML. */
function namesOf({ elements, texts }: Examined['page']): ReadonlyMap<PageElement, string> {
  const names = new Map<PageElement, string>();
  const add = (link: PageElement | undefined, text: string) => {
    const name = link && (names.get(link) ?? '');
    if (link && name !== undefined && name.length < 500) names.set(link, `${name} ${text.slice(0, 500)}`);
  };
  for (const { tag, link, attributes } of elements) {
    const label = attributes.get('aria-label') ?? attributes.get('title') ?? '';
    add(link, tag === 'img' ? `${label} ${attributes.get('alt') ?? ''}` : label);
  }
  for (const { text, parent } of texts) add(parent.link, text);
  return names;
}

/** The scheme in lower case, without characters a browser drops; empty for a relative address. */
export function schemeOf(address: string): string {
  const start = address.slice(0, 200).replace(/[\t\n\r]/g, '');
  return /^([a-z][a-z0-9+.-]*):/i.exec(start)?.[1]?.toLowerCase() ?? '';
}

/** Whether an email provider will replace it later: `*|UNSUB|*`, `%unsubscribe%`, `<%url%>`, `[unsubscribe]`, `{$link}`, `@@link@@`. */
export function isMergeTag(address: string): boolean {
  return /^(?:\*\||%%?[a-z_]|<%|\[|\$\{|\{[^{]|@@|__)/i.test(address);
}

/** As much of an address as helps to find it. */
export function shortened(address: string): string {
  return address.length > 80 ? `${address.slice(0, 79)}…` : address;
}

/** Expressions that are not empty. A finished email has none. */
export const MUSTACHE = /\{\{[^{}]{1,200}\}\}/;
