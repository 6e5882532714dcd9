import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasOpenssl, startTlsServer, type TlsServer } from '../platform/guarded-fetch/tls-server.ts';
import { type Json, startVideoServer, tone, type VideoServer } from '../support/video-server.ts';

// A server of the product, on the Internet of which there is one more: see startVideoServer.
describe.runIf(hasOpenssl())('a video that cannot be made', () => {
  let peer: TlsServer;
  let server: VideoServer;
  beforeAll(async () => {
    peer = await startTlsServer(({ url }, res) => {
      // Whatever else is asked for is taken, and never answered.
      if (url === '/missing.png') res.writeHead(404).end();
    });
    server = await startVideoServer({}, peer);
  });
  afterAll(async () => {
    await server?.close();
    await peer.close();
  });

  const CARD = {
    schema: {
      type: 'object',
      properties: { text: { type: 'string', maxLength: 5 }, size: { type: 'integer', minimum: 1 } },
      required: ['text'],
    },
    sample: { text: 'Hello' },
  };
  const NO_OBJECT = 'The request body must be a JSON object. Send one in braces.';
  const detail = (type: string, loc: (string | number)[], msg: string, more: Json = {}) => ({
    loc,
    msg,
    type,
    ...more,
  });

  test.each<[string, unknown, unknown[]]>([
    [
      'no seconds',
      { title: 'x', duration: 0 },
      [detail('too_small', ['body', 'duration'], 'must be at least 0.5', { input: 0 })],
    ],
    [
      'a million seconds',
      { title: 'x', duration: 1e6 },
      [detail('too_big', ['body', 'duration'], 'must be at most 600', { input: 1e6 })],
    ],
    [
      'seconds in words',
      { title: 'x', duration: 'text' },
      [detail('invalid_type', ['body', 'duration'], 'must be a number', { input: 'text' })],
    ],
    ['no title', { duration: 1 }, [detail('invalid_type', ['body', 'title'], 'is required')]],
    [
      'a template that is not there',
      { title: 'x', duration: 1, template: 'produkt' },
      [
        detail(
          'validation_failed.video_template_close',
          ['body', 'template'],
          "Video template 'produkt' not found. Did you mean 'product'?",
          { input: 'produkt' },
        ),
      ],
    ],
    [
      'data that the template does not take',
      { title: 'x', duration: 1, template: 'card', data: { text: 'too long', size: 0 } },
      [
        detail('too_small', ['body', 'data', 'size'], 'must be at least 1', { input: 0 }),
        detail('too_big', ['body', 'data', 'text'], 'must have at most 5 characters', { input: 'too long' }),
      ],
    ],
    [
      'an aspect and a width',
      { title: 'x', duration: 1, aspect: '1:1', width: 64 },
      [
        detail(
          'validation_failed.video_size_both',
          ['body', 'aspect'],
          'aspect was sent together with width and height. Send aspect, or width and height.',
          { input: '1:1' },
        ),
      ],
    ],
    [
      'a width without a height',
      { title: 'x', duration: 1, width: 64 },
      [
        detail(
          'validation_failed.video_size_half',
          ['body', 'height'],
          'width and height go together. Send both or neither.',
        ),
      ],
    ],
    [
      'an odd width',
      { title: 'x', duration: 1, width: 65, height: 64 },
      [detail('not_multiple_of', ['body', 'width'], 'must be a multiple of 2', { input: 65 })],
    ],
    [
      'a body that is text',
      '"video"',
      [detail('validation_failed.body', ['body'], NO_OBJECT, { input: 'video' })],
    ],
    ['a body that is null', 'null', [detail('validation_failed.body', ['body'], NO_OBJECT)]],
    ['a body that is a list', '[]', [detail('validation_failed.body', ['body'], NO_OBJECT)]],
  ])('because it was asked for with %s is a 422 that says so', async (_what, body, expected) => {
    await server.save('card', '<h1>{{text}}</h1>', CARD);
    const answer = await server.rest('POST', '/videos', { body });
    expect([answer.status, answer.body]).toEqual([422, { detail: expected }]);
  });

  test('none of those is kept, and unknown fields are ignored', async () => {
    expect((await server.rest('GET', '/videos')).body).toEqual([]);
    const asked = {
      nonsense: { deep: [1] },
      id: 'x',
      status: 'failed',
      progress: 100,
      url: 'https://x.example',
    };
    const video = await server.make(asked);
    expect(video).toMatchObject({ status: 'completed', url: expect.stringContaining(server.url) });
    expect(video).not.toHaveProperty('nonsense');
  });

  const many = Array.from({ length: 25_000 }, () => '<i></i>').join('');
  // Claims to be a WAV file, with an unknown format code.
  const damaged = `data:audio/wav;base64,${Buffer.from(tone(0.1).split(',')[1] ?? '', 'base64')
    .fill(0x7f, 20, 22)
    .toString('base64')}`;
  const scripts = { scripts: true };

  test.each<[string, { inner: string; manifest?: Json; body?: Json }, RegExp, RegExp]>([
    [
      'a picture that is not there',
      { inner: '<img src="https://cdn.example.test/missing.png">' },
      /^'https:\/\/cdn\.example\.test\/missing\.png' did not return a file: it is missing/,
      /^«https:\/\/cdn\.example\.test\/missing\.png» no devolvió un archivo: no existe/,
    ],
    [
      'a picture that never comes',
      { inner: '<img src="https://cdn.example.test/never.png">' },
      /^'https:\/\/cdn\.example\.test\/never\.png' did not load within 15 s/,
      /^«https:\/\/cdn\.example\.test\/never\.png» no se cargó en 15 s/,
    ],
    [
      'a script that never ends',
      { inner: '<script>for (;;);</script>', manifest: scripts },
      /^The page did not finish loading within 15 seconds/,
      /^La página no terminó de cargar en 15 segundos/,
    ],
    [
      'a script that never ends at a frame',
      { inner: '<script>video.onFrame(({ frame }) => { while (frame === 2); })</script>', manifest: scripts },
      // Frames before it may have been painted, and their pictures not taken.
      /^Frame [012] took longer than 10 s to render/,
      /^El fotograma [012] tardó más de 10 s en renderizarse/,
    ],
    [
      'timers that set each other for ever',
      {
        inner:
          '<script>const again = () => { for (let i = 0; i < 9; i++) setTimeout(again) }; again()</script>',
        manifest: scripts,
      },
      /./,
      /./,
    ],
    [
      'a font that is never ready',
      {
        inner:
          '<script>Object.defineProperty(document.fonts, "ready", { value: new Promise(() => {}) })</script>x',
        manifest: scripts,
      },
      /^The page did not finish loading within 15 seconds/,
      /^La página no terminó de cargar en 15 segundos/,
    ],
    [
      '25,000 elements',
      { inner: many },
      /^The page has 25001 elements and texts; the limit is 20000/,
      /^La página tiene 25001 elementos y textos; el límite es 20000/,
    ],
    [
      'a sound that is damaged',
      { inner: 'x', body: { audio: [{ src: damaged }] } },
      /^Sound 1 .* can't be played/,
      /^El sonido 1 /,
    ],
  ])('for %s fails, and says why', async (why, { inner, manifest = {}, body = {} }, english, spanish) => {
    await server.save('bad', inner, manifest);
    const code = why.startsWith('timers') ? 'script_failed' : 'video_failed';
    const began = performance.now();
    const video = await server.make({ template: 'bad', ...body });
    process.stdout.write(`${why}: failed after ${Math.round(performance.now() - began)} ms\n`);
    expect(video).toMatchObject({
      ...{ status: 'failed', url: null, poster_url: null, completed_at: null },
      error: { code, message: expect.stringMatching(english) },
    });
    const headers = { 'accept-language': 'es' };
    const { body: inSpanish } = await server.rest('GET', `/videos/${video['id']}`, { headers });
    expect(inSpanish['error']).toEqual({ code, message: expect.stringMatching(spanish) });
  });

  test('animations without an end do not keep one from its own', async () => {
    const style =
      '<style>@keyframes turn { to { rotate: 360deg } } b { display: block; animation: turn 0.3s linear infinite } i { animation: turn 1e9s infinite alternate }</style>';
    const svg =
      '<svg><rect width="9" height="9"><animate attributeName="x" to="9" dur="0.2s" repeatCount="indefinite"/></rect></svg>';
    await server.save('endless', `${style}<b>x</b><i>y</i>${svg}`);
    expect(await server.make({ template: 'endless' })).toMatchObject({ status: 'completed', error: null });
    await expect.poll(server.traces).toEqual([]);
  });
});
