import { type Locale, localizeOauth, type OauthText } from '../../src/language.ts';
import { type Html, html, renderPage } from '../oauth/page.ts';
import type { Step } from './person.ts';

export type Asked = {
  readonly locale: Locale;
  readonly provider: 'google' | 'shopify';
  /** The domain of the store. */
  readonly domain: string | undefined;
  /** Path of the form. */
  readonly action: string;
  /** Already in the person's language. */
  readonly error?: string | undefined;
};

const LABELS = { google: 'Google', shopify: 'Shopify' } as const;

/** Says what is asked for, and asks who the person is; `local`: an open server asks no one. */
export function askPage(asked: Asked, step: Step, { local }: { readonly local: boolean }) {
  const { say } = wordsOf(asked);
  return pageOf(
    asked,
    say(`title_connect_${asked.provider}`),
    html`<p>${say(`connect_intro_${asked.provider}`, { domain: asked.domain ?? '' })}</p>
<p class="soft">${say(local ? 'connect_local' : 'connect_sign_in')}</p>
${local ? form(asked, html`${button('go', say('continue'))}`) : stepForm(asked, step)}`,
  );
}

/** The person goes on by a link, and at once: a form that led to another site would need its leave. */
export function leavingPage(asked: Asked, { url, account }: { url: string; account: string }) {
  const { say } = wordsOf(asked);
  const provider = LABELS[asked.provider];
  const page = pageOf(
    asked,
    say('title_leaving', { provider }),
    html`<p>${say('connect_leaving', { provider, account })}</p>
<div class="buttons"><a class="button" href="${url}">${say('connect_to', { provider })}</a></div>`,
  );
  return { ...page, headers: { ...page.headers, Refresh: `0;url=${url}` } };
}

export function donePage(
  asked: Pick<Asked, 'locale'>,
  { kind, name, account }: { kind: 'sheet' | 'store'; name: string; account: string },
) {
  const { say } = wordsOf(asked);
  return pageOf(
    asked,
    say('title_connected'),
    html`<p role="status">${say(`connected_${kind}`, { name })} ${say('connected_account', { account })}</p>`,
  );
}

export function failedPage(asked: Pick<Asked, 'locale'>, message: string) {
  const { say } = wordsOf(asked);
  return pageOf(asked, say('title_failed'), html`<p role="alert">${message}</p>`);
}

export function textPage(asked: Pick<Asked, 'locale'>, title: OauthText, text: string) {
  return pageOf(asked, wordsOf(asked).say(title), html`<p>${text}</p>`);
}

function wordsOf({ locale }: Pick<Asked, 'locale'>) {
  return {
    say: (key: OauthText, params?: Parameters<typeof localizeOauth>[2]) => localizeOauth(key, locale, params),
  };
}

function pageOf({ locale, error }: Pick<Asked, 'locale' | 'error'>, title: string, body: Html) {
  const alert = error !== undefined && html`<p class="alert" role="alert">${error}</p>`;
  const page = renderPage({ locale, title, body: html`${alert}${body}` });
  // A code or a link may be in the address.
  return { ...page, headers: { ...page.headers, 'Referrer-Policy': 'same-origin' } };
}

function stepForm(asked: Asked, step: Step): Html {
  const { say } = wordsOf(asked);
  switch (step.step) {
    case 'code':
      return html`<p>${say('code_sent', { email: step.email })}</p>
${form(
  asked,
  html`<input type="hidden" name="email" value="${step.email}">
${field('code', say('code'), 'numeric')}
${button('code', say('continue'))}`,
)}`;
    case 'factor':
      return form(
        asked,
        html`<input type="hidden" name="challenge" value="${step.challenge}">
${field('totp', say('totp'), 'text')}
${button('factor', say('continue'))}`,
      );
    default:
      return form(
        asked,
        html`<label class="field" for="email">${say('email')}</label>
<input type="email" id="email" name="email" value="${step.step === 'start' ? step.email : ''}" required maxlength="320" autocomplete="username">
<label class="field" for="password">${say('password')}</label>
<input type="password" id="password" name="password" maxlength="1000" autocomplete="current-password" aria-describedby="password-hint">
<p class="soft" id="password-hint">${say('password_hint')}</p>
${button('enter', say('continue'))}`,
      );
  }
}

function form({ action }: Asked, fields: Html): Html {
  return html`<form method="post" action="${action}">
${fields}
</form>`;
}

function field(name: 'code' | 'totp', label: string, mode: 'numeric' | 'text'): Html {
  return html`<label class="field" for="${name}">${label}</label>
<input class="code" type="text" id="${name}" name="${name}" required maxlength="40" autocomplete="one-time-code" inputmode="${mode}">`;
}

function button(action: string, label: string): Html {
  return html`<div class="buttons"><button class="main" type="submit" name="action" value="${action}">${label}</button></div>`;
}
