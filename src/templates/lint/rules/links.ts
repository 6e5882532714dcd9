import ipaddr from 'ipaddr.js';
import type { Examined } from '../examined.ts';
import type { Found } from '../finding.ts';
import type { PageElement } from '../page.ts';
import type { RuleId } from '../rules.ts';
import { isMergeTag, MUSTACHE, schemeOf, shortened } from './address.ts';

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
