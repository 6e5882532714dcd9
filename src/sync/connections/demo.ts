import { Fault } from '../../errors.ts';

/** The store and the spreadsheet that work without an account elsewhere, and take any token or none. */
export const DEMO_DOMAIN = 'demo.myshopify.com';
export const DEMO_SPREADSHEET = 'demo';

/** @throws Fault not_configured.sync_demo where the demo is off and this is of it */
export function demandDemo(name: string, isOn: boolean): void {
  const isDemo = name === DEMO_DOMAIN || name === DEMO_SPREADSHEET;
  if (isDemo && !isOn) throw new Fault('not_configured.sync_demo');
}
