import { afterAll, beforeAll, beforeEach } from 'vitest';
import { newBareCaller, openTestApp, type TestApp, type Tools, useTools } from '../support/app.ts';

/** One product for the tests of a file, and for each test an account of its own with the tools called as its owner. */
export type HooksApp = {
  readonly app: TestApp;
  readonly accountId: string;
  readonly call: Tools;
};

/** Opens and closes the product around a file's tests; the fields are set while a test runs. */
export function useHooksApp(): HooksApp {
  let app: TestApp;
  let call: Tools;
  let accountId: string;
  beforeAll(async () => {
    app = await openTestApp();
  });
  beforeEach(async () => {
    const caller = await newBareCaller(app);
    accountId = caller.accountId;
    call = useTools(app, caller);
  });
  afterAll(() => app.close());
  return {
    get app() {
      return app;
    },
    get accountId() {
      return accountId;
    },
    get call() {
      return call;
    },
  };
}
