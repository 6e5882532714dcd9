import { afterAll, expect, test } from 'vitest';
import { localizeWarning, plainReader } from '../../../src/language.ts';
import { createTemplateCheck, lintTemplate } from '../../../src/videos/templates/check-template.ts';
import type { Manifest } from '../../../src/videos/templates/video-template.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { faultOf, openFiller, templateOf } from '../composition/filler.ts';

const { fill, reader, close } = openFiller();
afterAll(close);

const check = createTemplateCheck({ fill, reader });

const STAGE = '<main id="stage" data-scene>';

test.each<[string, string, Partial<Manifest>, Record<string, unknown>]>([
  [
    'html that does not parse',
    '<main id="stage">\n{{#if a}}',
    {},
    { code: 'template_invalid', errors: [{ loc: ['body', 'html'], line: 2 }] },
  ],
  [
    'an element that is refused, by the line its author sees',
    '{{#each items}}\n{{this}}\n{{/each}}<main id="stage"><embed>',
    { sample: { items: ['a', 'b', 'c'] } },
    {
      code: 'template_invalid',
      errors: [{ loc: ['body', 'html'], type: 'template_invalid.video_element', line: 3, col: 27 }],
    },
  ],
  [
    'an element that is refused, though the sample does not show it',
    `${STAGE}{{#if never}}<iframe></iframe>{{/if}}`,
    {},
    { code: 'template_invalid', errors: [{ type: 'template_invalid.video_element' }] },
  ],
  [
    'no stage',
    '<p>a</p>',
    {},
    { code: 'template_invalid', errors: [{ loc: ['body', 'html'], type: 'template_invalid.stage_missing' }] },
  ],
  [
    'a sample that its schema refuses',
    STAGE,
    { schema: { properties: { n: { type: 'number' } } }, sample: { n: 'one' } },
    {
      code: 'validation_failed',
      errors: [{ loc: ['body', 'manifest', 'sample', 'n'], msg: 'must be a number' }],
    },
  ],
  [
    'a schema with a pattern',
    STAGE,
    { schema: { properties: { n: { pattern: 'a' } } } },
    {
      code: 'template_invalid',
      errors: [{ loc: ['body', 'manifest', 'schema', 'properties', 'n', 'pattern'] }],
    },
  ],
  [
    'a schema that is no object',
    STAGE,
    { schema: { type: 'string' } },
    { code: 'template_invalid', errors: [{ loc: ['body', 'manifest', 'schema'] }] },
  ],
])('is refused: %s', async (_what, html, manifest, fault) => {
  expect(await faultOf(check(templateOf(html, manifest)))).toMatchObject({ status: 422, ...fault });
});

test('a template in which nothing is amiss has no warnings', async () => {
  const html = `<!-- infinite, https://a.example/ --><style>@keyframes a { to { opacity: 0 } } #stage { animation: a 1s }</style><main id="stage"><a href="https://a.example/">a</a><img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"></main>`;
  expect(await check(templateOf(html))).toEqual([]);
});

test.each<[string, string, Partial<Manifest>, object[]]>([
  [
    'nothing moves',
    '<main id="stage">',
    {},
    [
      {
        code: 'video_no_animation',
        message:
          'Nothing in the template moves, so the video is a still image. Add data-scene, data-split or a CSS animation.',
      },
    ],
  ],
  [
    'an animation without end',
    '<style>\n#stage { animation: spin 1s linear infinite; }</style><main id="stage">',
    {},
    [
      {
        code: 'video_endless_animation',
        message:
          'This animation runs until the video ends, so every frame must be rendered. Set a number of iterations if it can stop.',
        line: 2,
        col: 10,
      },
    ],
  ],
  [
    'an endless animation of SVG, on a canvas page',
    `${STAGE}<svg><animate repeatCount="indefinite"/></svg>\n<canvas></canvas>`,
    {},
    [
      { code: 'video_endless_animation', message: expect.any(String), line: 1, col: 43 },
      {
        code: 'video_canvas',
        message: 'A <canvas> is recorded with screenshots, which is slower. Use SVG or CSS where possible.',
        line: 2,
        col: 1,
      },
    ],
  ],
  [
    'what is loaded from elsewhere',
    `${STAGE}\n<img src="https://a.example/a.png"><p style="background: url('https://b.example/b.png')">`,
    {},
    [
      {
        code: 'video_remote_address',
        message:
          'https://a.example/a.png is loaded for every video, so the video fails if that server does. Use a data: URL to avoid this.',
        line: 2,
        col: 6,
      },
      {
        code: 'video_remote_address',
        message: expect.stringContaining('https://b.example/b.png'),
        line: 2,
        col: 58,
      },
    ],
  ],
  [
    'scripts',
    '<main id="stage"><script>video.onFrame(() => {})</script>',
    { scripts: true },
    [
      {
        code: 'video_scripts',
        message:
          'With scripts, every frame must be rendered, which takes several times as long. Use CSS animations instead where possible.',
      },
    ],
  ],
])('is warned of: %s', async (_what, html, manifest, warnings) => {
  expect(
    (await check(templateOf(html, manifest))).map((one) => localizeWarning(one, plainReader('en'))),
  ).toEqual(warnings);
});

test.each([
  '{{',
  '{{!--',
  '<!--',
  '/*',
  'animation:',
  'url( ',
  'src=',
  '<a ',
  '{{a}}',
  '<!---->',
  'animation:infinite;',
])('a megabyte of %s is linted within seconds of processor time', (piece) => {
  const template = templateOf(piece.repeat(1_000_000 / piece.length));
  const cpu = cpuMs(() => expect(lintTemplate(template, { canvases: [] }).length).toBeLessThanOrEqual(11));
  expect(cpu).toBeLessThan(3_000);
});
