import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';

/** A browser without scripts: keeps cookies by path, follows redirects on its own site, and sends forms as they stand. */
export function newBrowser(site: string) {
  const jar: { name: string; value: string; path: string }[] = [];

  function keep(response: Response, at: URL): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      const path = /;\s*path=([^;]+)/i.exec(cookie)?.[1] ?? at.pathname;
      const known = jar.findIndex((one) => one.name === name && one.path === path);
      if (known >= 0) jar.splice(known, 1);
      if (value !== '' && !/expires=Thu, 01 Jan 1970/i.test(cookie)) jar.push({ name, value, path });
    }
  }

  async function send(address: string | URL, init: RequestInit = {}): Promise<Shown> {
    const url = new URL(address, site);
    if (url.origin !== site) return { status: 0, url, text: '', headers: new Headers() };
    const cookie = jar
      .filter(({ path }) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const headers = { 'accept-language': 'en', ...init.headers, cookie };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    keep(response, url);
    const to = response.headers.get('location');
    if (to !== null) return send(new URL(to, url));
    return { status: response.status, url, text: await response.text(), headers: response.headers };
  }

  return {
    jar,
    open: (address: string | URL) => send(address),
    /** Sends the form that has a button of this name, with its hidden fields, ticked boxes and what is typed. */
    submit(
      page: Shown,
      button: string,
      typed: Record<string, string | readonly string[]> = {},
      headers = {},
    ) {
      const form = formsOf(page).find((one) => one.buttons.includes(button));
      if (!form) throw new Error(`no form with a button ${button} in ${page.text}`);
      const [name = '', value = ''] = button.split('=');
      const fields = new URLSearchParams();
      for (const [field, one] of form.fields) if (!(field in typed)) fields.append(field, one);
      for (const [field, values] of Object.entries(typed))
        for (const one of [values].flat()) fields.append(field, one);
      if (name) fields.append(name, value);
      return send(new URL(form.action, page.url), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: site, ...headers },
        body: fields.toString(),
      });
    },
  };
}

export type Browser = ReturnType<typeof newBrowser>;

/** What a browser shows in the end; status 0 on another site, which it did not open. */
export type Shown = {
  readonly status: number;
  readonly url: URL;
  readonly text: string;
  readonly headers: Headers;
};

export function formsOf({ text }: Shown) {
  return [...text.matchAll(/<form method="post" action="([^"]*)">([\s\S]*?)<\/form>/g)].map(
    ([, action = '', body = '']) => ({
      action: unescaped(action),
      fields: [...body.matchAll(/<input ([^>]*)>/g)]
        .map(([, tag = '']) => tag)
        .filter((tag) => !/type="(checkbox|radio)"/.test(tag) || / checked/.test(tag))
        .map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')] as const),
      buttons: [...body.matchAll(/<button ([^>]*)>/g)].map(
        ([, tag = '']) => `${attribute(tag, 'name')}=${attribute(tag, 'value')}`,
      ),
    }),
  );
}

const attribute = (tag: string, name: string) =>
  unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

/** What a program keeps of a request for a code. */
export function newPkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export type Person = { readonly email: string; readonly password: string };

/** Signs in on the page of a program, as far as the question what it may do. */
export async function signInAs(browser: Browser, page: Shown, { email, password }: Person): Promise<Shown> {
  const consent = await browser.submit(page, 'action=enter', { email, password });
  expect(consent.text).toContain('name="scope"');
  return consent;
}
