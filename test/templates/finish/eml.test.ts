import { expect, test } from 'vitest';
import { type Mail, toEml } from '../../../src/templates/finish/eml.ts';

const date = new Date('2026-11-20T10:00:00Z');
const mail: Mail = {
  subject: 'Su café',
  html: '<p>Café</p>',
  text: 'Café',
  date,
  messageId: '<1@shop.test>',
};
const file = async (changes: Partial<Mail> = {}) =>
  new TextDecoder().decode(await toEml({ ...mail, ...changes }));

type Part = {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly parts: readonly Part[];
};

/** Reads a message as RFC 2045 and 2046 say. */
function read(message: string): Part {
  const gap = message.indexOf('\r\n\r\n');
  const lines = message
    .slice(0, gap)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const body = message.slice(gap + 4);
  const [, boundary] = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? [];
  if (boundary === undefined) return { headers, body: decode(body, headers), parts: [] };
  const pieces = body.split(`--${boundary}`).slice(1, -1);
  return {
    headers,
    body,
    parts: pieces.map((piece) => read(piece.replace(/^\r\n/, '').replace(/\r\n$/, ''))),
  };
}

function decode(body: string, headers: Record<string, string>): string {
  switch (headers['content-transfer-encoding']) {
    case 'base64':
      return Buffer.from(body, 'base64').toString();
    case 'quoted-printable': {
      const bytes = body
        .replace(/=\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
      return Buffer.from(bytes, 'latin1').toString();
    }
    default:
      return body;
  }
}

test('a mail is a draft of text and html, in this order', async () => {
  const { headers, parts } = read(await file({ from: 'Shop <a@shop.test>', to: 'ana@example.test' }));
  expect(headers).toEqual({
    'x-unsent': '1',
    from: 'Shop <a@shop.test>',
    to: 'ana@example.test',
    subject: '=?UTF-8?Q?Su_caf=C3=A9?=',
    'message-id': '<1@shop.test>',
    date: 'Fri, 20 Nov 2026 10:00:00 +0000',
    'mime-version': '1.0',
    'content-type': expect.stringMatching(/^multipart\/alternative; boundary="/),
  });
  expect(parts.map(({ headers: { 'content-type': type }, body }) => [type, body.trimEnd()])).toEqual([
    ['text/plain; charset=utf-8', 'Café'],
    ['text/html; charset=utf-8', '<p>Café</p>'],
  ]);
});

test('every line ends with CRLF and is at most 998 characters long', async () => {
  const message = await file({
    html: `<p>${'x'.repeat(5000)}\né</p>\r\n<p>y</p>`,
    text: `a\nb\n${'y'.repeat(5000)}`,
  });
  expect(message.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(Math.max(...message.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
});

test('pictures in the html become parts that the html points to, each once', async () => {
  const png = 'iVBORw0KGgo=';
  const html = `<img src="data:image/png;base64,${png}"><td background='data:image/gif;base64,R0lGODlh'><img src="data:image/png;base64,${png}"><img src="https://shop.test/a.png">`;
  const [, related] = read(await file({ html })).parts;
  const [shown, first, second] = related?.parts ?? [];
  expect(related?.headers['content-type']).toMatch(/^multipart\/related; type="text\/html"/);
  const [one, other] = [first, second].map((part) => part?.headers['content-id']?.slice(1, -1));
  expect(shown?.body).toBe(
    `<img src="cid:${one}"><td background="cid:${other}"><img src="cid:${one}"><img src="https://shop.test/a.png">`,
  );
  expect([first?.headers['content-type'], second?.headers['content-type']]).toEqual([
    'image/png; name=image1.png',
    'image/gif; name=image2.gif',
  ]);
  expect(related?.parts).toHaveLength(3);
});

test('the same mail is the same file, with or without a message id', async () => {
  expect(await file()).toBe(await file());
  expect(await file({ messageId: undefined })).toBe(await file({ messageId: undefined }));
  expect(await file({ messageId: undefined })).not.toBe(await file({ messageId: undefined, text: 'x' }));
});

test.each([['subject'], ['from'], ['to'], ['messageId']] as const)(
  'a line break in the %s makes no other header',
  async (field) => {
    for (const end of ['\r\n', '\n', '\r', '\u2028', '\u0000\n']) {
      const { headers } = read(
        await file({ [field]: `a@shop.test${end}Bcc: eve@evil.test${end}${end}<b>x</b>` }),
      );
      expect(Object.keys(headers)).not.toContain('bcc');
      expect(headers['content-type']).toMatch(/^multipart\/alternative/);
    }
  },
);

test('a mail without words is html alone', async () => {
  expect(read(await file({ text: '' })).headers['content-type']).toBe('text/html; charset=utf-8');
});
