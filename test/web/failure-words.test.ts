import { describe, expect, test } from 'vitest';
import server from '../../locales/en.json' with { type: 'json' };
import en from '../../locales/web/en.json' with { type: 'json' };
import es from '../../locales/web/es.json' with { type: 'json' };
import { Fault, type FaultKey } from '../../src/errors.ts';
import { LOCALES, type Locale, localizeFault } from '../../src/language.ts';
import { restVoice } from '../../tools/contract/rest-voice.ts';
import { productRegistry } from '../../tools/index.ts';
import { failureWords } from '../../web/src/pages/videos/failure-words.ts';

const id = 'vid_1';
const voice = restVoice(productRegistry().tools);
const BUTTONS = { en: '“Try again”', es: '«Intentar de nuevo»' } as const;

/** The texts of the web client, in a language. */
const textsOf = (locale: Locale): Parameters<typeof failureWords>[1] => {
  const texts: Readonly<Record<string, unknown>> = { en, es }[locale];
  return (key, values = {}) =>
    String(texts[key]).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
};

/** What the web client shows of a video that failed like this. */
function shown(key: FaultKey, params: Readonly<Record<string, string>>, locale: Locale) {
  const fault = new Fault(key, { ...params, video_id: id });
  const message = localizeFault(fault, { locale, voice }).detail;
  return failureWords({ id, error: { code: fault.code, message } }, textsOf(locale));
}

test.each([
  [
    'en',
    `'https://a.test/b.mp3' can't be reached, or its certificate is not valid. Check the URL, then retry with “Try again”.`,
  ],
  [
    'es',
    'No se puede conectar con «https://a.test/b.mp3» o su certificado no es válido. Revisa la URL y reinténtalo con «Intentar de nuevo».',
  ],
] as const)('a failure names the button to press (%s)', (locale, words) => {
  expect(shown('video_failed.asset_unreachable', { address: 'https://a.test/b.mp3' }, locale)).toBe(words);
});

describe.each(LOCALES)('in %s', (locale) => {
  const keys = Object.entries(server.faults)
    .filter(([, sentence]) => sentence.includes('{call:retry_video'))
    .map(([key]) => key as FaultKey);

  test.each(keys)('%s names the button, and no request of REST', (key) => {
    const words = shown(key, {}, locale);
    expect(words).toContain(BUTTONS[locale]);
    expect(words).not.toMatch(/\b(GET|POST|PUT|PATCH|DELETE)\b|\/videos\//);
  });
});

test('a video that did not fail says nothing', () => {
  expect(failureWords({ id, error: null }, textsOf('en'))).toBeUndefined();
});
