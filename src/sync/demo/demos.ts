import { Fault } from '../../errors.ts';
import type { OpenSheet } from '../ports/open-sheet.ts';
import type { OpenStore } from '../ports/open-store.ts';
import type { DemoStore } from './demo-store.ts';

/** A service in this process: what it is asked is answered by `fetch`, and `snapshot` is how it stands. */
export type DemoService = {
  readonly fetch: typeof fetch;
  snapshot(): unknown;
  /** Stands from now on as it did then. */
  restore(state: unknown): void;
  /** Sets the stock of an item as a person would who looks at it. False when there is no such item. */
  setStock(sku: string, stock: number): boolean;
};

type Parts = {
  /** False: nobody has a demo here, nor one from before. */
  readonly on: boolean;
  readonly states: DemoStore;
  /** Makes a service, as it was left or new; loaded when somebody first wants it. */
  readonly makeStore: (state: unknown) => Promise<DemoService>;
  readonly makeSheet: (state: unknown) => Promise<DemoService>;
  readonly storesOver: (service: typeof fetch) => OpenStore;
  readonly sheetsOver: (service: typeof fetch) => OpenSheet;
};

/** The token the demo store knows. */
export const DEMO_TOKEN = 'demo';

type DemoSide = 'store' | 'sheet';

export type Demos = {
  /** Both throw Fault not_configured.sync_demo where the demo is off. */
  readonly openStore: OpenStore;
  readonly openSheet: OpenSheet;
  /** @throws Fault not_found.demo_item, not_configured.sync_demo */
  setStock(accountId: string, side: DemoSide, sku: string, stock: number): Promise<void>;
};

/** A store and a spreadsheet of each account's own that need no account elsewhere. They are kept as they were left. */
export function createDemos({ on, states, makeStore, makeSheet, storesOver, sheetsOver }: Parts): Demos {
  const makers = { store: makeStore, sheet: makeSheet };

  function open(state: unknown, side: DemoSide): Promise<DemoService> {
    if (!on) throw new Fault('not_configured.sync_demo');
    return makers[side](state);
  }

  /** The service: each answer goes by how it was left, by whomever, and is kept where it changed that. */
  async function kept(accountId: string, side: DemoSide): Promise<typeof fetch> {
    const service = await open(undefined, side);
    let turn: Promise<unknown> = Promise.resolve();
    const answer = async (...request: Parameters<typeof fetch>) => {
      const left = await states.find(accountId, side);
      if (left !== undefined) service.restore(left);
      const before = JSON.stringify(service.snapshot());
      const answered = await service.fetch(...request);
      const after = JSON.stringify(service.snapshot());
      if (after !== before) await states.save(accountId, side, after);
      return answered;
    };
    return (...request) => {
      const answered = turn.then(() => answer(...request));
      turn = answered.catch(() => {});
      return answered;
    };
  }

  return {
    // Whatever token somebody gave: the demo is theirs alone.
    openStore: async (shop) =>
      storesOver(await kept(shop.accountId, 'store'))({ ...shop, credentials: { token: DEMO_TOKEN } }),
    openSheet: async (sheet) => sheetsOver(await kept(sheet.accountId, 'sheet'))(sheet),

    async setStock(accountId, side, sku, stock) {
      const service = await open(await states.find(accountId, side), side);
      if (!service.setStock(sku, stock)) throw new Fault('not_found.demo_item', { sku });
      await states.save(accountId, side, JSON.stringify(service.snapshot()));
    },
  };
}
