import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAULTS } from '../src/errors.ts';
import { openTestApp, type TestApp } from './support/app.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const DASHBOARD = 'deploy/grafana/stallhand.json';
const ALERTS = 'deploy/alerts.yaml';
const GUIDE = 'docs/guides/operators.md';

/** Metrics that a text names, without the endings of a histogram's series. */
const namedIn = (text: string) => [
  ...new Set(
    [...text.matchAll(/\bstallhand_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, '')),
  ),
];
/** The expressions of the dashboard and of the alerts. */
const expressions = () => {
  const { panels } = JSON.parse(read(DASHBOARD)) as { panels: { targets: { expr: string }[] }[] };
  const alerts = [...read(ALERTS).matchAll(/^ {8}expr: '(.+)'$/gm)].map(([, expr = '']) => expr);
  return [...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...alerts];
};

let app: TestApp;
let metrics: readonly string[];

beforeAll(async () => {
  app = await openTestApp();
  metrics = app.metrics.meter.names();
});
afterAll(() => app.close());

test.each([DASHBOARD, ALERTS, GUIDE])('every metric that %s names exists', (file) => {
  const named = namedIn(read(file));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !metrics.includes(name))).toEqual([]);
});

test('the guide of operators and the dashboard have every metric', () => {
  for (const file of [GUIDE, DASHBOARD])
    expect([file, metrics.filter((name) => !namedIn(read(file)).includes(name))]).toEqual([file, []]);
});

test('every label that the dashboard and the alerts ask for is one that the metrics have', () => {
  const text = expressions().join('\n');
  const asked = [...text.matchAll(/[{,]([a-z_]+)(?:=~|!~|!=|=)"([^"]*)"/g)].map(
    ([, name = '', value = '']) => ({
      name,
      values: value.split('|'),
    }),
  );
  const known: Readonly<Record<string, readonly string[]>> = {
    instance: ['$instance'],
    job: ['stallhand'],
    quantile: ['0.5', '0.99', '1'],
    state: ['busy', 'waiting', 'queued', 'pending'],
    status: ['completed', 'failed', 'canceled'],
    outcome: ['ok', 'asked', 'canceled', 'error', ...Object.keys(FAULTS)],
    code: Object.keys(FAULTS),
  };
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter(({ name, values }) => !values.every((value) => known[name]?.includes(value)))).toEqual(
    [],
  );
});

test('each alert has an expression, how long it holds, how bad it is and what to do', () => {
  const rules = read(ALERTS)
    .split(/^ {6}- alert: /m)
    .slice(1);
  expect(rules.length).toBe(12);
  for (const rule of rules)
    expect(rule).toMatch(
      /^Stallhand\w+\n {8}expr: '.+'\n {8}for: \d+m\n {8}labels: \{ severity: (critical|warning) \}\n {8}annotations:\n {10}summary: '.+'\n {10}description: '.+'\n$/,
    );
});
