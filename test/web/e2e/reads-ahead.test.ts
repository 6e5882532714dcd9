import { describe, expect, test } from 'vitest';
import { openServedApp } from '../../support/served-app.ts';
import { newPerson, type Person } from './person.ts';
import { useWeb } from './use-web.ts';

const web = useWeb();

/** What the page named, and how often the browser asked for each. */
async function askedOn(person: Person, path: string) {
  const asked = new Map<string, number>();
  person.page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    asked.set(`${pathname}${search}`, (asked.get(`${pathname}${search}`) ?? 0) + 1);
  });
  await person.open(path);
  const named = await person.page.$eval('#reads', ({ textContent }) => JSON.parse(textContent ?? ''));
  const left = await person.page.evaluate(() =>
    Object.keys(Reflect.get(globalThis, 'readsAhead')?.answers ?? {}),
  );
  return { times: (named as string[]).map((one) => [one, asked.get(one) ?? 0]), left };
}

describe('where no one signs in', () => {
  test.each([
    ['/dashboard', 7],
    ['/templates/welcome', 4],
    ['/templates/welcome?branch=holiday', 4],
    ['/billing', 1],
  ])(
    'what %s reads first is asked for once, ahead of its scripts, and all of it is used',
    async (path, count) => {
      await fetch(`${web.app.url}/v1/templates/welcome/branches`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'holiday' }),
      });
      const person = await newPerson(web.browser, web.app.url);
      const { times, left } = await askedOn(person, path);
      expect(left).toEqual([]);
      expect(times.filter(([, asked]) => asked !== 1)).toEqual([]);
      expect(times).toHaveLength(count);
      expect(person.complaints).toEqual([]);
      await person.leave();
    },
  );
});

test('without a session only what everyone may read is asked for, and the configuration is in the page', async () => {
  const app = await openServedApp();
  const person = await newPerson(web.browser, app.url);
  await person.open('/dashboard');
  await person.page.waitForSelector('input[name=email]');
  expect(person.calls.filter((call) => !call.endsWith('/auth/providers'))).toEqual([]);
  expect(person.complaints).toEqual([]);
  await person.leave();
  await app.close();
});
