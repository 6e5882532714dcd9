import { describe, expect, test } from 'vitest';
import { createCatalogue } from '../../tools/catalogue.ts';
import { templateTools } from '../../tools/templates/index.ts';
import { profileFaults, tokensOf } from './support/profile.ts';
import { registryOf } from './support/server.ts';

const catalogue = createCatalogue(registryOf(templateTools));

describe('the tools of the product', () => {
  test.each([...catalogue.names])('%s fits the profile that every model vendor accepts', (name) => {
    const shown = catalogue.shown(name);
    expect(shown && profileFaults(shown)).toEqual([]);
  });

  test.each([...catalogue.names])('%s is described, in at most 400 characters', (name) => {
    const { title = '', description = '' } = catalogue.shown(name) ?? {};
    expect(title).not.toBe('');
    expect(description).not.toBe('');
    expect(description.length).toBeLessThanOrEqual(400);
  });

  test('are at most 24 in the default list, which costs a model at most 5,000 tokens', () => {
    const listed = catalogue.listed();
    expect(listed.length).toBeLessThanOrEqual(24);
    expect(tokensOf(listed)).toBeLessThanOrEqual(5000);
  });
});
