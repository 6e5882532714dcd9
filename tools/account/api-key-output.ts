import type { NewApiKey } from '../../src/identity/keys/api-key.ts';

/** What may be kept of an answer that shows a key. */
export function withoutKey({ key: _secret, ...rest }: NewApiKey): NewApiKey {
  return rest;
}
