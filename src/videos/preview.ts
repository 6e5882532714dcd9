import { parse, serialize, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { Fault } from '../errors.ts';
import type { Composition, FilledPage } from './composition/composition.ts';
import type { PreviewOptions } from './page/stage-options.ts';
import { type Aspect, VideoRequest } from './request.ts';
import type { VideoTemplate } from './templates/video-template.ts';

type PreviewDeps = {
  /** @throws Fault not_found.video_template */
  readonly find: (accountId: string, name: string) => Promise<VideoTemplate>;
  readonly fill: (accountId: string, template: VideoTemplate, request: VideoRequest) => Promise<FilledPage>;
  readonly gather: (page: FilledPage, signal: AbortSignal, accountId: string) => Promise<Composition>;
};

type PreviewInput = {
  readonly name: string;
  readonly aspect?: Aspect | undefined;
  /** Seconds; by default the template's duration. */
  readonly duration?: number | undefined;
};

/** A page that plays a template. */
type Preview = {
  readonly html: string;
  /** The page contains the template's scripts. */
  readonly scripts: boolean;
};

/** Builds a page that plays a template with its sample data, exactly as its videos would show it. */
export function createPreview({ find, fill, gather }: PreviewDeps) {
  /** @throws Fault not_found.video_template, video_failed.asset_…, and those of `fill`; and the signal's reason */
  return async (
    accountId: string,
    { name, aspect, duration }: PreviewInput,
    addresses: Parameters<typeof previewDocument>[1],
    signal: AbortSignal,
  ): Promise<Preview> => {
    const template = await find(accountId, name);
    const { title, sample, aspects, duration: suitable } = template.manifest;
    const request = VideoRequest.parse({
      title,
      template: name,
      duration: duration ?? suitable,
      aspect: aspect ?? aspects[0],
      data: sample,
    });
    const page = await gather(await fill(accountId, template, request), signal, accountId);
    return { html: previewDocument(page, addresses), scripts: page.scripts };
  };
}

type PreviewAddresses = {
  /** Address of the engine: src/videos/page is served as `<engineUrl>/<path>`, to every origin. */
  readonly engineUrl: string;
  /** Address of the shipped fonts, served as `<fontsUrl>/<family>/<file>`, to every origin. */
  readonly fontsUrl: string;
};

/**
 * The rendered page with a player. It needs only the engine and the fonts, so it can be served in a sandbox with an
 * opaque origin.
 * @throws Fault video_failed.assets_bytes
 */
export function previewDocument(page: Composition, { engineUrl, fontsUrl }: PreviewAddresses): string {
  const tree = parse(page.html.replace(FONT, `$1${fontsUrl}/`));
  const head = headOf(tree);
  const { width, height, fps, frames, captions } = page;
  const tracks = page.tracks.map(({ source, start, volume, loop }) => ({
    ...{ start, volume, loop },
    source,
  }));
  const options: PreviewOptions = { width, height, fps, frames, captions, tracks, seed: 1 };
  head?.childNodes.unshift(
    ...[
      ...(page.scripts ? [element(head, 'script', { src: `${engineUrl}/clock.ts` })] : []),
      element(head, 'meta', { name: 'video-preview', content: JSON.stringify(options) }),
      element(head, 'script', { type: 'module', src: `${engineUrl}/player.ts` }),
    ],
  );
  return withAssets(serialize(tree), page);
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
