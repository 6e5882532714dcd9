import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { afterAll, expect, test } from 'vitest';
import { type Composition, createEngine, type Program } from '../../src/templates/engine/engine.ts';
import { prepareData } from '../../src/templates/engine/render/data.ts';
import { type Data, Document, FixtureName, Metadata, TemplateName } from '../../src/templates/schema.ts';
import { readStarters, type Starter } from '../../src/templates/starters/starters.ts';

// Gmail cuts a mail at 102,400 bytes; what a shop adds to a starter needs room too.
const LIMIT = 30 * 1024;

const engine = createEngine({ threads: 1, timeLimitFactor: 30 });
afterAll(() => engine.close());

const starters = await readStarters();
const templates = starters.filter(({ kind }) => kind === 'template');
const compositions = await composeAll();

test('An account begins with a footer, a layout and four templates, each after the parts it names', () => {
  expect(starters.map(({ name, kind, document }) => [name, kind, document.layout])).toEqual([
    ['footer', 'partial', undefined],
    ['shop-layout', 'layout', undefined],
    ['welcome', 'template', 'shop-layout'],
    ['receipt', 'template', 'shop-layout'],
    ['password-reset', 'template', 'shop-layout'],
    ['product-launch', 'template', 'shop-layout'],
  ]);
});

test.each(starters)('$name passes the schemas of the service and has a fixture named sample', (starter) => {
  const { name, description, tags, document, fixtures } = starter;
  expect(TemplateName.parse(name)).toBe(name);
  expect(Metadata.parse({ description, tags })).toEqual({ description, tags });
  expect(Document.parse(document)).toEqual(document);
  expect(Object.keys(fixtures).map((fixture) => FixtureName.parse(fixture))).toEqual(['sample']);
});

test.each(templates)('$name has every part of a mail', ({ document }) => {
  const { html, subject, preheader, text, schema, layout } = document;
  const parts = { html, subject, preheader, text, schema, layout };
  expect(Object.entries(parts).filter(([, part]) => !part)).toEqual([]);
});

test.each(starters)('$name declares and describes all it reads', ({ name }) => {
  const unexplained = compositionOf(name).program.variables.filter(({ name: variable, ...about }) => {
    return !about.declared || !(about.description || variable.endsWith('[]'));
  });
  expect(unexplained).toEqual([]);
});

test('A variable that several starters read means the same in all of them', () => {
  const shared = ['shop_name', 'shop_url', 'shop_address', 'support_email', 'currency_code'];
  const variables = [...compositions.values()].flatMap(({ program }) => program.variables);
  for (const name of shared) {
    const meanings = variables.flatMap(({ required: _, ...one }) =>
      one.name === name ? [JSON.stringify(one)] : [],
    );
    expect(new Set(meanings).size, name).toBe(1);
  }
});

test.each(starters)('$name renders its sample, which lacks nothing and has nothing to spare', (starter) => {
  const { missing, unused, warnings } = render(starter.name, sample(starter));
  expect({ missing, unused, warnings }).toEqual({ missing: [], unused: [], warnings: [] });
});

test('welcome renders with a name alone', () => {
  const mail = render('welcome', { name: 'Ana' });
  expect(mail).toMatchObject({ missing: [], unused: [], warnings: [] });
  expect(mail.subject).toBe('Welcome to Example Shop, Ana');
  expect(mail.preheader).toBe('Your account is ready. Here are three good ways to begin.');
  expect(mail.text).toBe(`Welcome, Ana

Your account at Example Shop is ready. Checking out now takes a minute, and your orders are easy to find.

Start shopping: https://example.com

Three good ways to begin

1. Look around
   See what is new, and what other customers come back for.

2. Save your details
   Add an address once and the next order takes two taps.

3. Tell us what you need
   Looking for something? Ask, and we will point you to it.

Write to hello@example.com any time. We are glad to help.

The Example Shop team

--
You get this email because you opened an account with us.

Example Shop, 1 Market Street, Your Town
https://example.com

Unsubscribe: https://example.com/unsubscribe
`);
});

test('receipt lists every item, says free for shipping that costs nothing, and leaves out amounts that are not given', () => {
  const items = [{ name: 'Tide mug', details: 'Sea green', quantity: 2, unit_price: 24, total: 48 }];
  const order = { name: 'Ana', order_number: 'FC-7', items, shipping: 0, total: 48, currency_code: 'EUR' };
  const mail = render('receipt', order);
  expect(mail).toMatchObject({
    subject: 'Your Example Shop receipt for order FC-7',
    preheader: 'Paid: €48.00. Thank you, Ana.',
  });
  expect(mail.text).toBe(`Thank you, Ana

Your order is confirmed and paid. Here is your receipt.

Order FC-7

* Tide mug, Sea green
  2 x €24.00 = €48.00

Shipping: Free
Total: €48.00

Something not right? Write to hello@example.com with your order number and we will sort it out.

--
You get this email because you placed an order with us. Keep it as your proof of purchase.

Example Shop, 1 Market Street, Your Town
https://example.com
`);
});

test('password-reset names the time left, in the singular too', () => {
  const mail = render('password-reset', { reset_url: 'https://example.com/r/1', expires_in_minutes: 1 });
  expect(mail.preheader).toBe('The link works once and expires in 1 minute.');
  expect(mail.html).toContain('<a href="https://example.com/r/1"');
});

test('product-launch needs only a product, its price and its page', () => {
  const mail = render('product-launch', {
    product_name: 'Tide teapot',
    price: 86,
    product_url: 'https://example.com/tide',
  });
  expect(mail).toMatchObject({
    subject: 'New at Example Shop: Tide teapot',
    preheader: 'Yours for $86.00.',
    missing: [],
    warnings: [],
  });
});

test.each(templates)('$name shows its preheader before anything else in the body', (starter) => {
  const mail = render(starter.name, sample(starter));
  const words = elements(mail.html)
    .find(({ tag }) => tag === 'body')
    ?.text.trim();
  expect(mail.preheader).not.toBe('');
  expect(words?.startsWith(mail.preheader ?? '')).toBe(true);
});

test.each(templates)('$name stays far below the size at which Gmail cuts a mail', (starter) => {
  expect(Buffer.byteLength(render(starter.name, sample(starter)).html)).toBeLessThan(LIMIT);
});

test.each(templates)(
  '$name needs nothing from the network and says what it is to a screen reader',
  (starter) => {
    const mail = render(starter.name, sample(starter));
    const found = elements(mail.html);
    const layoutTables = found.filter(({ tag, text }) => tag === 'table' && !isDataTable(text));
    expect(found.filter(({ tag }) => ['img', 'script', 'iframe', 'link'].includes(tag))).toEqual([]);
    expect(found.find(({ tag }) => tag === 'html')?.attributes.get('lang')).toBe('en');
    expect(found.find(({ tag }) => tag === 'title')?.text).toBe(mail.subject);
    expect(found.filter(({ tag }) => tag === 'h1')).toHaveLength(1);
    expect(new Set(layoutTables.map(({ attributes }) => attributes.get('role')))).toEqual(
      new Set(['presentation']),
    );
  },
);

test.each(templates)('$name lets each text begin at the side of its language', (starter) => {
  const mail = render(starter.name, sample(starter));
  const styles = elements(mail.html).map(({ attributes }) => attributes.get('style') ?? '');
  expect(styles.filter((style) => /text-align:\s*(?:left|right)/.test(style))).toEqual([]);
  const shown = elements(mail.html).filter(
    ({ tag, text }) => /^(?:p|h[1-6])$/.test(tag) && text.trim() !== '',
  );
  expect(shown.length).toBeGreaterThan(2);
  expect(shown.filter(({ attributes }) => attributes.get('dir') !== 'auto').map(({ text }) => text)).toEqual(
    [],
  );
});

test('Pictures that a shop adds carry the name of what they show', () => {
  const picture = { image_url: 'https://example.com/t.jpg', logo_url: 'https://example.com/l.png' };
  const product = { product_name: 'Tide teapot', price: 86, product_url: 'https://example.com/tide' };
  const images = elements(render('product-launch', { ...product, ...picture }).html).filter(
    ({ tag }) => tag === 'img',
  );
  expect(images.map(({ attributes }) => [attributes.get('src'), attributes.get('alt')])).toEqual([
    ['https://example.com/l.png', 'Example Shop'],
    ['https://example.com/t.jpg', 'Tide teapot'],
  ]);
});

test('Mail that people must get offers no way to unsubscribe, and the rest does', () => {
  const offers = templates.filter((starter) =>
    render(starter.name, sample(starter)).text?.includes('Unsubscribe'),
  );
  expect(offers.map(({ name }) => name)).toEqual(['welcome', 'product-launch']);
});

async function composeAll(): Promise<ReadonlyMap<string, Composition>> {
  const programs = new Map<string, Program>();
  const composed = new Map<string, Composition>();
  for (const { name, kind, document } of starters) {
    const { layout, ...fields } = document;
    const program = await engine.prepare({ kind, ...fields, inLayout: layout !== undefined });
    programs.set(name, program);
    const footer = programs.get('footer');
    const partials = new Map(footer && kind !== 'partial' ? [['footer', footer]] : []);
    composed.set(name, {
      program,
      partials,
      layout: layout === undefined ? undefined : programs.get(layout),
    });
  }
  return composed;
}

function compositionOf(name: string): Composition {
  const composition = compositions.get(name);
  if (!composition) throw new Error(`no starter is named ${name}`);
  return composition;
}

function render(name: string, values: Data) {
  const composition = compositionOf(name);
  const { program, layout, partials } = composition;
  const prepared = prepareData(engine.variablesOf(composition), values, 'error');
  const output = engine.render(program, prepared.data, { layout, partials });
  const { missing, unused } = prepared;
  return { ...output, missing, unused, warnings: [...prepared.warnings, ...output.warnings] };
}

function sample({ fixtures }: Starter): Data {
  const { sample: data } = fixtures;
  if (!data) throw new Error('no fixture is named sample');
  return data;
}

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = { tag: string; attributes: ReadonlyMap<string, string>; text: string };

/** Every element in document order, with the text below it. */
function elements(html: string): Element[] {
  return parse(html).childNodes.flatMap(elementsOf);
}

function elementsOf(node: Node): Element[] {
  if (!('tagName' in node)) return [];
  const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]));
  return [{ tag: node.tagName, attributes, text: textOf(node) }, ...node.childNodes.flatMap(elementsOf)];
}

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

// The table of items is data: its header cells must be heard.
function isDataTable(text: string): boolean {
  return /^\s*Item\s*Amount/.test(text);
}
