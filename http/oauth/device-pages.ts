import type { Request } from 'express';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { type Locale, localizeOauth, type OauthText } from '../../src/language.ts';
import { localeOf } from '../request.ts';
import { html, type Page, renderPage } from './page.ts';

export type DevicePages = ReturnType<typeof createDevicePages>;

/** What is wrong with a code that a person typed, by the provider's names. */
const WRONG: Readonly<Record<string, OauthText>> = {
  NotFoundError: 'device_wrong',
  ExpiredError: 'device_wrong',
  NoCodeError: 'device_wrong',
  AlreadyUsedError: 'device_used',
  AbortedError: 'device_aborted',
};

/** The pages that the authorization server shows without our routes: the code of a device, and errors. */
export function createDevicePages(language: Locale) {
  return {
    /** Asks for the code; `?user_code=` fills it in, and the person still sends it. */
    askCode(ctx: KoaContextWithOIDC, form: string, _out?: ErrorOut, error?: Error): void {
      const { locale, say } = readerOf(ctx);
      const wrong = error && (WRONG[error.name] ?? 'device_wrong');
      if (wrong === 'device_aborted') {
        show(ctx, { locale, title: say('title_denied'), body: html`<p role="status">${say(wrong)}</p>` });
        return;
      }
      show(ctx, {
        locale,
        title: say('title_device'),
        body: html`${wrong && html`<p class="alert" role="alert">${say(wrong)}</p>`}
<form method="post" action="${ctx.oidc.urlFor('code_verification')}">
<input type="hidden" name="xsrf" value="${xsrfOf(form)}">
<p class="soft" id="hint">${say('device_hint')}</p>
<label class="field" for="user_code">${say('device_code')}</label>
<input class="code" type="text" id="user_code" name="user_code" value="${typedCode(ctx)}" required maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false" aria-describedby="hint">
<div class="buttons"><button class="main" type="submit">${say('continue')}</button></div>
</form>`,
      });
    },

    confirmCode(
      ctx: KoaContextWithOIDC,
      form: string,
      client: { clientName?: string | undefined; clientId: string },
      _device: unknown,
      code: string,
    ): void {
      const { locale, say } = readerOf(ctx);
      const name = client.clientName ?? client.clientId;
      show(ctx, {
        locale,
        title: say('title_device_confirm'),
        body: html`<p>${say('device_confirm', { name })}</p>
<p class="code shown">${code}</p>
<p class="soft">${say('unverified')}</p>
<form method="post" action="${ctx.oidc.urlFor('code_verification')}">
<input type="hidden" name="xsrf" value="${xsrfOf(form)}">
<input type="hidden" name="user_code" value="${code}">
<div class="buttons"><button class="main" type="submit" name="confirm" value="yes">${say('continue')}</button>
<button type="submit" name="abort" value="yes">${say('deny')}</button></div>
</form>`,
      });
    },

    done(ctx: KoaContextWithOIDC): void {
      const { locale, say } = readerOf(ctx);
      show(ctx, { locale, title: say('title_done'), body: html`<p role="status">${say('done')}</p>` });
    },

    failed(ctx: KoaContextWithOIDC, out: ErrorOut): void {
      const { locale, say } = readerOf(ctx);
      const told = [out.error, out.error_description].filter(Boolean).join(': ');
      show(ctx, {
        locale,
        title: say('title_failed'),
        body: html`<p role="alert">${say('failed')}</p><p class="soft"><code>${told}</code></p>`,
      });
    },
  };

  function readerOf(ctx: KoaContextWithOIDC) {
    // Express made the request before it handed it over.
    const locale = localeOf(ctx.req as Request, language);
    const say = (key: OauthText, params?: Parameters<typeof localizeOauth>[2]) =>
      localizeOauth(key, locale, params);
    return { locale, say };
  }
}

/** Of the form that the provider suggests, whose script and layout are not used. */
function xsrfOf(form: string): string {
  return /name="xsrf" value="(\w+)"/.exec(form)?.[1] ?? '';
}

/** From the query, where `oauth.ts` has put it aside. */
function typedCode({ req }: KoaContextWithOIDC): string {
  const code: unknown = Reflect.get(req, 'userCode');
  return typeof code === 'string' ? code.slice(0, 20) : '';
}

function show(ctx: KoaContextWithOIDC, page: Page): void {
  const { markup, headers } = renderPage(page);
  ctx.set(headers);
  ctx.body = markup;
}
