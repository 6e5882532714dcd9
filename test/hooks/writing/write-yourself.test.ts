import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBareCaller, openTestApp, type TestApp, useTools } from '../../support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('without a provider key, a model is told first to write the hooks itself', async () => {
  const model = useTools(app, await newBareCaller(app), { byModel: true });
  await expect(model('generate_hooks', { topic: 'bread' })).rejects.toMatchObject({
    key: 'api_key_required.write_yourself',
    params: { provider: 'OpenAI', setting: 'OPENAI_API_KEY' },
  });
});

test('others are told to send a key', async () => {
  const call = useTools(app, await newBareCaller(app));
  await expect(call('generate_hooks', { topic: 'bread' })).rejects.toMatchObject({
    key: 'api_key_required.provider',
  });
});

test('eight hooks are written by the model itself', async () => {
  const model = useTools(app, await newBareCaller(app), { byModel: true });
  await expect(model('generate_hooks', { topic: 'bread', count: 8 })).rejects.toMatchObject({
    errors: [
      {
        loc: ['body', 'count'],
        msg: expect.stringMatching(/^must be 3, 5 or 10; .* POST \/api\/v1\/hooks\/submit$/),
      },
    ],
  });
  const texts = [
    'Your sourdough is flat because the fridge is cold',
    'Stop kneading: time does the work',
    'What does a baker do at four in the morning?',
    'I burned eleven loaves before this one',
    'Three flours, one winner',
    'The crust you want needs steam',
    'Why supermarket bread never goes stale',
    'Bake once, eat all week',
  ];
  const hooks = texts.map((text) => ({ text, style: 'curiosity' }));
  expect(await model('submit_hooks', { topic: 'bread', hooks })).toMatchObject({ success: true, count: 8 });
});
