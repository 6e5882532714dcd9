type Post = (method: 'POST' | 'PATCH', path: string, body: object) => Promise<unknown>;

const numbers = Array.from({ length: 200 }, (_, index) => index);

/** Renders that would not end soon: name, html, data. The partials they use are those of `createHostilePartials`. */
export const HOSTILE_RENDERS: [string, string, Record<string, unknown>][] = [
  [
    'three loops of 200 in each other',
    '{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}',
    { a: numbers },
  ],
  [
    'three sections of 200 in each other',
    '{{#a}}{{#../a}}{{#../../a}}x{{/../../a}}{{/../a}}{{/a}}',
    { a: numbers },
  ],
  ['2^22 partials', '{{> p0}}', {}],
  [
    '2^22 inline partials',
    `${Array.from({ length: 12 }, (_, i) => `{{#*inline "i${i}"}}${`{{> i${i + 1}}}`.repeat(4)}{{/inline}}`).join('')}{{#*inline "i12"}}x{{/inline}}{{> i0}}`,
    {},
  ],
  ['3,000 values of a megabyte to escape', '{{b}}'.repeat(3_000), { b: '<'.repeat(1_000_000) }],
  ['200 values of a megabyte', '{{#each a}}{{../b}}{{/each}}', { a: numbers, b: 'y'.repeat(1_000_000) }],
  ['a partial that holds itself', '{{> self}}', {}],
];

/** Sources that would not compile soon: name, html. */
export const HOSTILE_SOURCES: [string, string][] = [
  ['28,000 mustaches', '{{abcde}}'.repeat(28_000)],
  ['4,000 blocks in each other', '{{#if a}}'.repeat(4_000) + '{{/if}}'.repeat(4_000)],
  ['a path of 100,000 segments', `{{${'a.'.repeat(100_000)}a}}`],
];

/** Partials that multiply by four 14 levels deep, and one that uses itself: each is written before what names it. */
export async function createHostilePartials(send: Post): Promise<void> {
  const create = (name: string, html: string) =>
    send('POST', '/v1/templates', { name, html, kind: 'partial' });
  await create('p14', 'x');
  for (let level = 13; level >= 0; level--) await create(`p${level}`, `{{> p${level + 1}}}`.repeat(4));
  await create('self', 'x');
  await send('PATCH', '/v1/templates/self', { html: 'x{{> self}}{{> self}}' });
}
