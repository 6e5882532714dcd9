const BROWSERS = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
] as const;
const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** Browser and system without versions, such as `Firefox, Windows`; of other programs the name they begin with. */
export function describeDevice(userAgent = ''): string {
  const text = userAgent.slice(0, 300);
  const find = (list: readonly (readonly [string, RegExp])[]) =>
    list.find(([, pattern]) => pattern.test(text))?.[0];
  const found = [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== undefined);
  return found.length > 0 ? found.join(', ') : (/^[\w.-]{1,40}/.exec(text)?.[0] ?? '');
}
