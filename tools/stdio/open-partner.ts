import type { Config } from '../../src/config.ts';
import type { Log } from '../../src/platform/log.ts';
import type { Registry } from '../contract/registry.ts';
import type { OpenPartner } from '../mcp/stdio/conversation.ts';

export type PartnerParts = { readonly config: Config; readonly log: Log; readonly registry: Registry };

/** What does the work of a conversation. Its modules are loaded by the first call: they cost more than all lists. */
export function createOpenPartner(parts: PartnerParts): OpenPartner {
  return async (events) => {
    const { openOwnPartner } = await import('./own-partner.ts');
    return openOwnPartner(parts, events);
  };
}
