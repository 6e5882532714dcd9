/** The scheme in lower case, without characters a browser drops; empty for a relative address. */
export function schemeOf(address: string): string {
  const start = address.slice(0, 200).replace(/[\t\n\r]/g, '');
  return /^([a-z][a-z0-9+.-]*):/i.exec(start)?.[1]?.toLowerCase() ?? '';
}

/** Whether a mail provider will replace it later: `*|UNSUB|*`, `%unsubscribe%`, `<%url%>`, `[unsubscribe]`, `{$link}`, `@@link@@`. */
export function isMergeTag(address: string): boolean {
  return /^(?:\*\||%%?[a-z_]|<%|\[|\$\{|\{[^{]|@@|__)/i.test(address);
}

/** As much of an address as helps to find it. */
export function shortened(address: string): string {
  return address.length > 80 ? `${address.slice(0, 79)}…` : address;
}

/** Mustaches with something in them, of which a finished mail has none. */
export const MUSTACHE = /\{\{[^{}]{1,200}\}\}/;
