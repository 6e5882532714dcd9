import type { NewApiKey } from '../../src/identity/keys/api-key.ts';

/** The parts of a response with a key that may be stored. */
export function withoutKey({ key: _secret, ...rest }: NewApiKey): NewApiKey {
  return rest;
}
