import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest } from '@modelcontextprotocol/server';

/** How often a client that waits for the start hears that it goes on: many give up on a silent call after a minute. */
const PAUSE_MS = 5_000;
/** So small that every progress of the call itself is more. */
const STEP = 0.001;

/** Tells clients that asked for progress that their call waits for the start. */
export function createStartNotices(send: (message: JSONRPCMessage) => void) {
  const told = new Map<unknown, number>();
  return {
    begin({ params }: JSONRPCRequest) {
      const progressToken = params?._meta?.['progressToken'];
      if (progressToken === undefined) return undefined;
      let progress = 0;
      const tell = () => {
        told.set(progressToken, progress);
        const notice = { progressToken, progress, message: 'starting' };
        send({ jsonrpc: '2.0', method: 'notifications/progress', params: notice });
        progress += STEP;
      };
      tell();
      const timer = setInterval(tell, PAUSE_MS).unref();
      return { end: () => clearInterval(timer) };
    },
    /** Progress that is no more than what the client was told: the protocol asks that it rises. */
    isBehind({ method, params }: JSONRPCNotification): boolean {
      const before = method === 'notifications/progress' ? told.get(params?.['progressToken']) : undefined;
      if (before === undefined) return false;
      const isBehind = Number(params?.['progress']) <= before;
      if (!isBehind) told.delete(params?.['progressToken']);
      return isBehind;
    },
  };
}
