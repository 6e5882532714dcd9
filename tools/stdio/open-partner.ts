import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../src/config.ts';
import { Fault } from '../../src/errors.ts';
import type { Log } from '../../src/platform/log.ts';
import type { Registry } from '../contract/registry.ts';
import type { OpenPartner, Partner, PartnerEvents } from '../mcp/stdio/conversation.ts';
import { type ConverseAsk, joinHolder } from '../mcp/stdio/guest.ts';

export type PartnerParts = {
  readonly config: Config;
  readonly log: Log;
  readonly registry: Registry;
  /** Closes the database for a server that starts. */
  readonly leave: () => Promise<void>;
};

/** How long a process waits for another one that is taking the data, in milliseconds. */
const TAKING_MS = 30_000;
const PAUSE_MS = 200;

/**
 * What does the work of a conversation: with the embedded database the process that holds it, else this one. Modules of the
 * product are loaded by the first call that needs them: they cost more than all lists.
 */
export function createOpenPartner(
  parts: Omit<PartnerParts, 'leave'>,
  leave: () => Promise<void>,
): OpenPartner {
  const { config } = parts;
  let wrongKey: Fault | undefined;
  /** A server has asked for the database and will have it soon. */
  let isLeft = false;
  const own: PartnerParts = {
    ...parts,
    leave() {
      isLeft = true;
      return leave();
    },
  };
  return async (events) => {
    // The key is a setting: it stays wrong until the process is started with another one.
    if (wrongKey) throw wrongKey;
    try {
      const partner = await open(own, events, isLeft);
      isLeft = false;
      return partner;
    } catch (error) {
      if (error instanceof Fault && error.key === 'unauthenticated.wrong_local') wrongKey = error;
      throw error;
    }
  };

  async function open(own: PartnerParts, events: PartnerEvents, waits: boolean): Promise<Partner> {
    if (config.databaseUrl !== undefined) return openOwn(own, events);
    for (const end = Date.now() + TAKING_MS; ; await delay(PAUSE_MS)) {
      const holder = await joinHolder(config.dataDir, converseAsk(config), events);
      if (holder) return holder;
      const isPatient = Date.now() < end;
      if (waits && isPatient) continue;
      const opened = await openOwn(own, events).catch((error: unknown) => {
        // Who has the folder's lock is reached a little later.
        if (!isLocked(error) || !isPatient) throw error;
      });
      if (opened) return opened;
    }
  }
}

async function openOwn(parts: PartnerParts, events: PartnerEvents): Promise<Partner> {
  const { openOwnPartner } = await import('./own-partner.ts');
  return openOwnPartner(parts, events);
}

function converseAsk({ mcpApiKey, defaultLanguage, toolSelection, outputDir }: Config): ConverseAsk {
  const { toolsets, tools, exclude, readOnly, structured } = toolSelection;
  return {
    ask: 'converse',
    key: mcpApiKey,
    locale: defaultLanguage,
    output_dir: outputDir === undefined ? undefined : resolve(outputDir),
    selection: {
      toolsets: list(toolsets),
      tools: list(tools),
      exclude: list(exclude),
      readOnly,
      structured,
    },
  };
}

function list(names: readonly string[] | undefined): string[] | undefined {
  return names && [...names];
}

function isLocked(error: unknown): boolean {
  return error instanceof Fault && error.key === 'unavailable.database_locked';
}
