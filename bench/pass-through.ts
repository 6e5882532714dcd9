import type { AddressInfo } from 'node:net';
import express from 'express';
import OpenAI from 'openai';

/** Baseline: a route with only the provider's SDK behind it, without keys, quota, checks, history or log. */
const [, , baseURL = ''] = process.argv;
const client = new OpenAI({ apiKey: 'bench', baseURL, maxRetries: 0, logLevel: 'off' });
const app = express();

app.post('/generate', express.json(), async (req, res) => {
  const { topic, count } = req.body as { topic: string; count: number };
  const completion = await client.chat.completions.create({
    model: 'bench',
    response_format: { type: 'json_object' },
    messages: [
      { role: 'system', content: 'Write hooks as JSON.' },
      { role: 'user', content: JSON.stringify({ topic, count }) },
    ],
  });
  const { hooks } = JSON.parse(completion.choices[0]?.message.content ?? '{}') as { hooks: unknown };
  res.json({ success: true, topic, hooks });
});

const server = app.listen(0, '127.0.0.1', () => {
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});
