import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useWeb } from './use-web.ts';

const web = useWeb();
const { person } = web;
let stranger: Server;
let asked: string[];
let elsewhere: string;

beforeAll(async () => {
  asked = [];
  stranger = createServer((req, res) => {
    asked.push(req.url ?? '');
    res.end();
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
});
afterAll(async () => {
  stranger.closeAllConnections();
  await new Promise((resolve) => stranger.close(resolve));
});

/** What would run, load, or lead elsewhere, if anything of it did. */
const hostile = () => `<!doctype html><html><head>
<meta http-equiv="refresh" content="0;url=${elsewhere}/refresh">
<base href="${elsewhere}/base/">
<link rel="stylesheet" href="${elsewhere}/sheet.css"><link rel="preconnect" href="${elsewhere}"><link rel="prefetch" href="${elsewhere}/prefetch">
<style>@import url('${elsewhere}/import.css'); body { background: url('${elsewhere}/background.png') }</style>
<script>top.hacked = 'script'; fetch('${elsewhere}/fetch')</script></head>
<body onload="top.hacked = 'onload'">
<img src="${elsewhere}/picture.png" onerror="top.hacked = 'onerror'"><svg onload="top.hacked = 'svg'"></svg>
<iframe src="${elsewhere}/frame"></iframe><object data="${elsewhere}/object"></object><embed src="${elsewhere}/embed">
<video src="${elsewhere}/video.mp4" autoplay></video><audio src="${elsewhere}/audio.mp3" autoplay></audio>
<a id="out" href="${elsewhere}/link" target="_top">Out</a>
<form id="form" action="${elsewhere}/form"><button id="send">Send</button></form>
<p id="end">end</p></body></html>`;

test('hostile markup in a preview: no script of it runs, nothing of it is loaded, and no click leads out', async () => {
  await person.open('/templates/welcome');
  const element = await person.page.waitForSelector('iframe[title="Preview of welcome"]');
  const frame = await element?.contentFrame();
  await person.page.evaluate((html) => {
    document.querySelector('iframe')?.contentWindow?.postMessage({ html }, '*');
  }, hostile());
  await frame?.waitForSelector('#end');
  await frame?.evaluate(() => {
    document.querySelector<HTMLElement>('#out')?.click();
    document.querySelector<HTMLElement>('#send')?.click();
  });
  expect(await person.page.evaluate(() => Reflect.get(window, 'hacked'))).toBeUndefined();
  expect(new URL(person.page.url()).pathname).toBe('/templates/welcome');
  expect(frame?.url()).toBe(`${web.app.url}/preview-frame`);
  expect(await frame?.evaluate(() => globalThis.origin)).toBe('null');
  expect(asked).toEqual([]);
});
