import { parse, serialize, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { Fault } from '../errors.ts';
import type { Warning } from '../language.ts';
import type { Composition, Filled, FilledPage } from './composition/composition.ts';
import type { PreviewOptions } from './page/stage-options.ts';
import type { PreviewAddresses } from './preview-addresses.ts';
import { type Aspect, VideoRequest } from './request.ts';
import { relocateFault } from './templates/check-template.ts';
import { type JsonObject, mergeData } from './templates/data-schema.ts';
import { Manifest, type VideoTemplate } from './templates/video-template.ts';

type PreviewDeps = {
  /** @throws Fault not_found.video_template */
  readonly find: (accountId: string, name: string) => Promise<VideoTemplate>;
  readonly fill: (accountId: string, template: VideoTemplate, request: VideoRequest) => Promise<Filled>;
  /** Whether the account has saved a brand. */
  readonly hasBrand: (accountId: string) => Promise<boolean>;
  readonly gather: (page: FilledPage, signal: AbortSignal, accountId: string) => Promise<Composition>;
};

type PreviewInput = {
  readonly name: string;
  /** Shown instead of what is saved under the name. */
  readonly html?: string | undefined;
  /** Of `html`; by default that of a template without a schema. */
  readonly manifest?: Manifest | undefined;
  /** By default the sample. */
  readonly data?: JsonObject | undefined;
  /** Merged over the brand of the data. */
  readonly brand?: JsonObject | undefined;
  readonly aspect?: Aspect | undefined;
  /** Seconds; by default the template's duration. */
  readonly duration?: number | undefined;
};

/** A page that plays a template. */
type Preview = {
  readonly html: string;
  /** The page contains the template's scripts. */
  readonly scripts: boolean;
  readonly warnings: readonly Warning[];
};

/** Builds a page that plays a template, exactly as its videos would show it. */
export function createPreview({ find, fill, hasBrand, gather }: PreviewDeps) {
  /** @throws Fault not_found.video_template, video_failed.asset_…, and those of `fill`; and the signal's reason */
  return async (
    accountId: string,
    { aspect, duration, data, brand, ...input }: PreviewInput,
    { addresses, say, signal }: PreviewOutput,
  ): Promise<Preview> => {
    const template = await templateOf(accountId, input);
    const { title, sample, aspects, duration: suitable } = template.manifest;
    // The sample speaks for a company that is not the account's.
    const { brand: _brand, ...ours } = sample;
    const shown = data ?? ((await hasBrand(accountId)) ? ours : sample);
    const request = VideoRequest.parse({
      title,
      template: template.name,
      duration: duration ?? suitable,
      aspect: aspect ?? aspects[0],
      data: brand ? mergeData(shown, { brand }) : shown,
    });
    const { page, warnings } = await fill(accountId, template, request).catch((error: unknown) => {
      throw error instanceof Fault && input.html !== undefined ? relocateFault(error, SENT_FIELDS) : error;
    });
    const composition = await gather(page, signal, accountId);
    const html = previewDocument(composition, addresses, warnings.map(say));
    return { html, scripts: composition.scripts, warnings };
  };

  async function templateOf(accountId: string, input: PreviewInput): Promise<VideoTemplate> {
    const { name, html, manifest = Manifest.parse({ title: name }) } = input;
    if (html === undefined) return find(accountId, name);
    return { name, builtIn: false, version: null, html, manifest, tag: '' };
  }
}

/** Where a preview of unsaved HTML has the template of a video request. */
const SENT_FIELDS = { template: ['html'], schema: ['manifest', 'schema'] };

type PreviewOutput = {
  readonly addresses: PreviewAddresses;
  /** Puts a warning into the words of the reader. */
  readonly say: (warning: Warning) => string;
  readonly signal: AbortSignal;
};

/**
 * The rendered page with a player. It needs only the engine and the fonts, so it can be served in a sandbox with an
 * opaque origin.
 * @throws Fault video_failed.assets_bytes
 */
export function previewDocument(
  page: Composition,
  { engineUrl, fontsUrl }: PreviewAddresses,
  warnings: readonly string[] = [],
): string {
  const tree = parse(page.html.replace(FONT, `$1${fontsUrl}/`));
  const head = headOf(tree);
  const { width, height, fps, frames, captions } = page;
  // Clips play their own sound.
  const heard = page.tracks.filter(({ clip }) => !clip);
  const tracks = heard.map(({ source, start, volume, loop, from = 0, speed = 1 }) => ({
    ...{ start, volume, loop, from, speed },
    source,
  }));
  const options: PreviewOptions = {
    ...{ width, height, fps, frames, captions, tracks, seed: 1, warnings },
    // Before the scripts of the player come: they add no line.
    ...(page.scripts && { scriptLines: linesOf(/<script\b/gi, serialize(tree)) }),
  };
  head?.childNodes.unshift(
    ...[
      ...(page.scripts ? [element(head, 'script', { src: `${engineUrl}/clock.ts` })] : []),
      element(head, 'meta', { name: 'video-preview', content: JSON.stringify(options) }),
      element(head, 'script', { type: 'module', src: `${engineUrl}/player.ts` }),
    ],
  );
  return withAssets(serialize(tree), page);
}

function linesOf(searched: RegExp, text: string): number[] {
  let [line, done] = [1, 0];
  return [...text.matchAll(searched)].map(({ index }) => {
    line += text.slice(done, index).split('\n').length - 1;
    done = index;
    return line;
  });
}

// Pages a quarter of this size are already slow to open.
const MAX_PREVIEW_CHARS = 64 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
const ASSET = /assets\/[0-9a-f]{64}/g;
// A path at the start of an attribute value or a url().
const FONT = /(["'(]\s*)fonts\//g;

/** Inlined last, so that nothing parses the assets; each is included as often as it is named. */
function withAssets(html: string, { assets }: Composition): string {
  let chars = html.length;
  for (const [key] of html.matchAll(ASSET))
    chars += Math.ceil(((assets.get(key)?.bytes.length ?? 0) * 4) / 3);
  if (chars > MAX_PREVIEW_CHARS)
    throw new Fault('video_failed.assets_bytes', { limit: MAX_PREVIEW_CHARS / MEGABYTE });
  const addresses = new Map(
    [...assets].map(([key, { bytes, mediaType }]) => [key, dataUri(bytes, mediaType)]),
  );
  return html.replace(ASSET, (key) => addresses.get(key) ?? key);
}

function dataUri(bytes: Uint8Array, mediaType: string): string {
  return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
}

function headOf(tree: Tree.Document): Tree.Element | undefined {
  return tree.childNodes.flatMap(elementsIn).find(({ nodeName }) => nodeName === 'head');
}

function elementsIn(node: Tree.Node): Tree.Element[] {
  if (!('tagName' in node)) return [];
  return [node, ...node.childNodes.filter((child) => 'tagName' in child)];
}

function element(parentNode: Tree.Element, name: string, attributes: Record<string, string>): Tree.Element {
  return {
    nodeName: name,
    tagName: name,
    attrs: Object.entries(attributes).map(([name, value]) => ({ name, value })),
    namespaceURI: parentNode.namespaceURI,
    childNodes: [],
    parentNode,
  };
}
