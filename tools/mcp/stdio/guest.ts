import type { Socket } from 'node:net';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { Fault } from '../../../src/errors.ts';
import { LOCALES } from '../../../src/language.ts';
import { reachHolder } from '../../../src/platform/shared-folder/reach-holder.ts';
import type { Partner, PartnerEvents } from './conversation.ts';
import { LARGEST_MESSAGE } from './standard-streams.ts';

const names = z.array(z.string()).optional();

/** What a guest tells the holder of its conversation: the settings of its own process count. */
export const ConverseAsk = z.object({
  ask: z.literal('converse'),
  /** MCP_API_KEY; without it, the local owner. */
  key: z.string().optional(),
  locale: z.enum(LOCALES),
  selection: z.object({
    toolsets: names,
    tools: names,
    exclude: names,
    readOnly: z.boolean().optional(),
    structured: z.boolean().optional(),
  }),
  /** Absolute path of OUTPUT_DIR. */
  output_dir: z.string().optional(),
});
export type ConverseAsk = z.infer<typeof ConverseAsk>;

/** Asks the holder to close the database, for a process that must have it. */
export const LeaveAsk = z.object({ ask: z.literal('leave') });

const HolderAnswer = z.object({ state: z.enum(['ready', 'wrong key', 'stays']) });

/**
 * The process that holds the data, as the partner of a conversation of this one. Undefined when none answers.
 * @throws Fault unauthenticated for a wrong MCP_API_KEY
 */
export async function joinHolder(
  dataDir: string,
  ask: ConverseAsk,
  events: PartnerEvents,
): Promise<Partner | undefined> {
  const reached = await reachHolder(dataDir, ask);
  const { state } = HolderAnswer.safeParse(reached?.answer).data ?? {};
  if (state === 'wrong key') throw new Fault('unauthenticated.wrong_local');
  if (reached && state === 'ready') return partnerOn(reached.socket, events);
  reached?.socket.destroy();
  return undefined;
}

async function partnerOn(socket: Socket, events: PartnerEvents): Promise<Partner> {
  const transport = streamsOf(socket);
  transport.onmessage = (message) => events.message(message);
  transport.onclose = () => {
    socket.destroy();
    events.closed();
  };
  await transport.start();
  return {
    // What cannot be sent is lost with the connection, whose end the conversation hears of.
    send: (message) => void transport.send(message).catch(() => {}),
    close: () => transport.close(),
  };
}

/** Messages as lines over a socket, in either direction. */
export function streamsOf(socket: Socket): StdioServerTransport {
  return new StdioServerTransport(socket, socket, { maxBufferSize: LARGEST_MESSAGE });
}
