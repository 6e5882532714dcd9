import { randomBytes } from 'node:crypto';
import type { CDPSession, Protocol } from 'puppeteer-core';
import type { Composition, CompositionAsset } from '../composition/composition.ts';
import { readEngineFiles, shippedFonts } from '../engine-files.ts';

type PageServer = {
  /** Address of the page, ending in a slash: a random path on a loopback address where nothing listens. */
  readonly address: string;
  /** The first hundred addresses that the page shows and the composition does not have. */
  readonly missing: readonly string[];
  /** Starts answering requests. */
  start(): Promise<void>;
};

type ServedFile = {
  readonly body: string;
  readonly mediaType: string;
  readonly headers?: readonly Protocol.Fetch.HeaderEntry[];
  readonly code?: number;
};

const MAX_MISSING = 100;

/**
 * Answers every request of a page from memory and rejects what is not there.
 * @param onLeave called when the page tries to navigate, which is rejected too
 */
export function createPageServer(cdp: CDPSession, composition: Composition, onLeave: () => void): PageServer {
  const address = `http://127.0.0.1/${randomBytes(16).toString('hex')}/`;
  const missing: string[] = [];
  let mainFrame: string | undefined;
  return { address, missing, start };

  async function start(): Promise<void> {
    cdp.on('Fetch.requestPaused', (paused) => {
      // The request may be gone before it is answered.
      respond(paused).catch(() => {});
    });
    cdp.on('Audits.issueAdded', onPolicyIssue);
    await Promise.all([
      cdp.send('Audits.enable'),
      cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
    ]);
  }

  async function respond(paused: Protocol.Fetch.RequestPausedEvent): Promise<unknown> {
    const { requestId } = paused;
    const answer = paused.resourceType === 'Document' ? document(paused) : fileAt(paused.request);
    if (!answer) return reject(paused);
    return cdp.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: answer.code ?? 200,
      responseHeaders: [
        { name: 'content-type', value: answer.mediaType },
        { name: 'x-content-type-options', value: 'nosniff' },
        ...(answer.headers ?? []),
      ],
      body: answer.body,
    });
  }

  // A reload would restart the page in the middle of the video.
  function document({ request, frameId }: Protocol.Fetch.RequestPausedEvent): ServedFile | undefined {
    if (mainFrame !== undefined || request.url !== address) return undefined;
    mainFrame = frameId;
    return {
      body: base64(composition.html),
      mediaType: 'text/html; charset=utf-8',
      headers: pagePolicy(address, composition.scripts),
    };
  }

  function fileAt({ url, headers }: Protocol.Network.Request): ServedFile | undefined {
    if (!url.startsWith(address)) return undefined;
    const path = url.slice(address.length).replace(/[?#].*$/s, '');
    const file = composition.assets.get(path) ?? shippedFonts().files.get(path);
    if (file) return served(file, headers['range'] ?? headers['Range']);
    const code = path.startsWith('engine/') && readEngineFiles().get(path.slice('engine/'.length));
    return code ? { body: base64(code), mediaType: 'text/javascript; charset=utf-8' } : undefined;
  }

  function reject(paused: Protocol.Fetch.RequestPausedEvent): Promise<unknown> {
    const { requestId, request, resourceType, frameId } = paused;
    if (resourceType === 'Document' && frameId === mainFrame) onLeave();
    if (VISIBLE_TYPES.has(resourceType)) recordMissing(request.url);
    return cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  }

  function onPolicyIssue({ issue }: Protocol.Audits.IssueAddedEvent): void {
    const { blockedURL = '', violatedDirective = '' } = issue.details.contentSecurityPolicyIssueDetails ?? {};
    if (blockedURL !== '' && VISIBLE_DIRECTIVES.test(violatedDirective)) recordMissing(blockedURL);
  }

  function recordMissing(url: string): void {
    if (missing.length < MAX_MISSING) missing.push(url.replace(address, ''));
  }
}

/** Clips are read in parts. */
function served({ bytes, mediaType }: CompositionAsset, range: string | undefined): ServedFile {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (from === undefined) return { body: Buffer.from(bytes).toString('base64'), mediaType };
  const part = bytes.subarray(Number(from), Number(to) + 1);
  const value = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
  const headers = [{ name: 'content-range', value }];
  return { code: 206, body: Buffer.from(part).toString('base64'), mediaType, headers };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

// Resource types that are visible. Sounds are mixed elsewhere, and requests of scripts do not count.
const VISIBLE_TYPES: ReadonlySet<Protocol.Network.ResourceType> = new Set([
  'Image',
  'Stylesheet',
  'Font',
  'Script',
]);
const VISIBLE_DIRECTIVES = /^(?:img|style|font|script)-src/;

/**
 * Response headers that restrict the page to its own address. Behind them, all requests are intercepted and the
 * browser's flags disable the network.
 * @param address the page's own, ending in a slash
 */
function pagePolicy(address: string, scripts: boolean) {
  const own = `${address}engine/`;
  const directives = [
    `default-src 'none'`,
    // The template's scripts are inline; they have no other place.
    `script-src ${own}${scripts ? ` 'unsafe-inline' ` : ' '}'wasm-unsafe-eval'`,
    `worker-src blob:`,
    `style-src 'unsafe-inline' data: ${address}`,
    `img-src data: blob: ${address}`,
    `font-src data: ${address}`,
    `connect-src ${address}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `webrtc 'block'`,
    // Blocks popups, dialogs, downloads and forms. The page's origin is a secure context, which the engine needs.
    `sandbox allow-scripts allow-same-origin`,
  ];
  return [
    { name: 'content-security-policy', value: directives.join('; ') },
    { name: 'permissions-policy', value: DENIED_FEATURES.map((feature) => `${feature}=()`).join(', ') },
    { name: 'referrer-policy', value: 'no-referrer' },
    { name: 'x-dns-prefetch-control', value: 'off' },
  ];
}

const DENIED_FEATURES = [
  ...['accelerometer', 'bluetooth', 'camera', 'clipboard-read', 'clipboard-write', 'display-capture'],
  ...[
    'geolocation',
    'gyroscope',
    'hid',
    'idle-detection',
    'local-fonts',
    'magnetometer',
    'microphone',
    'midi',
  ],
  ...['payment', 'publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb', 'window-management'],
];
