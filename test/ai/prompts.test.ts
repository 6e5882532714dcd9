import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPrompts } from '../../src/ai/prompts.ts';

test('a prompt is filled with the data as given: not escaped, and never a template itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prompts-'));
  writeFileSync(join(folder, 'mail.hbs'), 'Write about {{topic}}.{{#if tone}} Be {{tone}}.{{/if}}\n');
  const prompts = createPrompts(folder);
  expect(prompts.fill('mail', { topic: '<b>"candles" & {{secret}}</b>', secret: 'x' })).toBe(
    'Write about <b>"candles" & {{secret}}</b>.',
  );
  expect(prompts.fill('mail', { topic: 'tea', tone: 'warm' })).toBe('Write about tea. Be warm.');
});
