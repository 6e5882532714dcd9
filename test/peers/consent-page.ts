import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** What a person sees at a provider: one button to agree and one to refuse. */
export function consentPage(
  res: ServerResponse,
  title: string,
  fields: Record<string, string>,
  choices = '',
): void {
  const hidden = Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`)
    .join('');
  const buttons =
    '<button name="answer" value="allow">Allow</button><button name="answer" value="deny">Cancel</button>';
  const form = `<form method="post" action="decide">${hidden}${choices}${buttons}</form>`;
  res.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>${title}</title>${form}`);
}

export async function formOf(req: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await text(req));
}

export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function sendTo(res: ServerResponse, address: string, query: Record<string, string>): void {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  res.writeHead(302, { location: url.href }).end();
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
