import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type OidcIssuer, startOidcIssuer } from '../../peers/oidc-issuer.ts';
import { newPerson, type Person } from './person.ts';
import { useWebWithSignIn } from './use-web.ts';

const ANA = { sub: 'sub-ana', name: 'Ana', email: 'ana@shop.example', email_verified: true };
const FAILED = 'The sign-in with the other service failed. Try again, or sign in another way.';

let issuer: OidcIssuer;
let person: Person;

beforeAll(async () => {
  issuer = await startOidcIssuer({ host: 'localhost' });
});
afterAll(() => issuer.close());

const web = useWebWithSignIn(() => {
  const acme = {
    label: 'Acme',
    issuer: issuer.url,
    client_id: 'stallhand',
    client_secret: 'a client secret',
  };
  return { SIGN_IN_PROVIDERS: JSON.stringify({ acme }) };
});
beforeEach(async () => {
  Object.assign(issuer, { mood: 'well', person: ANA, forged: {}, beforeReturn: undefined });
  person = await newPerson(web.browser, web.app.url);
});
afterEach(() => person.leave());

/** Signs in from the page at `path`, up to the page that the issuer led back to. */
async function signIn(path = '/login'): Promise<void> {
  await person.open(path);
  const link = await person.page.waitForSelector('a::-p-text(Sign in with Acme)');
  await Promise.all([person.page.waitForNavigation(), link?.click()]);
}

const arriveAt = (path: string) =>
  person.page.waitForFunction((wanted) => `${location.pathname}${location.search}` === wanted, {}, path);

async function signOut(): Promise<void> {
  await person.page.locator('button[aria-label="Sign out"]').click();
  await person.page.waitForSelector('input[name=email]');
}

/** What the page says went wrong, and what it keeps: no code in the address, no session, a form to go on with. */
async function rejection() {
  const banner = await person.page.waitForSelector('[role=alert]');
  const said = await banner?.evaluate(({ textContent }) => textContent);
  const [address, token] = await person.page.evaluate(
    () => [location.href, localStorage.getItem('token')] as const,
  );
  const canGoOn = (await person.page.$('input[name=email]')) !== null;
  return { said, address, token, canGoOn };
}

const rejected = (why: string) => ({
  said: expect.stringContaining(why),
  address: `${web.app.url}/login`,
  token: null,
  canGoOn: true,
});

/** The answer of the issuer, as the address bar of the person had it. */
function answers(): URL[] {
  const seen: URL[] = [];
  issuer.beforeReturn = (back) => void seen.push(new URL(back));
  return seen;
}

test('a person signs in at the issuer with a code and PKCE, and is where they wanted to go', async () => {
  await signIn('/login?next=%2Ftemplates%3Fq%3Dwelcome');
  await arriveAt('/templates?q=welcome');
  await person.page.waitForSelector('::-p-text(welcome)');
  const asked = new URL(issuer.requests.findLast((path) => path.startsWith('/authorize')) ?? '', issuer.url);
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  });
  const kept = await person.page.evaluate(() => ({
    token: localStorage.getItem('token'),
    user: JSON.parse(localStorage.getItem('user') ?? '{}').email,
    hash: location.hash,
    cookies: document.cookie,
  }));
  expect(kept).toMatchObject({ token: expect.stringMatching(/^ses_/), user: ANA.email, hash: '' });
  expect(kept.cookies).not.toMatch(/stallhand_(visit|exchange)/);
  expect(person.complaints).toEqual([]);
});

test('a person who declines at the issuer reads that they canceled, and can sign in another way', async () => {
  issuer.person = undefined;
  await signIn();
  expect(await rejection()).toEqual(rejected('You canceled the sign-in.'));
});

describe('what comes back from the issuer is rejected', () => {
  test('with a state that another made up', async () => {
    issuer.beforeReturn = (back) => back.searchParams.set('state', 'A'.repeat(43));
    await signIn();
    expect(await rejection()).toEqual(rejected(FAILED));
  });

  test('without a state', async () => {
    issuer.beforeReturn = (back) => back.searchParams.delete('state');
    await signIn();
    expect(await rejection()).toEqual(rejected(FAILED));
  });

  test('with the code of another visit, since PKCE binds a code to its visit', async () => {
    const other = await newPerson(web.browser, web.app.url);
    const seen = answers();
    await other.page.goto(`${web.app.url}/auth/acme/start`);
    await other.leave();
    const stolen = seen[0]?.searchParams.get('code') ?? '';
    issuer.beforeReturn = (back) => back.searchParams.set('code', stolen);
    await signIn();
    expect(await rejection()).toEqual(rejected(FAILED));
  });

  test('in another browser than the one that left', async () => {
    const seen = answers();
    await signIn();
    await arriveAt('/dashboard');
    const victim = await newPerson(web.browser, web.app.url);
    await victim.page.goto(String(seen[0]));
    await victim.page.waitForSelector('[role=alert]');
    expect(await victim.page.evaluate(() => localStorage.getItem('token'))).toBeNull();
    await victim.leave();
  });

  test('a second time, once the person is signed out', async () => {
    const seen = answers();
    await signIn();
    await arriveAt('/dashboard');
    await signOut();
    await person.page.goto(String(seen[0]));
    expect(await rejection()).toEqual(rejected(FAILED));
  });

  test('after the ten minutes that a visit lasts', async () => {
    issuer.beforeReturn = async () => {
      await web.app.database.sql`
        update sign_in_challenges set expires_at = now() - interval '1 second' where purpose = 'provider_visit'`;
    };
    await signIn();
    expect(await rejection()).toEqual(rejected(FAILED));
  });

  test('with an ID token that has expired', async () => {
    const before = Math.floor(Date.now() / 1000) - 3600;
    issuer.forged = { iat: before, exp: before + 300 };
    await signIn();
    expect(await rejection()).toEqual(rejected(FAILED));
  });

  test('with an ID token of another audience', async () => {
    issuer.forged = { aud: 'another client' };
    await signIn();
    expect(await rejection()).toEqual(rejected(FAILED));
  });
});

describe('the code that the sign-in page exchanges for a session', () => {
  test('works once', async () => {
    let code = '';
    person.page.on('request', (request) => {
      if (request.url().endsWith('/auth/exchange')) code = JSON.parse(request.postData() ?? '{}').code;
    });
    await signIn();
    await arriveAt('/dashboard');
    expect(code).toMatch(/^[\w-]{43}$/);
    await signOut();
    await person.page.goto('about:blank');
    await person.page.goto(`${web.app.url}/login#code=${code}`);
    expect(await rejection()).toEqual(rejected('Sign-in failed'));
  });

  test('works for 30 seconds', async () => {
    await person.page.setRequestInterception(true);
    const expired = () => web.app.database.sql`
      update sign_in_challenges set expires_at = now() - interval '1 second' where purpose = 'exchange'`;
    person.page.on('request', (request) => {
      const isExchange = request.url().endsWith('/auth/exchange');
      void (isExchange ? expired() : Promise.resolve()).then(() => request.continue());
    });
    await signIn();
    expect(await rejection()).toEqual(rejected('Sign-in failed'));
  });
});

test('an issuer that is down is told apart from a sign-in that failed', async () => {
  issuer.beforeReturn = () => {
    issuer.mood = 'down';
  };
  await signIn();
  expect(await rejection()).toEqual(rejected('The other service is not responding.'));
});

test('an address that has an account already signs no one in, and the page says how to go on', async () => {
  const body = JSON.stringify({
    email: 'eva@shop.example',
    name: 'Eva',
    password: 'clay on the wheel at nine',
  });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${web.app.url}/auth/register`, { method: 'POST', headers, body })).ok).toBe(true);
  issuer.person = { ...ANA, sub: 'sub-eva', email: 'eva@shop.example' };
  await signIn();
  expect(await rejection()).toEqual(rejected('This email already has an account.'));
});
