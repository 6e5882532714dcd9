/**
 * Each way a script has of reaching somebody: a function body that gives a promise, which fails where the way is closed.
 * `{http}` is the address of a listener, `{udp}` the host and port of another. What only writes html is awaited by its
 * events; what says nothing resolves at once.
 */
export const SCRIPT_VECTORS = {
  fetch: `return fetch('{http}/fetch')`,
  'no-cors': `return fetch('{http}/no-cors', { mode: 'no-cors' })`,
  xhr: `return new Promise((ok, no) => { const x = new XMLHttpRequest(); x.onload = ok; x.onerror = no; x.open('GET', '{http}/xhr'); x.send(); })`,
  'web-socket': `return new Promise((ok, no) => { const s = new WebSocket('{http}/web-socket'.replace('http', 'ws')); s.onopen = ok; s.onerror = no; })`,
  'event-source': `return new Promise((ok, no) => { const s = new EventSource('{http}/event-source'); s.onopen = ok; s.onerror = no; })`,
  beacon: `return navigator.sendBeacon('{http}/beacon', 'x')`,
  webrtc: `const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:{udp}' }] }); c.createDataChannel('x'); await c.setLocalDescription(await c.createOffer());
    return new Promise((ok) => { if (c.iceGatheringState === 'complete') ok(); c.onicegatheringstatechange = () => c.iceGatheringState === 'complete' && ok(); })`,
  worker: `return new Promise((ok, no) => { const w = new Worker('{http}/worker'); w.onerror = no; w.onmessage = ok; })`,
  'worker-fetch': `return fromWorker("fetch('{http}/worker-fetch')")`,
  'worker-no-cors': `return fromWorker("fetch('{http}/worker-no-cors', { mode: 'no-cors' })")`,
  'worker-import': `return fromWorker("importScripts('{http}/worker-import')")`,
  'worker-module': `return fromWorker("import('{http}/worker-module')")`,
  'worker-socket': `return fromWorker("new Promise((ok, no) => { const s = new WebSocket('{http}/worker-socket'.replace('http', 'ws')); s.onopen = ok; s.onerror = no; })")`,
  'worker-in-worker': `return fromWorker("new Promise((ok, no) => { const w = new Worker('{http}/worker-in-worker'); w.onerror = no; w.onmessage = ok; })")`,
  'shared-worker': `return new Promise((ok, no) => { const w = new SharedWorker('{http}/shared-worker'); w.onerror = no; })`,
  'service-worker': `return navigator.serviceWorker.register('engine/page.ts')`,
  'module-import': `return import('{http}/module-import')`,
  'script-tag': `return element('script', { src: '{http}/script-tag' })`,
  'style-import': `return element('style', { textContent: '@import url("{http}/style-import");' })`,
  'style-sheet': `return element('link', { rel: 'stylesheet', href: '{http}/style-sheet' })`,
  image: `return element('img', { src: '{http}/image' })`,
  'image-set': `return element('img', { srcset: '{http}/image-set 2x' })`,
  'css-image': `return element('div', { style: 'width:9px;height:9px;background:url({http}/css-image)' })`,
  font: `return new FontFace('x', 'url({http}/font)').load()`,
  sound: `return element('audio', { src: '{http}/sound', autoplay: true })`,
  moving: `return element('video', { src: '{http}/moving', autoplay: true })`,
  track: `return element('video', { innerHTML: '<track default src="{http}/track">' })`,
  frame: `return element('iframe', { src: '{http}/frame' })`,
  'frame-document': `return element('iframe', { srcdoc: '<img src={http}/frame-document>' })`,
  object: `return element('object', { data: '{http}/object' })`,
  embed: `return element('embed', { src: '{http}/embed' })`,
  prefetch: `return element('link', { rel: 'prefetch', href: '{http}/prefetch' })`,
  preload: `return element('link', { rel: 'preload', as: 'fetch', href: '{http}/preload' })`,
  'module-preload': `return element('link', { rel: 'modulepreload', href: '{http}/module-preload' })`,
  preconnect: `return element('link', { rel: 'preconnect', href: '{http}' })`,
  manifest: `return element('link', { rel: 'manifest', href: '{http}/manifest' })`,
  icon: `return element('link', { rel: 'icon', href: '{http}/icon' })`,
  speculation: `return element('script', { type: 'speculationrules', textContent: '{"prefetch":[{"source":"list","urls":["{http}/speculation"]}]}' })`,
  form: `const f = document.createElement('form'); f.action = '{http}/form'; f.target = '_blank'; document.body.append(f); f.submit()`,
  popup: `if (!window.open('{http}/popup')) throw new Error('no window')`,
  link: `const a = document.createElement('a'); a.href = '{http}/link'; a.target = '_blank'; a.ping = '{http}/ping'; document.body.append(a); a.click()`,
  download: `const a = document.createElement('a'); a.href = '{http}/download'; a.download = 'x'; document.body.append(a); a.click()`,
  worklet: `return CSS.paintWorklet.addModule('{http}/worklet')`,
  transport: `return new WebTransport('{http}/transport'.replace('http:', 'https:')).ready`,
  notification: `if (await Notification.requestPermission() !== 'granted') throw new Error('denied')`,
  location: `location.href = '{http}/location'`,
  refresh: `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="0;url={http}/refresh">')`,
} as const;

type ScriptVector = keyof typeof SCRIPT_VECTORS;

/**
 * A script whose function `tryAll` tries these vectors; `outcomes` maps each to 'waits', 'done' or 'refused'.
 */
export function attempts(names: readonly ScriptVector[], http: string, udp: string): string {
  const written = (body: string) => body.replaceAll('{http}', http).replaceAll('{udp}', udp);
  const tries = names.map((name) => `'${name}': async () => { ${written(SCRIPT_VECTORS[name])} }`);
  return `
    const fromWorker = (code) => new Promise((ok, no) => {
      const text = 'Promise.resolve().then(() => ' + code + ').then(() => postMessage(1), () => postMessage(0))';
      const worker = new Worker(URL.createObjectURL(new Blob([text])));
      worker.onmessage = ({ data }) => data ? ok() : no();
      worker.onerror = no;
    });
    const element = (name, fields, event = 'load') => new Promise((ok, no) => {
      const made = document.createElement(name);
      const { style, ...rest } = fields;
      if (style) made.style.cssText = style;
      made.addEventListener(event, ok);
      made.addEventListener('loadedmetadata', ok);
      made.addEventListener('error', no);
      Object.assign(made, rest);
      document.body.append(made);
    });
    const tries = { ${tries.join(',\n')} };
    globalThis.outcomes = {};
    globalThis.tryAll = () => {
      for (const [name, attempt] of Object.entries(tries)) {
        globalThis.outcomes[name] = 'waits';
        attempt().then(() => { globalThis.outcomes[name] = 'done'; }, () => { globalThis.outcomes[name] = 'refused'; });
      }
    };`;
}
