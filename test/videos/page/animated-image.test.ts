import { expect, test } from 'vitest';
import { animatedImageKind } from '../../../src/videos/page/animated-image.ts';

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const gifFrame = '\x21\xf9\x04\x00\x0a\x00\x00\x00\x2c…';

test.each([
  ['a GIF of one picture', `GIF89a......${gifFrame}`, undefined],
  ['a GIF of two', `GIF89a......${gifFrame}${gifFrame}`, 'picture'],
  ['a PNG', '\x89PNG\r\n\x1a\n....IHDR....IDAT acTL', 'picture'],
  ['a PNG without animation', '\x89PNG\r\n\x1a\n....IHDR....IDAT', undefined],
  ['a WebP with the mark of animations', 'RIFF....WEBPVP8X\x0a\x00\x00\x00\x12...', 'picture'],
  ['a WebP with another mark', 'RIFF....WEBPVP8X\x0a\x00\x00\x00\x10...', undefined],
  ['a plain WebP', 'RIFF....WEBPVP8 \x0a\x00\x00\x00\x12...', undefined],
  ['a sequence of AVIF', '\x00\x00\x00\x1cftypavis....', 'picture'],
  ['an AVIF', '\x00\x00\x00\x1cftypavif....', undefined],
  ['an SVG', '<?xml version="1.0"?><svg xmlns="…"><rect/></svg>', undefined],
  ['an SVG with an animation', '<svg xmlns="…"><rect><animate attributeName="x"/></rect></svg>', 'vector'],
  ['an SVG with keyframes', '<svg xmlns="…"><style>@keyframes a {}</style></svg>', 'vector'],
  ['a JPEG', '\xff\xd8\xff\xe0JFIF', undefined],
])('%s: %#', (_, text, expected) => {
  expect(animatedImageKind(bytes(text))).toBe(expected);
});
