import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import en from '../locales/en.json' with { type: 'json' };
import es from '../locales/es.json' with { type: 'json' };
import { FAULTS, Fault, type FaultKey } from '../src/errors.ts';
import { localizeFault, plainReader } from '../src/language.ts';
import { LINT_NOTES, LINT_RULES } from '../src/templates/lint/rules.ts';

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test('every sentence belongs to a code of the table, and every code has a title and a sentence', () => {
  const used = new Set(Object.keys(en.faults).map((key) => key.split('.')[0]));
  expect([...used].sort()).toEqual(Object.keys(FAULTS).sort());
  expect(Object.keys(en.titles).sort()).toEqual(Object.keys(FAULTS).sort());
});

test.each(['titles', 'faults', 'warnings', 'hooks', 'lint', 'lint_fixes', 'mails', 'sync'] as const)(
  '%s are the same in both languages, with the same placeholders',
  (section) => {
    const english: Record<string, string> = en[section];
    const spanish: Record<string, string> = es[section];
    expect(Object.keys(spanish).sort()).toEqual(Object.keys(english).sort());
    for (const [key, text] of Object.entries(english)) {
      expect([key, placeholders(spanish[key] ?? '')]).toEqual([key, placeholders(text)]);
      expect([key, spanish[key]]).not.toEqual([key, text]);
    }
  },
);

test('every sentence is said somewhere', async () => {
  const root = new URL('../', import.meta.url);
  const names = (
    await Promise.all(
      ['src/', 'tools/', 'http/'].map((folder) =>
        readdir(new URL(folder, root), { recursive: true }).then((found) =>
          found.map((name) => folder + name),
        ),
      ),
    )
  ).flat();
  const code = await Promise.all(
    names.filter((name) => name.endsWith('.ts')).map((name) => readFile(new URL(name, root), 'utf8')),
  );
  const all = code.join('\n');
  for (const key of [en.faults, en.warnings, en.lint].flatMap(Object.keys))
    expect([key, all.includes(`'${key}'`)]).toEqual([key, true]);
});

test('a fault is put into words in the language asked for', () => {
  const fault = new Fault('not_found.template_close', { name: 'welcom', suggestion: 'welcome' });
  expect(localizeFault(fault, plainReader('en'))).toEqual({
    title: 'Not found',
    detail: "Template 'welcom' not found. Did you mean 'welcome'?",
    errors: [],
  });
  expect(localizeFault(fault, plainReader('es')).detail).toBe(
    'No se encontró la plantilla «welcom». ¿Querías decir «welcome»?',
  );
});

test('the code of a fault and its status follow from its key', () => {
  const fault = new Fault('head_moved.branch' satisfies FaultKey);
  expect([fault.code, fault.status]).toEqual(['head_moved', 409]);
});

test('every lint rule has a sentence and says what to do', () => {
  const rules = [...LINT_RULES, ...LINT_NOTES].map(({ id }) => id).sort();
  expect(Object.keys(en.lint).sort()).toEqual(rules);
  expect(Object.keys(en.lint_fixes).sort()).toEqual(rules);
});
