import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { type Caller, SCOPES } from '../../src/identity/caller.ts';
import type { Call, Tool } from '../../tools/contract/define.ts';
import { isForApps } from '../../tools/contract/registry.ts';
import { productRegistry } from '../../tools/index.ts';
import english from '../../tools/meta/questions.en.json' with { type: 'json' };
import spanish from '../../tools/meta/questions.es.json' with { type: 'json' };
import { toldOf } from './support/read-answer.ts';

type Found = {
  items: { name: string; input_schema?: { properties?: object } }[];
  toolsets?: { name: string; tools: number }[];
};
/** What is asked, in which language, and the tools that are right answers. */
type Question = readonly ['en' | 'es', string, readonly string[]];

const registry = productRegistry();
const tool = registry.find('search_tools') ?? expect.unreachable();
const ANA: Caller = { accountId: 'acc_ana', actor: 'ana', scopes: SCOPES, via: 'api_key' };

// Input and call are what invoke would hand over; of the call, the tool uses only these.
const search = (query: string, limit = 5, call: Partial<Call> = {}): Promise<Found> =>
  tool.run({ query, limit } as never, { caller: ANA, ...call } as Call) as Promise<Found>;
const names = ({ items }: Found) => items.map(({ name }) => name);

function questions(set: string): readonly Question[] {
  const file = new URL(`./search/${set}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { questions: Question[] }).questions;
}

/** The percentage of questions answered by the first hit, and by one of five. */
async function figures(asked: readonly Question[]) {
  const found = await Promise.all(
    asked.map(async ([, query, right]) => names(await search(query)).map((name) => right.includes(name))),
  );
  const share = (of: (hits: boolean[]) => boolean | undefined) =>
    Math.round((found.filter(of).length / found.length) * 100);
  return { first: share(([hit]) => hit), amongFive: share((hits) => hits.includes(true)) };
}

describe.each(['blind', 'held-out', 'held-out-2', 'development'])('the %s questions', (set) => {
  test.each(['en', 'es'])('in %s are answered by the first hit, or by one of five', async (language) => {
    const asked = questions(set).filter(([one]) => one === language);
    const { first, amongFive } = await figures(asked);
    console.info(
      `${set} ${language}: ${asked.length} questions, ${first} % first, ${amongFive} % among five`,
    );
    expect(asked.length).toBeGreaterThanOrEqual(100);
    expect(first).toBeGreaterThanOrEqual(75);
    expect(amongFive).toBeGreaterThanOrEqual(95);
  });

  test('name tools that exist', () => {
    const unknown = questions(set).flatMap(([, , right]) => right.filter((name) => !registry.find(name)));
    expect(unknown).toEqual([]);
  });
});

// In a shop owner's words, without those of the tools, so harder than the others. Floors are below what each gives now.
describe.each([
  ['owners-held-out', 68, 90],
  ['owners-learned', 65, 90],
  ['owners-fresh', 70, 88],
  ['owners-fresh-2', 70, 90],
])('the %s questions', (set, leastFirst, leastAmongFive) => {
  test.each(['en', 'es'])('in %s are found as well as when they were written', async (language) => {
    const asked = questions(set).filter(([one]) => one === language);
    const { first, amongFive } = await figures(asked);
    console.info(
      `${set} ${language}: ${asked.length} questions, ${first} % first, ${amongFive} % among five`,
    );
    expect(asked.length).toBeGreaterThanOrEqual(20);
    expect(first).toBeGreaterThanOrEqual(leastFirst);
    expect(amongFive).toBeGreaterThanOrEqual(leastAmongFive);
  });

  test('name tools that exist', () => {
    const unknown = questions(set).flatMap(([, , right]) => right.filter((name) => !registry.find(name)));
    expect(unknown).toEqual([]);
  });
});

const SETS = [
  'blind',
  'development',
  'held-out',
  'held-out-2',
  'owners-held-out',
  'owners-learned',
  'owners-fresh',
  'owners-fresh-2',
];

test('no question is in two sets', () => {
  const asked = SETS.flatMap(questions).map(([, query]) => query);
  expect(asked.filter((query, at) => asked.indexOf(query) !== at)).toEqual([]);
});

test('no answer takes more than 500 tokens, as text or as data', async () => {
  const asked = ['held-out', 'held-out-2', 'development'].flatMap(questions);
  const sizes = asked.flatMap(([, query]) =>
    [1, 5, 20].map(async (limit) => {
      const found = await search(query, limit);
      return Math.max(countTokens(JSON.stringify(found)), countTokens(toldOf(tool, found)));
    }),
  );
  expect(Math.max(...(await Promise.all(sizes)))).toBeLessThanOrEqual(500);
});

const EXAMPLES = [
  ['English', 'questions.en.json', english],
  ['Spanish', 'questions.es.json', spanish],
] as const;

test.each(EXAMPLES)(
  'no question of a set is one of the examples in %s that the search compares with',
  (_, __, examples) => {
    const asked = new Set(SETS.flatMap(questions).map(([, query]) => query.toLowerCase()));
    const learned = Object.values(examples)
      .flat()
      .filter((example) => asked.has(example.toLowerCase()));
    expect(learned).toEqual([]);
  },
);

test.each(EXAMPLES)(
  'the examples in %s are of tools that exist, and none stands twice',
  (_, __, examples) => {
    expect(Object.keys(examples).filter((name) => !registry.find(name))).toEqual([]);
    const all = Object.values(examples).flat();
    expect(all.filter((example, at) => all.indexOf(example) !== at)).toEqual([]);
  },
);

const operations = registry.tools.filter(
  (tool) => tool.toolset !== 'meta' && tool.mcp !== false && !isForApps(tool),
);

test.each([...operations])(
  '$name has keywords and ten examples of what people ask in both languages',
  ({ name, keywords }) => {
    expect(keywords?.en.length).toBeGreaterThan(0);
    expect(keywords?.es.length).toBeGreaterThan(0);
    for (const [, file, examples] of EXAMPLES) {
      const all: Readonly<Record<string, readonly string[]>> = examples;
      expect(
        all[name]?.length,
        `Write ten questions for ${name} in tools/meta/${file}.`,
      ).toBeGreaterThanOrEqual(10);
    }
  },
);

describe('search_tools', () => {
  test('tells each hit in one line, and the arguments of the first two', async () => {
    const { items } = await search('rollback sync', 3);
    expect(items[0]).toMatchObject({
      name: 'revert_sync_run',
      description: 'Undo the changes a sync run applied, as a new run',
      effect: 'external',
      input_schema: { type: 'object', required: ['run_id'] },
    });
    expect(items.map((item) => 'input_schema' in item)).toEqual([true, true, false]);
  });

  test('shortens arguments that do not fit, and tells them whole to who sends the name alone', async () => {
    const { items } = await search('sincronizar automáticamente cada hora', 2);
    const [found] = items;
    expect(found?.name).toBe('create_sync_config');
    expect(found?.input_schema?.properties).toMatchObject({ mappings: { type: 'array' } });
    expect(JSON.stringify(found?.input_schema)).not.toContain('description');
    const whole = await search('create_sync_config');
    expect(names(whole)).toEqual(['create_sync_config']);
    expect(JSON.stringify(whole.items[0]?.input_schema)).toContain('description');
  });

  test('finding nothing says what there is', async () => {
    const found = await search('zebra');
    expect(found.items).toEqual([]);
    expect(found.toolsets?.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'templates',
        'videos',
        'hooks',
        'sync',
        'account',
        'billing',
        'jobs',
        'webhooks',
      ]),
    );
    expect(toldOf(tool, found)).toMatch(
      /^No matching tools\. Try other words\. There are tools for templates \(\d+ tools\), assets/,
    );
  });

  test('finds nothing that the conversation may not use, and counts none of it', async () => {
    const reading = { reaches: (one: Tool) => one.effect === 'read' };
    expect(names(await search('undelete', 20, reading))).not.toContain('restore_template');
    expect(names(await search('restore_template', 20, reading))).not.toContain('restore_template');
    const { toolsets } = await search('zebra', 5, { caller: { ...ANA, scopes: ['videos:read'] } });
    expect(toolsets?.find(({ name }) => name === 'templates')).toBeUndefined();
  });
});
