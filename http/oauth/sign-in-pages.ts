import { APP_SCOPES, type Role, type Scope } from '../../src/identity/caller.ts';
import { type Locale, localizeOauth, type OauthText } from '../../src/language.ts';
import { type Html, html, renderPage } from './page.ts';

/** The program that asks, in its own words. */
export type AskingClient = {
  readonly name: string;
  /** Where it published who it is. */
  readonly publishedAt?: string | undefined;
  /** Where the person is sent afterwards; undefined for a device. */
  readonly redirectUri?: string | undefined;
};

export type PageRequest = {
  readonly locale: Locale;
  readonly client: AskingClient;
  /** Path of the form, and what proves that it is ours. */
  readonly action: string;
  readonly csrf: string;
  /** Already in the person's language. */
  readonly error?: string | undefined;
};

export type Provider = { readonly label: string; readonly href: string };

type OfferedAccount = { readonly id: string; readonly name: string; readonly role: Role };

/** What changes production: it has a box of its own, which is never ticked beforehand. */
export const PRODUCTION_SCOPE: Scope = 'templates:promote';

/** Email with a password, or with a code; or another service. */
export function signInPage(request: PageRequest, email: string, providers: readonly Provider[]) {
  const { say } = wordsOf(request);
  return page(
    request,
    'title_sign_in',
    html`${asks(request)}
${form(
  request,
  html`<label class="field" for="email">${say('email')}</label>
<input type="email" id="email" name="email" value="${email}" required maxlength="320" autocomplete="username">
<label class="field" for="password">${say('password')}</label>
<input type="password" id="password" name="password" maxlength="1000" autocomplete="current-password" aria-describedby="password-hint">
<p class="soft" id="password-hint">${say('password_hint')}</p>
<div class="buttons"><button class="main" type="submit" name="action" value="enter">${say('continue')}</button></div>`,
)}
${providers.map(
  ({ label, href }) =>
    html`<div class="buttons"><a class="button" href="${href}">${say('with_provider', { label })}</a></div>`,
)}
${cancel(request)}`,
  );
}

export function codePage(request: PageRequest, email: string) {
  const { say } = wordsOf(request);
  return page(
    request,
    'title_code',
    html`<p>${say('code_sent', { email })}</p>
${form(request, oneField(request, 'code', 'code'))}
${startOver(request)}`,
  );
}

export function factorPage(request: PageRequest) {
  return page(
    request,
    'title_factor',
    html`${form(request, oneField(request, 'totp', 'factor'))}${startOver(request)}`,
  );
}

type Consent = {
  readonly email: string;
  readonly accounts: readonly OfferedAccount[];
  readonly asked: readonly Scope[];
};

/** Which account, which scopes, and whether production. */
export function consentPage(request: PageRequest, { email, accounts, asked }: Consent) {
  const { say } = wordsOf(request);
  const [only, ...others] = accounts;
  const everyday = asked.filter((scope) => scope !== PRODUCTION_SCOPE);
  return page(
    request,
    'title_consent',
    html`${asks(request)}
<p>${say('signed_in_as', { email })}</p>
${form(
  request,
  html`${
    others.length === 0
      ? html`<input type="hidden" name="account" value="${only?.id}">`
      : html`<fieldset><legend>${say('account')}</legend>${accounts.map(
          ({ id, name, role }, at) =>
            html`<label class="choice"><input type="radio" name="account" value="${id}" required${at === 0 && html` checked`}><span>${say('account_role', { name, role })}</span></label>`,
        )}</fieldset>`
  }
<fieldset><legend>${say('allow_list')}</legend>
${APP_SCOPES.filter((scope) => everyday.includes(scope)).map(
  (scope) =>
    html`<label class="choice"><input type="checkbox" name="scope" value="${scope}" checked><span>${say(textOf(scope))}</span></label>`,
)}
</fieldset>
${
  asked.includes(PRODUCTION_SCOPE) &&
  html`<fieldset class="production"><legend>${say('production')}</legend>
<label class="choice"><input type="checkbox" name="production" value="yes" aria-describedby="production-hint"><span>${say('production_box')}</span></label>
<p class="soft" id="production-hint">${say('production_hint')}</p></fieldset>`
}
<p class="soft">${say('role_limit')} ${say('end_hint')}</p>
<div class="buttons"><button class="main" type="submit" name="action" value="allow">${say('allow')}</button>
<button type="submit" name="action" value="deny" formnovalidate>${say('deny')}</button></div>`,
)}
${startOver(request)}`,
  );
}

function wordsOf({ locale }: Pick<PageRequest, 'locale'>) {
  return {
    say: (key: OauthText, params?: Parameters<typeof localizeOauth>[2]) => localizeOauth(key, locale, params),
  };
}

// Every scope an app may have is one of the texts; the compiler cannot see that APP_SCOPES has no others.
const textOf = (scope: Scope) => `scope_${scope}` as OauthText;

function page(request: PageRequest, title: OauthText, body: Html) {
  const { locale, error, client } = request;
  const { say } = wordsOf(request);
  return renderPage({
    locale,
    title: say(title, { name: client.name }),
    body: html`${error !== undefined && html`<p class="alert" role="alert">${error}</p>`}${body}`,
    formTarget: targetOf(client.redirectUri),
  });
}

function form({ action, csrf }: PageRequest, fields: Html): Html {
  return html`<form method="post" action="${action}"><input type="hidden" name="csrf" value="${csrf}">
${fields}
</form>`;
}

function oneField(request: PageRequest, field: 'code' | 'totp', action: string): Html {
  const { say } = wordsOf(request);
  return html`<label class="field" for="${field}">${say(field)}</label>
<input class="code" type="text" id="${field}" name="${field}" required maxlength="40" autocomplete="one-time-code" inputmode="${field === 'code' ? 'numeric' : 'text'}">
<div class="buttons"><button class="main" type="submit" name="action" value="${action}">${say('continue')}</button></div>`;
}

function asks(request: PageRequest): Html {
  const { client } = request;
  const { say } = wordsOf(request);
  const host = client.publishedAt && URL.parse(client.publishedAt)?.host;
  return html`<p>${say('intro', { name: client.name })}</p>
<p class="soft">${say('unverified')} ${host && say('published_at', { host })} ${leadsTo(request)}</p>`;
}

function leadsTo(request: PageRequest): string {
  const { say } = wordsOf(request);
  const { redirectUri } = request.client;
  if (redirectUri === undefined) return say('stays');
  const { protocol, hostname, host } = new URL(redirectUri);
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return say('goes_to_machine');
  return protocol === 'https:' || protocol === 'http:'
    ? say('goes_to', { host })
    : say('goes_to_app', { host: `${protocol}//` });
}

/** For the policy of forms: nothing in it can end the directive. */
function targetOf(redirectUri: string | undefined): string | undefined {
  const url = redirectUri === undefined ? null : URL.parse(redirectUri);
  if (!url) return undefined;
  const target = url.protocol === 'https:' || url.protocol === 'http:' ? url.origin : url.protocol;
  return /^[\w.:/[\]-]+$/.test(target) ? target : undefined;
}

function startOver(request: PageRequest): Html {
  const { say } = wordsOf(request);
  return form(
    request,
    html`<div class="buttons"><button type="submit" name="action" value="restart">${say('start_over')}</button></div>`,
  );
}

function cancel(request: PageRequest): Html {
  const { say } = wordsOf(request);
  return form(
    request,
    html`<div class="buttons"><button type="submit" name="action" value="deny">${say('deny')}</button></div>`,
  );
}
