import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { useRest } from './server.ts';

/** A browser without scripts: keeps cookies by path, follows redirects on its own site, and sends forms as they stand. */
export function newBrowser(site: string, visits: readonly string[] = []) {
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
    if (url.origin !== site && !visits.includes(url.origin))
      return { status: 0, url, text: '', headers: new Headers() };
    const cookie = jar
      .filter(() => url.origin === site)
      .filter(({ path }) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const headers = { 'accept-language': 'en', ...init.headers, cookie };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    if (url.origin === site) keep(response, url);
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
      if (name && !(name in typed)) fields.append(name, value);
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

/** What makes the limits by address wide enough for many sign-ins from this machine. */
export const WIDE_LIMITS =
  '{"connect":{"perSecond":1000,"burst":10000},"sign_in":{"perSecond":1000,"burst":10000},"public":{"perSecond":1000,"burst":10000}}';

export const REDIRECT = 'http://127.0.0.1:53682/callback';

/** A program without a secret, at a server. */
export function newProgram(site: string) {
  const rest = useRest(site);

  async function register(more: object = {}): Promise<string> {
    const body = { client_name: 'Test assistant', redirect_uris: [REDIRECT], ...more };
    const answer = await rest('POST', '/oauth/register', { body });
    expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
    return String(answer.body['client_id']);
  }

  function authorizeUrl(clientId: string, challenge: string, more: Record<string, string> = {}): string {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      scope: 'templates:read templates:write templates:promote',
      state: 'a state',
      resource: site,
      ...more,
    });
    return `${site}/oauth/authorize?${query}`;
  }

  async function post(path: string, fields: Record<string, string>) {
    const response = await fetch(`${site}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
    const text = await response.text();
    return { status: response.status, body: (text ? JSON.parse(text) : {}) as Record<string, unknown> };
  }

  /** As far as the code that a person lets the program have. */
  async function askCode(person: Person, more: Record<string, string> = {}, typed = {}) {
    const clientId = await register();
    const { verifier, challenge } = newPkce();
    const browser = newBrowser(site);
    const consent = await signInAs(
      browser,
      await browser.open(authorizeUrl(clientId, challenge, more)),
      person,
    );
    const { url: back } = await browser.submit(consent, 'action=allow', typed);
    expect(back.href).toContain(REDIRECT);
    const exchange = {
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    };
    return { clientId, back, consent, exchange };
  }

  /** The whole way: a program that a person has let in. */
  async function connect(person: Person, more: Record<string, string> = {}, typed = {}) {
    const { clientId, exchange } = await askCode(person, more, typed);
    const { status, body } = await post('/oauth/token', exchange);
    expect([status, body]).toEqual([200, expect.anything()]);
    const tokens = { access: String(body['access_token']), refresh: String(body['refresh_token']) };
    const refresh = (token: string, with_: Record<string, string> = {}) =>
      post('/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: token,
        client_id: clientId,
        ...with_,
      });
    return { clientId, ...tokens, refreshWith: refresh, rest: useRest(site, tokens.access) };
  }

  return { register, authorizeUrl, post, askCode, connect };
}

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

/** A person who has an account of their own. */
export async function newPerson(site: string, name: string): Promise<Person & { readonly token: string }> {
  const person = { email: `${name}@shop.example`, password: `correct horse battery ${name} 7` };
  const { status, body } = await useRest(site)('POST', '/auth/register', { body: person });
  expect(status).toBe(201);
  return { ...person, token: String(body['token']) };
}
