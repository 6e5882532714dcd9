import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../../src/identity/caller.ts';
import { findPage } from '../../../src/videos/video-repo.ts';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../../support/app.ts';
import { faultOf } from '../composition/filler.ts';

let app: TestApp;
let caller: Caller;
let call: Tools;
beforeAll(async () => {
  app = await openTestApp();
  caller = await newBareCaller(app);
  call = useTools(app, caller);
});
afterAll(() => app.close());

type Content = Record<string, unknown>;

async function partial(name: string, html: string, more: Content = {}): Promise<void> {
  await call('create_template', { name, kind: 'partial', html, ...more });
}

/** The next version of a partial, as production shows it. */
async function changePartial(name: string, html: string): Promise<void> {
  await call('update_template', { template: name, html });
  await call('promote_template', { template: name, to: 'staging' });
  await call('promote_template', { template: name, to: 'production' });
}

function save(template: string, inner: string, manifest: Content = {}): Promise<Content> {
  const html = `<style>b { animation: go 1s } @keyframes go { to { opacity: 0 } }</style><main id="stage">${inner}</main>`;
  return call('save_video_template', { template, html, manifest: { title: 'Card', ...manifest } });
}

/** What a new video shows in its stage, and the warnings it came with. */
async function film(template: string, data: Content = {}) {
  const video = await call('create_video', { title: 'Mug', duration: 1, template, data });
  const page = await findPage(app.database.sql, caller.accountId, String(video['id']));
  return { stage: stageOf(page?.html), warnings: video['warnings'], id: String(video['id']) };
}

function stageOf(html = ''): string | undefined {
  return /<main id="stage">(.*)<\/main>/s.exec(html)?.[1];
}

test('a template includes partials of the account, with their own partials, values, content and loops', async () => {
  await partial('coin', '<i>{{currency amount "EUR"}}</i>');
  await partial('price', '<b>{{label}} {{> coin}}</b>');
  await partial('frame', '<u>{{> @partial-block}}</u>');
  await save(
    'shelf',
    '{{#each items}}{{> price label="only"}}{{/each}}{{> coin amount=3}}{{#> frame}}{{title}}{{/frame}}{{#> none}}else{{/none}}',
  );
  expect((await film('shelf', { items: [{ amount: 1 }, { amount: 2 }] })).stage).toBe(
    '<b>only <i>€1.00</i></b><b>only <i>€2.00</i></b><i>€3.00</i><u>Mug</u>else',
  );
});

test('what a partial reads is used, its schema fills in what is lacking, and its CSS comes along', async () => {
  await partial('badge', '<b class="badge">{{shop}} {{discount}}</b>', {
    css: '.badge { color: red }',
    schema: { type: 'object', properties: { discount: { type: 'number', default: 10 } } },
  });
  await save('sale', '{{> badge}}');
  const { stage, warnings, id } = await film('sale', { shop: 'Mugs', shpo: 'x' });
  expect(stage).toBe('<b class="badge">Mugs 10</b>');
  expect(warnings).toMatchObject([{ code: 'unknown_field', message: expect.stringContaining("'shop'") }]);
  const page = await findPage(app.database.sql, caller.accountId, id);
  expect(page?.html).toContain('.badge { color: red }');
});

test('the brand is printed as in emails', async () => {
  await call('save_brand', { name: 'Mugs & Co', colors: { primary: '#112233' } });
  await partial('maker', '<b style="color: {{@brand.colors.primary}}">{{@brand.name}}</b>');
  await save('made', '{{> maker}}');
  expect((await film('made')).stage).toBe('<b style="color: #112233">Mugs &amp; Co</b>');
});

test('a font of the brand that is a file is loaded where a page prints its name', async () => {
  const page = '<main id="stage" style="font-family: {{@brand.fonts.heading}}">{{title}}</main>';
  await call('save_brand', { brand: 'default', fonts: { heading: 'asset:fonts/shop.woff2' } });
  const manifest = { title: 'Set' };
  await call('save_video_template', { template: 'typeset', html: page, manifest });
  const { id } = await film('typeset');
  const filled = await findPage(app.database.sql, caller.accountId, id);
  expect(filled?.html).toMatch(
    /@font-face\{font-family:"brand-heading";src:url\("asset:fonts\/shop.woff2"\)/,
  );
  expect(filled?.html).toContain('style="font-family: brand-heading"');
});

test('CSS of a partial stays behind the doctype of a page without a head', async () => {
  await partial('styled', '<b>a</b>', { css: 'b { color: red }' });
  const html = '<!doctype html><main id="stage">{{> styled}}</main>';
  await call('save_video_template', { template: 'headless', html, manifest: { title: 'Headless' } });
  const { id } = await film('headless');
  const page = await findPage(app.database.sql, caller.accountId, id);
  expect(page?.html.replaceAll(/:root\{[^}]*\}|\n/g, '')).toBe(
    '<!doctype html><style></style><style>b { color: red }</style><main id="stage"><b>a</b></main>',
  );
});

test('a video keeps the partials it was made with; a new one takes what production shows, or else the newest', async () => {
  await partial('line', 'one');
  await save('card', '{{> line}}');
  const { id } = await film('card');
  await call('update_template', { template: 'line', html: 'two' });
  expect((await film('card')).stage).toBe('one');
  await changePartial('line', 'three');
  expect((await film('card')).stage).toBe('three');
  await call('cancel_video', { video_id: id });
  await call('retry_video', { video_id: id });
  expect(stageOf((await findPage(app.database.sql, caller.accountId, id))?.html)).toBe('one');
  await call('create_template', { name: 'draft', kind: 'partial', html: 'first', environments: [] });
  await save('unpromoted', '{{> draft}}');
  await call('update_template', { template: 'draft', html: 'second' });
  expect((await film('unpromoted')).stage).toBe('second');
});

test('the preview of unsaved HTML includes them too', async () => {
  await partial('shown', 'preview of {{title}}');
  const { html } = await app.videos.preview(
    caller.accountId,
    { name: 'unsaved', html: '<main id="stage">{{> shown}}</main>', data: { title: 'Tea' } },
    {
      addresses: { engineUrl: 'https://here.test/engine', fontsUrl: 'https://here.test/fonts' },
      say: String,
      signal: AbortSignal.timeout(30_000),
    },
  );
  expect(stageOf(html)).toBe('preview of Tea');
});

describe('what is wrong is told when the template is saved', () => {
  const missing =
    "The template uses the partial 'pricetagg', which was not found. Did you mean 'pricetag'? Fix the name, or create it first.";

  test('a partial that is not there, with the name that was probably meant', async () => {
    await partial('pricetag', 'x');
    expect(await faultOf(save('wrong', '{{> pricetagg}}'))).toEqual({
      code: 'template_invalid',
      status: 422,
      detail: missing,
      errors: [{ loc: ['body', 'html'], msg: missing, type: 'template_invalid.missing_part_close' }],
    });
  });

  test('a partial of another account, and an email or a layout of this one, are not there', async () => {
    const other = useTools(app, await newBareCaller(app, 'other'));
    await other('create_template', { name: 'secretive', kind: 'partial', html: 'x' });
    await call('create_template', { name: 'an-email', html: 'x' });
    await call('create_template', { name: 'a-layout', kind: 'layout', html: '{{> @partial-block}}' });
    for (const name of ['secretive', 'an-email', 'a-layout'])
      expect(await faultOf(save('wrong', `{{> ${name}}}`))).toMatchObject({
        status: 422,
        errors: [{ type: 'template_invalid.missing_part' }],
      });
  });

  test('a partial within itself, and one that repeats too much', async () => {
    await partial('loop', 'x');
    await changePartial('loop', 'x{{> loop}}');
    expect(await faultOf(save('wrong', '{{> loop}}'))).toMatchObject({
      code: 'render_limit',
      detail: 'Partials are nested more than 16 levels deep. Check whether a partial includes itself.',
    });
    await partial('many', '{{#each items}}{{#each @root.items}}.{{/each}}{{/each}}');
    const items = Array.from({ length: 700 }, (_, at) => at);
    expect(await faultOf(save('wrong', '{{> many}}', { sample: { items } }))).toMatchObject({
      code: 'render_limit',
      errors: [],
    });
  });

  test('content of a partial that videos can not have', async () => {
    await partial('framed', '<p>a</p>\n<iframe src="https://a.example/"></iframe>');
    const detail =
      "The <iframe> in partial 'framed' (line 2, column 1) can't be part of a video. Remove it from the partial, or leave the partial out.";
    expect(await faultOf(save('wrong', '{{> framed}}'))).toMatchObject({
      code: 'template_invalid',
      detail,
      errors: [{ loc: ['body', 'html'], msg: detail }],
    });
    await partial('scripted', '<script>1</script>');
    expect(await faultOf(save('wrong', '{{> scripted}}'))).toMatchObject({
      detail: expect.stringContaining("The <script> in partial 'scripted' (line 1, column 1)"),
    });
    expect(await save('scripted-card', '{{> scripted}}', { scripts: true })).toMatchObject({ created: true });
  });

  test('what makes videos slow in a partial, and nothing of movement that a partial brings', async () => {
    await partial(
      'slow',
      '<canvas></canvas><i style="animation: spin 1s infinite"></i><img src="https://a.example/a.png">',
    );
    const html = '<main id="stage">{{> slow}}</main>';
    const manifest = { title: 'Slow' };
    const { warnings } = await call('save_video_template', { template: 'slow-card', html, manifest });
    expect(warnings).toEqual([
      {
        code: 'video_canvas',
        message:
          "A <canvas> in partial 'slow' is recorded with screenshots, which is slower. Use SVG or CSS where possible.",
      },
      {
        code: 'video_endless_animation',
        message:
          "An animation in partial 'slow' runs until the video ends, so every frame must be rendered. Set a number of iterations if it can stop.",
      },
      { code: 'video_remote_address', message: expect.stringContaining('https://a.example/a.png') },
    ]);
  });
});

test('a partial that a video template includes is not deleted', async () => {
  await partial('kept', 'x');
  await save('keeper', '{{~#> "kept" }}{{/kept}}');
  await save('keeper-too', '{{>kept a=1}}');
  await save('no-keeper', '<p>kept {{kept}}</p>');
  // `uses` lists only emails, as the tool's description says.
  expect(await call('list_templates', { uses: 'kept' })).toMatchObject({ items: [] });
  const refused = await faultOf(call('delete_template', { template: 'kept' }));
  expect(refused).toMatchObject({
    code: 'conflict',
    detail: "These video templates use 'kept': keeper, keeper-too. Update them first.",
  });
  for (const template of ['keeper', 'keeper-too']) await call('delete_video_template', { template });
  expect(await call('delete_template', { template: 'kept' })).toEqual({ deleted: true });
});

test.each([
  ['commented', '{{!-- {{> commented}} --}}<p>{{title}}</p>{{!-- again --}}'],
  ['commented-tight', '{{~!--{{#> commented-tight}}{{/commented-tight}}--~}}'],
  ['commented-short', '{{! > commented-short}}{{!> commented-short }}'],
])('a partial that is only in comments of a video template is deleted: %s', async (name, html) => {
  await partial(name, 'x');
  await save(`with-${name}`, html);
  expect(await call('delete_template', { template: name })).toEqual({ deleted: true });
});

test.each([
  ['between', '{{!-- one --}}{{> between}}{{!-- two --}}'],
  ['between-short', '{{! one }}{{> between-short}}{{! two }}'],
  ['between-mixed', '{{!--}}{{> between-mixed}}{{! two --}}'],
])('a partial beside comments is kept: %s', async (name, html) => {
  await partial(name, 'x');
  await save(`with-${name}`, html);
  expect(await faultOf(call('delete_template', { template: name }))).toMatchObject({ code: 'conflict' });
});

test('a rollback to a version whose partial is gone is refused', async () => {
  await partial('old-line', 'x');
  await save('rolled', '{{> old-line}}');
  await save('rolled', 'y');
  await call('delete_template', { template: 'old-line' });
  expect(await faultOf(call('rollback_video_template', { template: 'rolled' }))).toMatchObject({
    code: 'template_invalid',
    status: 422,
  });
});
