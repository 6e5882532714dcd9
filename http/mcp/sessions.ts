import { Fault } from '../../src/errors.ts';

export type SessionLimits = {
  /** Sessions open at one time in this process. */
  readonly sessions: number;
  /** Of these, sessions of one account. */
  readonly sessionsPerAccount: number;
  /** Milliseconds without an open request after which a session is closed. */
  readonly idleMs: number;
};

export const SESSION_LIMITS: SessionLimits = {
  sessions: 1000,
  sessionsPerAccount: 100,
  idleMs: 30 * 60 * 1000,
};

/** A session is used with the credential it was opened with, and counts for the account. */
export type Owner = { readonly accountId: string; readonly credential: string };

type Session<Transport> = {
  /** What a request of this session is handed to. */
  readonly transport: Transport;
  /** Call when a request of the session begins, and what it returns when the request has ended. */
  enter(): () => void;
  end(): void;
};

/** The open sessions of one process, in memory: after a restart, a client starts a new one. */
export type Sessions<Transport> = {
  /**
   * Opens a session, closing the one longest idle when there is no room.
   * @param id Random enough that it cannot be guessed.
   * @throws Fault unavailable.sessions when there is no room and none is idle.
   */
  open(id: string, owner: Owner, transport: Transport): Session<Transport>;
  /** The session, if it is open and belongs to the owner. */
  find(id: string, owner: Owner): Session<Transport> | undefined;
  /** Closes all. */
  close(): Promise<void>;
};

type Held<Transport> = Session<Transport> & {
  readonly owner: Owner;
  isIdle(): boolean;
  shut(): Promise<void>;
};

export function createSessions<Transport extends { close(): Promise<void> }>(
  limits: SessionLimits,
): Sessions<Transport> {
  // In the order of last use: the first idle one is the one longest idle.
  const held = new Map<string, Held<Transport>>();

  const makeRoom = (owner: Owner) => {
    const all = [...held.values()];
    const own = all.filter((session) => session.owner.accountId === owner.accountId);
    const full =
      own.length >= limits.sessionsPerAccount ? own : all.length >= limits.sessions ? all : undefined;
    if (!full) return;
    const idle = full.find((session) => session.isIdle());
    if (!idle) throw new Fault('unavailable.sessions', {}, { retryAfterSeconds: 60 });
    idle.end();
  };

  return {
    open(id, owner, transport) {
      makeRoom(owner);
      const session = hold(id, owner, transport, held, limits.idleMs);
      held.set(id, session);
      return session;
    },
    find(id, owner) {
      const session = held.get(id);
      const isOwn =
        session?.owner.accountId === owner.accountId && session.owner.credential === owner.credential;
      return isOwn ? session : undefined;
    },
    async close() {
      await Promise.all([...held.values()].map((session) => session.shut()));
    },
  };
}

function hold<Transport extends { close(): Promise<void> }>(
  id: string,
  owner: Owner,
  transport: Transport,
  held: Map<string, Held<Transport>>,
  idleMs: number,
): Held<Transport> {
  let requests = 0;
  let idle: NodeJS.Timeout | undefined;

  const shut = async () => {
    clearTimeout(idle);
    if (held.delete(id)) await transport.close();
  };
  // Closing only fails for a connection that is gone already.
  const end = () => void shut().catch(() => undefined);
  const waitIdle = () => {
    idle = setTimeout(end, idleMs).unref();
  };
  const session: Held<Transport> = {
    owner,
    transport,
    isIdle: () => requests === 0,
    enter() {
      requests += 1;
      clearTimeout(idle);
      if (held.delete(id)) held.set(id, session);
      return () => {
        requests -= 1;
        if (requests === 0 && held.has(id)) waitIdle();
      };
    },
    end,
    shut,
  };
  waitIdle();
  return session;
}
