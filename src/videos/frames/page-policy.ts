/**
 * The headers of the page, which keep it to its own address. What slips through them is met by the interception of all
 * requests, and then by a browser whose flags give it no network.
 * @param address the page's own, ending in a slash
 */
export function pagePolicy(address: string, scripts: boolean) {
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
    { name: 'permissions-policy', value: DENIED.map((feature) => `${feature}=()`).join(', ') },
    { name: 'referrer-policy', value: 'no-referrer' },
    { name: 'x-dns-prefetch-control', value: 'off' },
  ];
}

const DENIED = [
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
