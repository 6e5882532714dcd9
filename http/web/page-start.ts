import type { Request } from 'express';
import type { Locale } from '../../src/language.ts';
import type { DescribeServer } from '../config.ts';
import { FRAME, type WebPage } from './pages.ts';

type Chunk = {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
};
/** What the build says of its files, by source. */
export type Manifest = Readonly<Record<string, Chunk>>;

export type PageStart = {
  /** What the server says of itself, and the paths that a page reads first, for the script that asks for them. */
  data(page: WebPage, req: Request, locale: Locale): string;
  /** The files of a page, after those that every page starts with: a browser asks for few at a time. */
  links(page: WebPage, locale: Locale): string;
};

/**
 * Names in the page what it loads and reads first, so that a browser asks for all of it at once: its scripts, its texts, and the
 * answers that it shows. Without it, each would wait for the one before, and a phone's network for each of them. What the server
 * says of itself to everyone is in the page already.
 */
export function createPageStart(manifest: Manifest, describe: DescribeServer): PageStart {
  return {
    links({ module }, locale) {
      const sources = [`src/pages/${module}.tsx`, `../locales/web/${locale}.json`];
      const files = new Set(sources.flatMap((source) => [...filesOf(manifest, source)]));
      return [...files]
        .map((file) =>
          file.endsWith('.css')
            ? `<link rel="preload" as="style" crossorigin href="/${file}">`
            : `<link rel="modulepreload" crossorigin href="/${file}">`,
        )
        .join('\n');
    },
    data({ reads = FRAME }, req, locale) {
      const paths = reads.map((path) => filled(path, req));
      return [dataScript('config', describe(locale), ` lang="${locale}"`), dataScript('reads', paths)].join(
        '\n',
      );
    },
  };
}

function dataScript(id: string, data: unknown, more = ''): string {
  // In a script a `<` could end it.
  return `<script type="application/json" id="${id}"${more}>${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}

/** The files of a source and of all that it imports, without those that index.html names itself. */
function filesOf(manifest: Manifest, source: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[source];
  if (!chunk || found.has(chunk.file) || source.startsWith('_start') || source.startsWith('_rolldown'))
    return found;
  found.add(chunk.file);
  for (const sheet of chunk.css ?? []) found.add(sheet);
  for (const imported of chunk.imports ?? []) filesOf(manifest, imported, found);
  return found;
}

function filled(path: string, { params, query }: Request): string {
  const branch = query['branch'];
  const values: Readonly<Record<string, unknown>> = {
    ...params,
    branch: typeof branch === 'string' && branch !== '' ? branch : 'main',
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}
