import { hash } from 'node:crypto';
import type { Locale } from '../../src/language.ts';

/** Markup that is safe to send: made by `html`, which escapes what it is given. */
export type Html = { readonly markup: string };

type Part = string | number | Html | undefined | false | readonly Html[];

/** Markup with the values as text. */
export function html(texts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return { markup: texts.reduce((all, text, at) => `${all}${markupOf(values[at - 1])}${text}`) };
}

function markupOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1917; --soft: #57534e; --paper: #fff; --back: #f5f5f4; --line: #a8a29e; --brand: #0f5132; --brand-ink: #fff; --alarm: #9f1239; --warm: #fef3c7; }
@media (prefers-color-scheme: dark) { :root { --ink: #f5f5f4; --soft: #c4bfba; --paper: #1c1917; --back: #0c0a09; --line: #78716c; --brand: #86efac; --brand-ink: #052e16; --alarm: #fda4af; --warm: #422006; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 0 auto; padding: 1.5rem; background: var(--paper); min-height: 100vh; }
@media (min-width: 34rem) { main { margin: 2.5rem auto; min-height: 0; border: 1px solid var(--line); border-radius: 12px; padding: 2rem; } }
.product { margin: 0 0 1.5rem; font-weight: 600; color: var(--soft); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.75rem; overflow-wrap: anywhere; }
p { margin: 0 0 0.75rem; overflow-wrap: anywhere; }
.soft { color: var(--soft); font-size: 0.9375rem; }
.alert { border-left: 4px solid var(--alarm); padding: 0.5rem 0.75rem; color: var(--alarm); }
label.field { display: block; font-weight: 600; margin-top: 1rem; }
input[type=email], input[type=password], input[type=text] { width: 100%; font: inherit; padding: 0.625rem 0.75rem; margin-top: 0.25rem; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 8px; }
p.shown { font-size: 1.75rem; font-weight: 700; white-space: nowrap; }
.code { font-variant-numeric: tabular-nums; letter-spacing: 0.08em; }
fieldset { border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0; padding: 0.5rem 1rem 0.75rem; }
fieldset.production { background: var(--warm); }
legend { font-weight: 600; padding: 0 0.25rem; }
label.choice { display: flex; gap: 0.75rem; align-items: flex-start; padding: 0.5rem 0; min-height: 2.75rem; }
label.choice input { width: 1.25rem; height: 1.25rem; margin: 0.125rem 0 0; flex: none; accent-color: var(--brand); }
.buttons { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1.25rem; }
button, a.button { font: inherit; font-weight: 600; flex: 1 1 10rem; min-height: 2.75rem; padding: 0.625rem 1rem; border-radius: 8px; border: 1px solid var(--line); background: transparent; color: inherit; text-align: center; text-decoration: none; cursor: pointer; }
button.main { background: var(--brand); color: var(--brand-ink); border-color: var(--brand); }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }
`;

const STYLE_HASH = `'sha256-${hash('sha256', STYLE, 'base64')}'`;

export type Page = {
  readonly locale: Locale;
  readonly title: string;
  readonly body: Html;
  /** Origin or scheme that the form leads to in the end; a browser counts redirects as part of the form. */
  readonly formTarget?: string | undefined;
};

/** A whole page, without scripts, and the headers it needs. */
export function renderPage({ locale, title, body, formTarget }: Page) {
  const { markup } = html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Stallhand</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<main>
<p class="product">Stallhand</p>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE_HASH}`,
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'Content-Language': locale,
    'Cache-Control': 'no-store',
    // Without a referrer a form has no origin, and the host guard would refuse it.
    'Referrer-Policy': 'same-origin',
  };
  return { markup, headers };
}
