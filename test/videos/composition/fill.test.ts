import { afterAll, describe, expect, test } from 'vitest';
import type { VideoRequest } from '../../../src/videos/request.ts';
import type { Manifest } from '../../../src/videos/templates/video-template.ts';
import { faultOf, openFiller, requestOf, templateOf } from './filler.ts';

const { fill, close } = openFiller();
afterAll(close);

const STAGE = '<!doctype html><html><head></head><body><main id="stage">{{title}}</main></body></html>';
const VARIABLES = (width: number, height: number, fps: number, seconds: number) =>
  `:root{--w:${width}px;--h:${height}px;--fps:${fps};--duration:${seconds}s}`;

test('a template is filled to a whole page, with its measures as variables of CSS', async () => {
  expect((await fill(templateOf(STAGE), requestOf({ title: 'Tom & Ana' }))).page).toEqual({
    width: 1080,
    height: 1920,
    fps: 30,
    frames: 60,
    html: `<!doctype html><html><head><style>${VARIABLES(1080, 1920, 30, 2)}</style></head><body><main id="stage">Tom &amp; Ana</main></body></html>`,
    scripts: false,
    tracks: [],
    captions: [],
  });
});

test('only the page of a transparent video says so: the others are what they were before there were any', async () => {
  const { page } = await fill(templateOf(STAGE), requestOf({ format: 'webm', transparent: true }));
  expect(page).toMatchObject({ transparent: true });
  expect((await fill(templateOf(STAGE), requestOf({ format: 'webm' }))).page).not.toHaveProperty(
    'transparent',
  );
});

test('the time that a page may take is multiplied by the factor of the server', async () => {
  // Hardly any time at all: a page of forty thousand steps takes longer.
  const hasty = openFiller({ timeLimitFactor: Number.EPSILON });
  const rows = Array.from({ length: 200 }, (_, at) => `row ${at}`);
  const schema = {
    type: 'object',
    properties: { rows: { type: 'array', items: { type: 'string' } } },
  } as const;
  const loop = templateOf(
    '<main id="stage">{{#each rows}}{{#each ../rows}}<p>{{this}}</p>{{/each}}{{/each}}</main>',
    { schema },
  );
  expect(await faultOf(hasty.fill(loop, requestOf({ data: { rows } })))).toMatchObject({
    code: 'render_limit',
    status: 422,
  });
  await hasty.close();
  expect((await fill(loop, requestOf({ data: { rows } }))).page.html).toContain('row 199');
});

test('the shipped fonts that the HTML names are included', async () => {
  const html = `<p id="stage" style="font-family: 'Fraunces Variable'">a</p>`;
  expect((await fill(templateOf(html), requestOf())).page.html).toBe(
    `<style>@font-face { font-family: 'Fraunces Variable'; src: url(fonts/fraunces/b.woff2) } ${VARIABLES(1080, 1920, 30, 2)}</style>${html}`,
  );
});

test.each<[string, Partial<VideoRequest>, Partial<Manifest>, [number, number, number]]>([
  ['nothing', {}, {}, [1080, 1920, 60]],
  ['nothing, of a template without 9:16', {}, { aspects: ['16:9', '1:1'] }, [1920, 1080, 60]],
  ['a gif', { format: 'gif' }, {}, [360, 640, 60]],
  ['an aspect', { aspect: '1:1' }, {}, [1080, 1080, 60]],
  ['an upright card', { aspect: '4:5' }, { aspects: ['4:5'] }, [1080, 1350, 60]],
  ['a size between upright and square', { width: 640, height: 800 }, { aspects: ['1:1'] }, [640, 800, 60]],
  ['a size', { width: 640, height: 360 }, { aspects: ['16:9'] }, [640, 360, 60]],
  ['4K', { width: 3840, height: 2160 }, {}, [3840, 2160, 60]],
  ['4K, upright', { width: 2160, height: 3840 }, {}, [2160, 3840, 60]],
  ['4K, as long as it can be', { width: 3840, height: 2160, duration: 533 }, {}, [3840, 2160, 15_990]],
  [
    'a 4K still of a long video',
    { format: 'png', width: 3840, height: 2160, duration: 600 },
    {},
    [3840, 2160, 18_000],
  ],
  [
    'the longest of smaller videos',
    { width: 1920, height: 1920, duration: 600, fps: 60 },
    {},
    [1920, 1920, 36_000],
  ],
  ['half a frame less', { duration: 0.51, fps: 1 }, {}, [1080, 1920, 1]],
  ['less than one frame', { duration: 0.5, fps: 1, aspect: '9:16' }, {}, [1080, 1920, 1]],
  ['frames that do not fill the time', { duration: 1.01, fps: 25 }, {}, [1080, 1920, 25]],
])('the size and the frames follow from %s', async (_what, request, manifest, [width, height, frames]) => {
  expect((await fill(templateOf(STAGE, manifest), requestOf(request))).page).toMatchObject({
    width,
    height,
    frames,
  });
});

describe('the data', () => {
  const html =
    '<p id="stage">{{title}}|{{brand.name}}|{{brand.color}}|{{#each items}}{{this}},{{/each}}|{{duration}}</p>';
  const defaults = { title: 'never', brand: { name: 'Shop', color: 'red' }, items: ['a', 'b'] };
  const shown = async (data: VideoRequest['data']) =>
    /<p id="stage">(.*)<\/p>/.exec(
      (await fill(templateOf(html, { defaults }), requestOf({ data }))).page.html,
    )?.[1];

  test('overrides the defaults, name by name', async () => {
    expect(await shown({})).toBe('Hello|Shop|red|a,b,|2');
    expect(await shown({ brand: { color: 'blue' }, items: ['c'] })).toBe('Hello|Shop|blue|c,|2');
    expect(await shown({ title: 'Own words', duration: 9, brand: null })).toBe('Own words|||a,b,|2');
  });

  test('sets the number format with locale', async () => {
    const price = '<p id="stage">{{formatNumber n}}</p>';
    expect(
      (await fill(templateOf(price), requestOf({ data: { n: 1234567.5, locale: 'de' } }))).page.html,
    ).toContain('>1.234.567,5<');
  });
});

test.each<[string, string, string, string]>([
  [
    'an address that may not stand there',
    '<p id="stage"><img src="{{brand.logo}}">',
    'data:audio/mpeg;base64,AA',
    'The URL in brand.logo is not allowed where the template uses it. Send an HTTPS URL. To send a sound as a data: URL, use the audio field.',
  ],
  [
    'html that is too long',
    '<p id="stage"></p>{{{brand.logo}}}',
    'a'.repeat(100_001),
    'The HTML in brand.logo exceeds 100000 characters. Shorten it.',
  ],
])('%s is not left out in silence', async (_what, html, logo, detail) => {
  const field = { properties: { brand: { properties: { logo: { type: 'string', format: 'html' } } } } };
  const template = templateOf(html, html.includes('img') ? {} : { schema: field });
  expect(await faultOf(fill(template, requestOf({ data: { brand: { logo } } })))).toMatchObject({
    status: 422,
    detail,
    errors: [{ loc: ['body', 'data', 'brand', 'logo'], msg: detail }],
  });
});

describe('sounds', () => {
  test('are those of the page, then those of the request; nothing in the page plays', async () => {
    const html =
      '<p id="stage"><audio src="https://a.example/voice.mp3" controls data-start="0.5" data-volume="0.8" data-fade-out="1"></audio>' +
      '<audio loop data-duck><source src="https://a.example/music.mp3">No sound here</audio><audio src=""></audio></p>';
    const asked = requestOf({
      audio: [
        {
          src: 'data:audio/mpeg;base64,AA',
          start: 1,
          volume: 1,
          fade_in: 0,
          fade_out: 0,
          loop: false,
          duck: false,
        },
      ],
    });
    const { page } = await fill(templateOf(html), asked);
    const plain = { start: 0, volume: 1, fadeIn: 0, fadeOut: 0, loop: false, duck: false };
    expect(page.tracks).toEqual([
      { ...plain, source: 'https://a.example/voice.mp3', start: 0.5, volume: 0.8, fadeOut: 1 },
      { ...plain, source: 'https://a.example/music.mp3', loop: true, duck: true },
      { ...plain, source: 'data:audio/mpeg;base64,AA', start: 1 },
    ]);
    expect(page.html).not.toMatch(/example|controls|<source/);
  });
});

test('navigation, preloads and loading policies are removed', async () => {
  const html = `<html><head><base href="https://a.example/"><meta http-equiv="refresh" content="0;url=https://b.example/"><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><meta charset="utf-8"><link rel="preload" href="https://c.example/"><link rel="alternate stylesheet" href="https://d.example/"></head><body id="stage"></body></html>`;
  expect((await fill(templateOf(html), requestOf())).page.html).toBe(
    `<html><head><style>${VARIABLES(1080, 1920, 30, 2)}</style><meta charset="utf-8"></head><body id="stage"></body></html>`,
  );
});

test('captions are a list, or the text of a file', async () => {
  const cues = [{ start: 0.5, end: 1, text: 'Hi' }];
  const srt = '1\n00:00:00,500 --> 00:00:01,000\nHi\n';
  for (const captions of [cues, srt])
    expect((await fill(templateOf(STAGE), requestOf({ captions }))).page.captions).toEqual(cues);
});

describe('an invalid request is a 422 that names the field', () => {
  test.each<[string, Partial<VideoRequest>, Partial<Manifest>, (string | number)[], string, string]>([
    [
      'two sizes',
      { aspect: '1:1', width: 100 },
      {},
      ['aspect'],
      'aspect was sent together with width and height. Send aspect, or width and height.',
      'Enviaste aspect junto con width y height. Envía aspect, o bien width y height.',
    ],
    [
      'half a size',
      { width: 100 },
      {},
      ['height'],
      'width and height go together. Send both or neither.',
      'width y height van juntos. Envía ambos o ninguno.',
    ],
    [
      'an aspect the template has not',
      { aspect: '16:9' },
      { aspects: ['9:16', '1:1'] },
      ['aspect'],
      "Template 'card' does not support 16:9. Valid values: 9:16, 1:1.",
      'La plantilla «card» no admite 16:9. Valores válidos: 9:16, 1:1.',
    ],
    [
      'a size of such an aspect',
      { width: 640, height: 360 },
      { aspects: ['1:1'] },
      ['width'],
      "Template 'card' does not support 16:9. Valid values: 1:1.",
      'La plantilla «card» no admite 16:9. Valores válidos: 1:1.',
    ],
    [
      'a large gif',
      { format: 'gif', width: 640, height: 722 },
      {},
      ['height'],
      'No side of a GIF can exceed 720 px. Make it smaller, or choose format mp4.',
      'Ningún lado de un GIF puede superar los 720 px. Redúcelo o elige el formato mp4.',
    ],
    [
      'a long gif',
      { format: 'gif', duration: 30.5 },
      {},
      ['duration'],
      'A GIF can last at most 30 s. Shorten it, or choose format mp4.',
      'Un GIF puede durar como máximo 30 s. Acórtalo o elige el formato mp4.',
    ],
    [
      'a transparent video of another format',
      { transparent: true },
      {},
      ['transparent'],
      'Only a WebM can be transparent. Set format to webm, or leave out transparent.',
      'Solo un WebM puede ser transparente. Pon webm en format o quita transparent.',
    ],
    [
      'more pixels than 4K',
      { width: 3840, height: 2162 },
      {},
      ['height'],
      'This frame is too large: beside its longer side, the shorter one can have at most 2160 px. Frames can have as many pixels as 3840 × 2160.',
      'Este fotograma es demasiado grande: junto a su lado más largo, el más corto puede tener como máximo 2160 px. Un fotograma puede tener tantos píxeles como 3840 × 2160.',
    ],
    [
      'a length that 4K cannot have',
      { width: 3840, height: 2160, duration: 267, fps: 59.94 },
      {},
      ['duration'],
      'At 3840 × 2160 and 59.94 fps, a video can last at most 266 s. Shorten it, or lower its size or fps.',
      'Con 3840 × 2160 y 59.94 fps, un video puede durar como máximo 266 s. Acórtalo, o baja su tamaño o fps.',
    ],
    [
      'a poster after the end',
      { poster_at: 2 },
      {},
      ['poster_at'],
      'poster_at is after the end of the video. Send a time before 2 s.',
      'poster_at está después del final del video. Envía un momento anterior a 2 s.',
    ],
    [
      'a caption that ends before it begins',
      {
        captions: [
          { start: 0, end: 1, text: 'a' },
          { start: 1, end: 1, text: 'b' },
        ],
      },
      {},
      ['captions', 1, 'end'],
      'This caption ends before it starts. Send an end after its start.',
      'Este subtítulo termina antes de empezar. Envía un end posterior a start.',
    ],
  ])('%s', async (_what, request, manifest, path, english, spanish) => {
    const asked = () => fill(templateOf(STAGE, manifest), requestOf(request));
    expect(await faultOf(asked())).toEqual({
      code: 'validation_failed',
      status: 422,
      detail: english,
      errors: [{ loc: ['body', ...path], msg: english, type: expect.stringMatching(/^validation_failed\./) }],
    });
    expect(await faultOf(asked(), 'es')).toMatchObject({ detail: spanish });
  });
});

test('a partial that the page defines itself is used', async () => {
  const html = '{{#*inline "line"}}<b>{{title}}</b>{{/inline}}<p id="stage">{{> line}}</p>';
  const { page } = await fill(templateOf(html), requestOf({ title: 'Mug' }));
  expect(page.html).toContain('<p id="stage"><b>Mug</b></p>');
});

describe('a page that cannot be a video is a 422', () => {
  test.each<[string, string, Partial<Manifest>, string]>([
    [
      'no stage',
      '<p>a</p>',
      {},
      'The template has 0 elements with id="stage". It needs exactly one: the video shows what is inside it.',
    ],
    [
      'two stages',
      '<p id=stage>a<p id=stage>b',
      {},
      'The template has 2 elements with id="stage". It needs exactly one: the video shows what is inside it.',
    ],
    ...['iframe', 'object', 'embed'].map((tag): [string, string, Partial<Manifest>, string] => [
      `<${tag}>`,
      `<p id=stage>\n <${tag}></${tag}>`,
      { scripts: true },
      `A video template can't contain <${tag}> (line 2, column 2). Use images, text and CSS, and <audio> for sound.`,
    ]),
    [
      'a frame within a template',
      '<p id=stage><template><iframe></iframe></template>',
      {},
      "A video template can't contain <iframe> (line 1, column 23). Use images, text and CSS, and <audio> for sound.",
    ],
    [
      'a script',
      '<p id=stage><script>1</script>',
      {},
      'The script at line 1, column 13 would not run. Set scripts to true in the manifest, or remove it.',
    ],
    [
      'a script from elsewhere',
      '<p id=stage><script src="https://a.example/a.js"></script>',
      { scripts: true },
      "The script at line 1, column 13 has a src attribute, which videos don't load. Write the code inside the element.",
    ],
    [
      'an import',
      '<p id=stage><style>@\\69mport "https://a.example/a.css";</style>',
      {},
      'The style sheet at line 1, column 13 imports another one, which videos don\'t load. Use <link rel="stylesheet">, or put its rules here.',
    ],
    [
      'a sound at no time',
      '<p id=stage><audio src="a.mp3" data-start="soon"></audio>',
      {},
      "'soon' is not a valid data-start for the <audio> at line 1, column 13. Times are seconds from 0; the volume is 0 to 4.",
    ],
    [
      'a sound too loud',
      '<p id=stage><audio src="a.mp3" data-volume="11"></audio>',
      {},
      "'11' is not a valid data-volume for the <audio> at line 1, column 13. Times are seconds from 0; the volume is 0 to 4.",
    ],
    [
      'seventeen sounds',
      `<p id=stage>${'<audio src="a.mp3"></audio>'.repeat(17)}`,
      {},
      'The template and the request have 17 sounds in total; the limit is 16. Remove some.',
    ],
  ])('%s', async (_what, html, manifest, detail) => {
    expect(await faultOf(fill(templateOf(html, manifest), requestOf()))).toMatchObject({
      code: 'template_invalid',
      status: 422,
      detail,
      errors: [{ loc: ['body', 'template'], msg: detail }],
    });
  });

  test('scripts stay where the manifest allows them, and JSON data everywhere', async () => {
    const script = '<p id=stage></p><script>1</script>';
    expect((await fill(templateOf(script, { scripts: true }), requestOf())).page.html).toContain(script);
    const data = '<p id=stage></p><script type="application/json">{}</script>';
    expect((await fill(templateOf(data), requestOf())).page.html).toContain(data);
  });

  test('a variable in a place that could run code', async () => {
    expect(await faultOf(fill(templateOf('<style>{{a}}</style><p id=stage>'), requestOf()))).toMatchObject({
      code: 'unsafe_context',
      status: 422,
    });
  });
});
