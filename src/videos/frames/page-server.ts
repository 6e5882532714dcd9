import { randomBytes } from 'node:crypto';
import type { CDPSession, Protocol } from 'puppeteer';
import type { Composition } from '../composition/composition.ts';
import { readEngineFiles, shippedFonts } from '../engine-files.ts';

type PageServer = {
  /** Where the page is, ending in a slash: a random path of a loopback address, on which nothing listens. */
  readonly address: string;
  /** Addresses of what the page shows and the composition does not have, the first hundred. */
  readonly missing: readonly string[];
  /** Begins to answer. */
  start(): Promise<void>;
};

type ServedFile = {
  readonly body: string;
  readonly mediaType: string;
  readonly headers?: readonly Protocol.Fetch.HeaderEntry[];
};

// As many as are of use to somebody who looks for what is missing.
const MAX_MISSING = 100;

/**
 * Answers everything that a page asks for from memory, and refuses what is not there.
 * @param onLeave told when the page wants to go to another address, which is refused too
 */
export function createPageServer(cdp: CDPSession, composition: Composition, onLeave: () => void): PageServer {
  const address = `http://127.0.0.1/${randomBytes(16).toString('hex')}/`;
  const missing: string[] = [];
  let mainFrame: string | undefined;
  return { address, missing, start };

  async function start(): Promise<void> {
    cdp.on('Fetch.requestPaused', (paused) => {
      // It may be gone before it is answered.
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
    const answer = paused.resourceType === 'Document' ? document(paused) : fileAt(paused.request.url);
    if (!answer) return reject(paused);
    return cdp.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [
        { name: 'content-type', value: answer.mediaType },
        { name: 'x-content-type-options', value: 'nosniff' },
        ...(answer.headers ?? []),
      ],
      body: answer.body,
    });
  }

  // A page that loads itself again would begin anew in the middle of the video.
  function document({ request, frameId }: Protocol.Fetch.RequestPausedEvent): ServedFile | undefined {
    if (mainFrame !== undefined || request.url !== address) return undefined;
    mainFrame = frameId;
    return {
      body: base64(composition.html),
      mediaType: 'text/html; charset=utf-8',
      headers: pagePolicy(address, composition.scripts),
    };
  }

  function fileAt(url: string): ServedFile | undefined {
    if (!url.startsWith(address)) return undefined;
    const path = url.slice(address.length).replace(/[?#].*$/s, '');
    const file = composition.assets.get(path) ?? shippedFonts().files.get(path);
    if (file) return { body: Buffer.from(file.bytes).toString('base64'), mediaType: file.mediaType };
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

const base64 = (text: string) => Buffer.from(text).toString('base64');

// What a picture lacks when it does not come; sounds are mixed elsewhere, and what a script asks for is its own affair.
const VISIBLE_TYPES: ReadonlySet<Protocol.Network.ResourceType> = new Set([
  'Image',
  'Stylesheet',
  'Font',
  'Script',
]);
const VISIBLE_DIRECTIVES = /^(?:img|style|font|script)-src/;

/**
 * The headers of the page, which keep it to its own address. What slips through them is met by the interception of all
 * requests, and then by a browser whose flags give it no network.
 * @param address the page's own, ending in a slash
 */
function pagePolicy(address: string, scripts: boolean) {
  const own = `${address}engine/`;
  const directives = [
    `default-src 'none'`,
    // The template's own scripts are inside of its html: there is no other place for them.
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
    // No popups, dialogs, downloads, nor forms; its own origin is a secure context, which the engine needs.
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
