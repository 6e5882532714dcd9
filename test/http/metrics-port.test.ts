import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../../http/serve.ts';
import { readConfig } from '../../src/config.ts';

describe('METRICS_PORT', () => {
  let folder: string;
  let running: RunningServer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'metrics-port-'));
    const env = {
      PORT: '0',
      METRICS_PORT: '0',
      DATA_DIR: folder,
      AUTH_MODE: 'required',
      LOG_LEVEL: 'silent',
    };
    running = await startServer(readConfig(env));
  });
  afterAll(async () => {
    await running.stop();
    await rm(folder, { recursive: true });
  });

  const portOf = (url = '') => new URL(url).port;

  test('serves metrics without a token, and the probes, and nothing else', async () => {
    const port = portOf(running.metricsUrl);
    expect(await readPlain(port, '/metrics')).toMatchObject({
      status: 200,
      text: expect.stringMatching(/^# HELP stallhand_/),
    });
    expect(await readPlain(port, '/health')).toMatchObject({
      status: 200,
      text: expect.stringContaining('"status":"ok"'),
    });
    expect(await readPlain(port, '/ready')).toMatchObject({
      status: 200,
      text: expect.stringContaining('"database":"ok"'),
    });
    expect(await readPlain(port, '/templates')).toEqual({
      status: 404,
      text: 'This port serves /metrics, /health and /ready.\n',
    });
    expect(await readPlain(portOf(running.url), '/metrics')).toMatchObject({ status: 401 });
  });

  test('that another program has ends the start, which then listens nowhere', async () => {
    const [port, dataDir] = [await freePort(), await mkdtemp(join(tmpdir(), 'metrics-taken-'))];
    const env = { PORT: String(port), METRICS_PORT: portOf(running.metricsUrl), DATA_DIR: dataDir };
    await expect(startServer(readConfig({ ...env, LOG_LEVEL: 'silent' }))).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await expect(readPlain(String(port), '/health')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await rm(dataDir, { recursive: true });
  });

  test('answers no page of a browser, under whatever name it was led here', async () => {
    const port = portOf(running.metricsUrl);
    for (const headers of [
      { host: 'rebound.example', 'accept-language': '' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-origin' },
    ])
      expect(await readPlain(port, '/metrics', headers)).toMatchObject({ status: 403 });
  });
});

/** As Prometheus asks: with none of the headers that a browser, or `fetch`, adds. */
async function readPlain(port: string, path: string, headers: Record<string, string> = {}) {
  const request = get({ host: '127.0.0.1', port, path, headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, text: await readText(response) };
}

async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  taken.close();
  await once(taken, 'close');
  return port;
}
