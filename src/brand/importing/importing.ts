import { Fault } from '../../errors.ts';
import { type BrandFields, LIMITS } from '../brand.ts';
import { type AreaColor, colorRoles } from './color-roles.ts';
import { readCss, toHex } from './read-css.ts';
import type { PageFacts } from './read-page.ts';

/** A value of the proposal, and where the page has it. */
type Finding = { readonly field: string; readonly value: string; readonly where: string };

export type Proposal = {
  readonly proposal: BrandFields;
  readonly found: readonly Finding[];
  readonly description?: string | undefined;
  /** Further pictures that may be the logo. */
  readonly logos: readonly { readonly url: string; readonly where: string }[];
  /** The colors that the page shows, by area. */
  readonly colors: readonly AreaColor[];
};

/** The address of a page, and its HTML where the caller has it. */
type Source = { readonly url: string; readonly html?: string | undefined };

type ImportDeps = {
  /** @throws Fault validation_failed.brand_url for an address that is not public, and what can't be loaded */
  readonly fetchText: (url: string, signal: AbortSignal) => Promise<string>;
  /** @throws Fault render_limit for a page that takes too long or too much memory to read */
  readonly readPage: (html: string, url: string, signal: AbortSignal) => Promise<PageFacts>;
  /** The colors of an HTML document by area, without loading anything. */
  readonly colorsOf: (html: string, signal: AbortSignal) => Promise<readonly AreaColor[]>;
};

const TIMEOUT_MS = 25_000;
const MAX_SHEETS = 5;
const MAX_CSS_CHARS = 1_000_000;
/** The head and the header are in the first part of a page. */
const MAX_HTML_CHARS = 600_000;

/**
 * Reads a site and proposes a brand. In: the address of a page. Out: brand fields, each with where it was found. Always:
 * every address is loaded through the guarded fetch, pages are read in a thread with limits, and nothing is saved.
 */
export function createImport({ fetchText, readPage, colorsOf }: ImportDeps) {
  /** @throws Fault validation_failed.brand_url, validation_failed.brand_page, and what `readPage` throws */
  return async ({ url, html: given }: Source, caller: AbortSignal): Promise<Proposal> => {
    if (URL.parse(url)?.protocol !== 'https:')
      throw new Fault('validation_failed.brand_url', { url: url.slice(0, 200), reason: 'not_https' });
    const signal = AbortSignal.any([caller, AbortSignal.timeout(TIMEOUT_MS)]);
    const html = (given ?? (await fetchText(url, signal))).slice(0, MAX_HTML_CHARS);
    if (!/<(?:!doctype html|html|head|body)\b/i.test(html))
      throw new Fault('validation_failed.brand_page', { url });
    const page = await readPage(html, url, signal);
    const sheets = await Promise.all(
      // A style sheet that can't be loaded says nothing; the page still does.
      page.styleSheets.slice(0, MAX_SHEETS).map((sheet) => fetchText(sheet, signal).catch(() => '')),
    );
    caller.throwIfAborted();
    const css = [...sheets, page.css].join('\n').slice(0, MAX_CSS_CHARS);
    // A tag ends before the next one begins, so each character is looked at once.
    const shown = html
      .replace(/<link\b[^<>]*>/gi, '')
      .replace(/<head\b[^<>]*>/i, (head) => `${head}<style>${inStyle(css)}</style>`);
    const colors = await colorsOf(shown, signal).catch(nothingOf);
    return propose(url, page, css, colors);
  };
}

/** A page that can't be shown in time has no colors by area; the rest is read anyway. */
function nothingOf(error: unknown): [] {
  if (error instanceof Fault && error.status === 422) return [];
  throw error;
}

function propose(url: string, page: PageFacts, css: string, areas: readonly AreaColor[]): Proposal {
  const found = [
    ...nameIn(page),
    ...page.logos.slice(0, 1).map(({ url: value, where }) => ({ field: 'logos.light', value, where })),
    ...colorsIn(page, css, areas),
    ...fontsIn(css),
    ...linksIn(url, page),
    ...addressIn(page),
    ...languageIn(page),
  ];
  const { metas } = page;
  const description = line(metas.get('description') ?? metas.get('og:description') ?? '', 500) || undefined;
  const described = description === undefined ? {} : { description };
  return { proposal: toFields(found), found, ...described, logos: page.logos.slice(1), colors: areas };
}

function nameIn({ metas, organization, title }: PageFacts): Finding[] {
  const candidates = [
    { value: organization.name, where: 'JSON-LD name' },
    { value: metas.get('og:site_name'), where: 'meta og:site_name' },
    { value: metas.get('application-name'), where: 'meta application-name' },
    { value: title?.split(/\s+[|–—·-]\s+/).at(-1), where: 'title' },
  ];
  return candidates
    .map(({ value = '', where }) => ({ field: 'name', value: line(value, LIMITS.nameChars), where }))
    .filter(({ value }) => value !== '')
    .slice(0, 1);
}

function colorsIn({ metas }: PageFacts, css: string, areas: readonly AreaColor[]): Finding[] {
  const theme = toHex(metas.get('theme-color') ?? '');
  const named = [
    ...readCss(css).named,
    ...(theme ? [{ color: theme, where: 'meta theme-color (brand)' }] : []),
  ];
  return colorRoles(areas, named).map(({ role, color, where }) => ({
    field: `colors.${role}`,
    value: color,
    where,
  }));
}

function fontsIn(css: string): Finding[] {
  const { heading, body } = readCss(css);
  return [
    ...(heading ? [{ field: 'fonts.heading', value: heading, where: 'CSS of h1 or h2' }] : []),
    ...(body ? [{ field: 'fonts.body', value: body, where: 'CSS of body' }] : []),
  ];
}

const NETWORKS: Readonly<Record<string, RegExp>> = {
  instagram: /(?:^|\.)instagram\.com$/,
  facebook: /(?:^|\.)facebook\.com$/,
  x: /(?:^|\.)(?:x|twitter)\.com$/,
  linkedin: /(?:^|\.)linkedin\.com$/,
  youtube: /(?:^|\.)youtube\.com$/,
  tiktok: /(?:^|\.)tiktok\.com$/,
  pinterest: /(?:^|\.)pinterest\.[a-z.]+$/,
};

function linksIn(url: string, { addresses, organization }: PageFacts): Finding[] {
  const all = [...(organization.sameAs ?? []), ...addresses];
  const networks = Object.entries(NETWORKS).flatMap(([name, host]) => {
    const value = all.find((address) => host.test(URL.parse(address)?.hostname ?? ''));
    const isUsable = value !== undefined && /^https:[^\s"'<>\\`{}]+$/.test(value);
    return isUsable ? [{ field: `links.${name}`, value, where: 'a link of the page' }] : [];
  });
  const website = { field: 'links.website', value: new URL(url).origin, where: 'the address of the page' };
  return [website, ...networks];
}

function addressIn({ organization }: PageFacts): Finding[] {
  const value = line(organization.address ?? '', LIMITS.addressChars);
  return value ? [{ field: 'address', value, where: 'JSON-LD address' }] : [];
}

function languageIn({ language = '' }: PageFacts): Finding[] {
  try {
    const [value] = Intl.getCanonicalLocales(language);
    return value ? [{ field: 'languages', value, where: 'html lang' }] : [];
  } catch {
    return [];
  }
}

/** The findings as the fields of a brand. */
function toFields(found: readonly Finding[]): BrandFields {
  const fields: Record<string, unknown> = {};
  for (const { field, value } of found) {
    const [outer = '', inner] = field.split('.');
    if (inner === undefined) fields[outer] = outer === 'languages' ? [value] : value;
    else fields[outer] = { ...(fields[outer] as object | undefined), [inner]: value };
  }
  return fields;
}

/** One line, without control characters. */
function line(text: string, chars: number): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, chars)
    .trim();
}

function inStyle(css: string): string {
  return css.replace(/<\/style/gi, '');
}
