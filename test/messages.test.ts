import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import en from '../locales/en.json' with { type: 'json' };
import es from '../locales/es.json' with { type: 'json' };
import webEn from '../locales/web/en.json' with { type: 'json' };
import webEs from '../locales/web/es.json' with { type: 'json' };
import { Fault, type FaultKey } from '../src/errors.ts';
import { SCOPES } from '../src/identity/caller.ts';
import {
  LOCALES,
  localizeFault,
  localizeInput,
  localizePrompt,
  localizeWarning,
  type PromptName,
  type WarningKey,
} from '../src/language.ts';
import { parseCall, type Voice, webVoice } from '../src/voice.ts';
import { hasRest, restForm } from '../tools/contract/define.ts';
import { restVoice } from '../tools/contract/rest-voice.ts';
import { productRegistry } from '../tools/index.ts';
import { createCatalogue } from '../tools/mcp/catalog.ts';

const registry = productRegistry();
const OWNER = { scopes: SCOPES };
const rest = restVoice(registry.tools);
const mcp = createCatalogue(registry)
  .select([])
  .voiceFor({ caller: OWNER, baseUrl: 'https://stallhand.test' });

const TEXTS = { en, es };
const inBoth = LOCALES.flatMap((locale) =>
  Object.entries(TEXTS[locale].faults).map((entry) => [locale, ...entry] as const),
);

/** Every parameter of a sentence, by its own name. */
function paramsOf(...sentences: readonly string[]): Record<string, string> {
  const names = sentences.flatMap((sentence) =>
    [...sentence.matchAll(/\{(call:[^{}]+|\w+)\}/g)].flatMap(([, form = '']) =>
      form.startsWith('call:') ? parseCall(form).named.map(([, param]) => param) : [form],
    ),
  );
  return Object.fromEntries(names.map((name) => [name, name === 'tool' ? 'get_template' : `a-${name}`]));
}

/** Every sentence that a caller can read, as one voice says it. */
function sentencesOf(voice: Voice): readonly (readonly [string, string])[] {
  return LOCALES.flatMap((locale) => {
    const { faults, warnings, inputs, prompts } = TEXTS[locale];
    const reader = { locale, voice };
    const names = Object.keys(prompts).filter((name) => name !== 'arguments') as PromptName[];
    return [
      ...Object.entries(faults).map(([key, sentence]) => {
        const fault = new Fault(key as FaultKey, paramsOf(sentence));
        return [`${locale} ${key}`, localizeFault(fault, reader).detail] as const;
      }),
      ...Object.entries(warnings).map(([key, sentence]) => {
        const warning = { key: key as WarningKey, params: paramsOf(sentence) };
        return [`${locale} ${key}`, localizeWarning(warning, reader).message] as const;
      }),
      ...Object.keys(inputs).map((key) => [`${locale} ${key}`, localizeInput(key, reader)] as const),
      ...names.map(
        (name) =>
          [`${locale} ${name}`, localizePrompt(name, paramsOf(prompts[name].text), reader).text] as const,
      ),
    ];
  });
}

const ROOT = join(import.meta.dirname, '..');

function sourceOf(folder: string): string {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOT, folder, file), 'utf8'))
    .join('\n');
}

// Only the routes of sign-in throw them, and what they say is done there.
const OF_SIGN_IN =
  /^(second_factor_required|validation_failed\.passkey|conflict\.totp_|not_found\.(passkey|sign_in_provider|session))/;

describe('a message over MCP', () => {
  const domains = `${sourceOf('src')}\n${sourceOf('tools')}`;
  const reachable = (name: string) => {
    const key = name.slice(3);
    if (!(key in en.faults)) return true;
    return !OF_SIGN_IN.test(key) && domains.includes(`'${key}'`);
  };

  test('names no call of REST, no header and no query parameter', () => {
    const words =
      /\b(GET|POST|PUT|PATCH|DELETE) \/|Prefer|If-Match|Idempotency-Key|over REST|REST only|por REST|query parameter|\bin the query\b/;
    const wrong = sentencesOf(mcp).filter(([name, text]) => reachable(name) && words.test(text));
    expect(wrong).toEqual([]);
  });

  test('names each call as the model makes it', () => {
    const said = new Map(sentencesOf(mcp));
    expect(said.get('en not_found.template')).toBe(
      "Template 'a-name' not found. List templates with list_templates.",
    );
    expect(said.get('en not_found.branch')).toBe(
      `Template 'a-template' has no branch 'a-branch'. List branches with read_tool list_branches {"template":"a-template"}.`,
    );
    expect(said.get('es api_key_required.write_yourself')).toMatch(
      /^Escribe tú los hooks y envíalos con run_tool submit_hooks,/,
    );
    expect(said.get('en forbidden.frozen')).toBe(
      'The environment a-environment is frozen. Unfreeze it first: protect_environment (only a person can call it, at https://stallhand.test/templates).',
    );
  });

  test('says that a tool is out of reach where the conversation lacks it', () => {
    const { voiceFor } = createCatalogue(registry).select([{ toolsets: ['videos'] }]);
    const voice = voiceFor({ caller: OWNER, baseUrl: 'https://stallhand.test' });
    const fault = new Fault('not_found.template', { name: 'welcome' });
    expect(localizeFault(fault, { locale: 'en', voice }).detail).toBe(
      "Template 'welcome' not found. List templates with list_templates (not available in this conversation).",
    );
  });
});

describe('a message over REST', () => {
  test('names no tool', () => {
    const names = new RegExp(`\\b(${registry.tools.map(({ name }) => name).join('|')})\\b`);
    const ofRest = sentencesOf(rest).filter(([name]) => {
      const key = name.slice(3);
      // Prompts, and what answers of MCP say of themselves.
      return !(key in en.prompts) && !/^(person_required\.|answer_|call_goes_on)/.test(key);
    });
    expect(ofRest.filter(([, text]) => names.test(text))).toEqual([]);
  });

  test('names each call with its path, its query and its body', () => {
    const said = new Map(sentencesOf(rest));
    expect(said.get('es not_found.branch')).toBe(
      'La plantilla «a-template» no tiene la rama «a-branch». Consulta las ramas con GET /v1/templates/a-template/branches.',
    );
    expect(said.get('en forbidden.frozen')).toBe(
      'The environment a-environment is frozen. Unfreeze it first: PATCH /v1/environments/a-environment {"freeze":false}.',
    );
    expect(rest.call('list_jobs', { status: 'running' })).toEqual({ text: 'GET /v1/jobs?status=running' });
    expect(rest.call('get_template', { template: 'a/b' })).toEqual({ text: 'GET /v1/templates/a%2Fb' });
  });

  test('names in emails only paths that there are', () => {
    const routes = new Set(
      registry.tools.filter(hasRest).map((tool) => tool.rest.route.replace(/\{\w+\}/g, '{}')),
    );
    const named = LOCALES.flatMap((locale) =>
      [...JSON.stringify(TEXTS[locale].mails).matchAll(/\b(?:GET|POST|PATCH) \/[^\s,.:]+/g)].map(([call]) =>
        call.replace(/\{\w+\}/g, '{}'),
      ),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((call) => !routes.has(call))).toEqual([]);
  });
});

describe('a message in the web client', () => {
  // Only other callers can cause these: the client has no field, header or command for them.
  const ELSEWHERE =
    /^(bad_request|invalid_json|idempotency_|internal\.migration|unsupported_media_type|unauthenticated\.(metrics|webhook)|forbidden\.(opaque_origin|other_site)|not_found\.(backup_folder|mcp_disabled|schema)|conflict\.(backup_|database_exists|database_jobs|database_used|webhook_disabled|task_|hooks_deleted)|too_large\.(bundle|pdf)|validation_failed\.(save_to|query|path_field|alias|body|bump|rollback|resolution|selectors|source|data$|idempotency_key|require_from|asset_range|asset_offset|asset_sources|captions|gif|run_order|import_source|edit_and_field|edit_repeated|plan_choice|service_account|cut|rows))/;

  const HOW_TO = 'say it in the words of the pages, under the same key in over_web of both languages';

  test('names no operation and no call of REST, in any sentence', () => {
    const names = new RegExp(`\\b(${registry.tools.map(({ name }) => name).join('|')})\\b`);
    const calls = /\b(GET|POST|PUT|PATCH|DELETE) \/|\bAuthorization\b|Stallhand-Account/;
    const said = sentencesOf(webVoice).filter(([name]) => {
      const key = name.slice(3);
      return !(key in en.prompts) && !/^answer_/.test(key) && !ELSEWHERE.test(key);
    });
    expect(said.length).toBeGreaterThan(1_300);
    expect(
      said.filter(([, text]) => names.test(text) || calls.test(text)),
      HOW_TO,
    ).toEqual([]);
  });

  test('names no field as requests have it', () => {
    const field = /\b[a-z]+_[a-z_]+\b|\b[a-z]\w*=\w|`npm|\bOmit\b|\bOmite\b/;
    // Rights at Shopify, a value in the template language, and the placeholders of this test.
    const known = /(read|write)_(products|inventory|locations)|n\w+=val\w+|a-\w+/g;
    const said = sentencesOf(webVoice).filter(([name]) => {
      const key = name.slice(3);
      return key in en.faults && !ELSEWHERE.test(key);
    });
    expect(
      said.filter(([, text]) => field.test(text.replace(known, ''))),
      HOW_TO,
    ).toEqual([]);
  });

  test('has its own words wherever a sentence names a call', () => {
    const named = Object.entries({ ...en.faults, ...en.warnings, ...en.inputs }).flatMap(([key, text]) =>
      /\{(call:|tool\})/.test(text) ? [key] : [],
    );
    expect(named.length).toBeGreaterThan(70);
    expect(
      named.filter((key) => !(key in en.over_web)),
      HOW_TO,
    ).toEqual([]);
    expect(Object.keys(es.over_web)).toEqual(Object.keys(en.over_web));
    expect(JSON.stringify([en.over_web, es.over_web])).not.toContain('{call:');
  });

  test.each([
    ['en', en.over_web, webEn, /(?<=^|[\s(])'([^'{}]+)'(?=[\s.,;)])/g],
    ['es', es.over_web, webEs, /«([^«»{}]+)»/g],
  ] as const)('quotes only pages and buttons that the client has (%s)', (_, sentences, web, quoted) => {
    const labels = new Set(Object.values(web).filter((text) => typeof text === 'string'));
    const named = Object.values(sentences).flatMap((text) =>
      [...text.matchAll(quoted)].map(([, label = '']) => label),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((label) => !labels.has(label))).toEqual([]);
  });

  test('says what to press', () => {
    const said = new Map(sentencesOf(webVoice));
    expect(said.get('en not_found.template')).toBe(
      "Template 'a-name' not found. All templates are on the page 'Templates'.",
    );
    expect(said.get('es video_failed.crashed')).toBe(
      'El navegador falló al renderizar este video. Simplifica la página y pulsa «Intentar de nuevo».',
    );
  });
});

describe('a sentence', () => {
  test('names only operations that there are, with arguments that they take', () => {
    const wrong = LOCALES.flatMap((locale) =>
      [...JSON.stringify(TEXTS[locale]).matchAll(/\{(call:[^{}]+)\}/g)].flatMap(([, form = '']) => {
        const { tool: name, named, fixed } = parseCall(form);
        const tool = registry.find(name);
        const known = tool && hasRest(tool) ? restForm(tool).input.shape : (tool?.input.shape ?? {});
        const args = [...named.map(([argument]) => argument), ...Object.keys(fixed)];
        return tool && args.every((argument) => argument in known) ? [] : [form];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('names the same calls in both languages', () => {
    const calls = (text: string) => [...text.matchAll(/\{call:[^{}]+\}/g)].map(([call]) => call).sort();
    const differ = Object.entries(en.faults).filter(
      ([key, text]) => calls(text).join() !== calls(es.faults[key as FaultKey]).join(),
    );
    expect(differ).toEqual([]);
    expect(Object.keys(es.over_mcp)).toEqual(Object.keys(en.over_mcp));
  });

  test('says something else over MCP and in the web client only for faults that there are', () => {
    expect(Object.keys(en.over_mcp).filter((key) => !(key in en.faults))).toEqual([]);
    const sayable = { ...en.faults, ...en.warnings, ...en.inputs };
    expect(Object.keys(en.over_web).filter((key) => !(key in sayable))).toEqual([]);
  });

  test('has no call left open, in any voice', () => {
    expect(inBoth.length).toBeGreaterThan(800);
    const left = [...sentencesOf(mcp), ...sentencesOf(rest), ...sentencesOf(webVoice)].filter(([, text]) =>
      text.includes('{call:'),
    );
    expect(left).toEqual([]);
  });

  test('takes a value that looks like a call as a value', () => {
    const fault = new Fault('not_found.template', { name: '{call:delete_account}' });
    expect(localizeFault(fault, { locale: 'en', voice: mcp }).detail).toBe(
      "Template '{call:delete_account}' not found. List templates with list_templates.",
    );
  });
});
