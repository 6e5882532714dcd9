import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { newPerson, openBrowser, type Person } from './person.ts';
import { stepsOf } from './steps.ts';

/** The settings of the server, read when it starts: they may name another server that the test file has started. */
type Settings = () => Record<string, string>;

/** The set-up of a test file about the web client: the product, a browser, and a person who has yet to sign in. */
export function useWebWithSignIn(settings: Settings = () => ({})) {
  let app: ServedApp;
  let browser: Browser;
  let current: Person;
  beforeAll(async () => {
    app = await openServedApp(settings());
    browser = await openBrowser();
    current = await newPerson(browser, app.url);
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  // A test file names the person and their steps at its top, before there is a browser.
  const person: Person = {
    get page() {
      return current.page;
    },
    get complaints() {
      return current.complaints;
    },
    get calls() {
      return current.calls;
    },
    open: (path) => current.open(path),
    leave: () => current.leave(),
  };

  return {
    get app(): ServedApp {
      return app;
    },
    /** For people beside `person`. */
    get browser(): Browser {
      return browser;
    },
    person,
    steps: stepsOf(person),
    /** What the API answers without a credential. */
    read: async (path: string) => (await fetch(`${app.url}${path}`)).json(),
    /** Changes something by the API, not on a page. */
    async send(method: string, path: string, body: object) {
      const response = await fetch(`${app.url}${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(response.ok).toBe(true);
      return response.json();
    },
  };
}

/** The same where no one signs in: every caller is the owner of the local account. */
export function useWeb(settings: Settings = () => ({})) {
  const web = useWebWithSignIn(() => ({ AUTH_MODE: 'open', ...settings() }));
  beforeAll(async () => {
    await web.app.accounts.local();
  });
  return web;
}
