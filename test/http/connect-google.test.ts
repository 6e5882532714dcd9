import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type GoogleConsentPeer, startGoogleConsentPeer } from '../peers/google-consent.ts';
import { linkIn, newVisitor } from '../support/consent-visits.ts';
import { newPerson, WIDE_LIMITS } from '../support/oauth-person.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { useRest } from '../support/server.ts';

const redirectUris: string[] = [];
let google: GoogleConsentPeer;
let app: ServedApp;
let people = 0;

beforeAll(async () => {
  google = await startGoogleConsentPeer({ clientId: 'client-1', clientSecret: 'secret-1', redirectUris });
  app = await openServedApp({
    RATE_LIMITS: WIDE_LIMITS,
    ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
    GOOGLE_BASE_URL: google.url,
    GOOGLE_CLIENT_ID: 'client-1',
    GOOGLE_CLIENT_SECRET: 'secret-1',
  });
  redirectUris.push(`${app.url}/connect/google/callback`);
  for (const id of ['stock-book', 'other-book']) {
    const rows = [
      ['SKU', 'Stock'],
      ['A-1', 5],
    ];
    google.emulator.book(id, { title: `The ${id}`, tabs: [{ title: 'Hoja 1', rows }] });
    google.files.set(`The ${id}`, id);
  }
});
afterAll(async () => {
  await app.close();
  await google.close();
});
beforeEach(() => {
  google.state.user = `ana-${++people}@gmail.test`;
  google.state.unticked = [];
  google.state.driveDisabled = false;
  google.state.down = false;
});

/** A person with an account here, signed in. */
async function newShopOwner() {
  const person = await newPerson(app.url, `owner-${people}`);
  const rest = useRest(app.url, person.token);
  const visitor = newVisitor(app.url, google.url);
  const linkFor = async (body: object = {}) => {
    const { status, body: started } = await rest('POST', '/sync/connect/google', { body });
    expect([status, started]).toEqual([201, expect.anything()]);
    return String(started['url']);
  };
  /** The whole way: a link, a sign-in, a decision, and back. */
  const connect = async (body: object = {}, file = 'stock-book') => {
    const page = await visitor.begin(await linkFor(body), person);
    return visitor.arrive(await visitor.decide(page, 'allow', { file }));
  };
  const sheets = async () => (await rest('GET', '/sync/sheets')).body as unknown as Record<string, unknown>[];
  return { person, rest, visitor, linkFor, connect, sheets };
}

describe('Connect with Google', () => {
  test('connects the spreadsheet that a person picks, says who consented, and syncs with renewed access', async () => {
    const { connect, sheets, rest, person } = await newShopOwner();
    const done = await connect();
    expect([done.status, done.text]).toEqual([
      200,
      expect.stringContaining('The sheet The stock-book is connected'),
    ]);
    const [sheet] = await sheets();
    expect(sheet).toMatchObject({
      spreadsheet_id: 'stock-book',
      sheet_name: 'Hoja 1',
      columns: ['SKU', 'Stock'],
      status: 'connected',
      renewable: true,
      expires_at: null,
      consent: {
        account: google.state.user,
        by: person.email,
        at: expect.any(String),
        scopes: ['https://www.googleapis.com/auth/drive.file'],
      },
    });
    google.expireAccess();
    const tested = await rest('POST', `/sync/sheet/${sheet?.['id']}/test`);
    expect([tested.status, tested.body['status']]).toEqual([200, 'connected']);
  });

  test('asks Google for picked files alone, with PKCE and for access without the person', async () => {
    const { visitor, linkFor, person } = await newShopOwner();
    const page = new URL(await visitor.begin(await linkFor({ spreadsheet_id: 'stock-book' }), person));
    expect(Object.fromEntries(page.searchParams)).toEqual({
      client_id: 'client-1',
      redirect_uri: `${app.url}/connect/google/callback`,
      response_type: 'code',
      scope: 'https://www.googleapis.com/auth/drive.file',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'false',
      trigger_onepick: 'true',
      mimetypes: 'application/vnd.google-apps.spreadsheet',
      file_ids: 'stock-book',
    });
  });

  test('keeps no token in the clear', async () => {
    const { connect } = await newShopOwner();
    await connect();
    const rows = await app.database.sql`select to_jsonb(g) as grant_row from sync_grants g`;
    expect(JSON.stringify(rows)).not.toMatch(/ya29|1\/\//);
  });

  test('connects nothing where the person refuses, and the link is over', async () => {
    const { visitor, linkFor, person, sheets } = await newShopOwner();
    const link = await linkFor();
    const refused = await visitor.arrive(await visitor.decide(await visitor.begin(link, person), 'deny'));
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('You did not give permission at Google'),
    ]);
    expect(await sheets()).toEqual([]);
    expect((await visitor.browser.open(link)).status).toBe(404);
  });

  test.each([
    [
      'scopes that were not ticked',
      () => google.state.unticked.push('https://www.googleapis.com/auth/drive.file'),
      'check every box',
    ],
    ['the Drive API turned off', () => (google.state.driveDisabled = true), 'Google Drive API is turned off'],
  ])('connects nothing with %s, and says what to do', async (_what, prepare, told) => {
    const { connect, sheets } = await newShopOwner();
    prepare();
    const refused = await connect();
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(told)]);
    expect(await sheets()).toEqual([]);
    expect(await app.database.sql`select from sync_grants where label = ${google.state.user}`).toEqual([]);
  });

  test('says that nothing was picked, or another spreadsheet, and gives the access back', async () => {
    const { connect } = await newShopOwner();
    const none = await connect({}, '');
    expect([none.status, none.text]).toEqual([422, expect.stringContaining('No spreadsheet was picked')]);
    const other = await connect({ spreadsheet_id: 'stock-book' }, 'other-book');
    expect([other.status, other.text]).toEqual([
      422,
      expect.stringContaining('is not the one this link was created for'),
    ]);
    expect(google.hasAccess(google.state.user)).toBe(false);
  });

  test('an answer counts once', async () => {
    const { visitor, linkFor, person, sheets } = await newShopOwner();
    const back = await visitor.decide(await visitor.begin(await linkFor(), person), 'allow', {
      file: 'stock-book',
    });
    expect((await visitor.arrive(back)).status).toBe(200);
    const replay = await visitor.arrive(back);
    expect([replay.status, replay.text]).toEqual([
      422,
      expect.stringContaining('a connection started in this browser'),
    ]);
    expect(await sheets()).toHaveLength(1);
  });

  test('an answer with a forged state, in another browser, or for another provider connects nothing', async () => {
    const { visitor, linkFor, person, sheets } = await newShopOwner();
    const page = await visitor.begin(await linkFor(), person);
    const back = await visitor.decide(page, 'allow', { file: 'stock-book' });
    const forged = new URL(back);
    forged.searchParams.set('state', 'A'.repeat(43));
    const elsewhere = newVisitor(app.url, google.url);
    const answers = [
      await visitor.arrive(forged),
      await elsewhere.arrive(back),
      await visitor.arrive(new URL(back.href.replace('/google/', '/shopify/'))),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(await sheets()).toEqual([]);
    // None of them has used up the answer of the person.
    expect((await visitor.arrive(back)).status).toBe(200);
  });

  test('says for which account the access is, once the person has signed in and at the end', async () => {
    const { visitor, linkFor, person, rest } = await newShopOwner();
    const { account } = (await rest('GET', '/api/v1/user/profile')).body;
    const { name } = Object(account);
    const asking = await visitor.browser.open(await linkFor());
    expect(asking.text).not.toContain(name);
    const { email, password } = person;
    const leaving = await visitor.browser.submit(asking, 'action=enter', { email, password });
    expect(leaving.text).toContain(`what Stallhand may use for the account ${name}`);
    const back = await visitor.decide(linkIn(leaving), 'allow', { file: 'stock-book' });
    expect((await visitor.arrive(back)).text).toContain(`It belongs to the account ${name}.`);
  });

  test('a link is of no use to another person, and tells a stranger nothing', async () => {
    const mallory = await newShopOwner();
    people += 1;
    const ana = await newShopOwner();
    const link = await mallory.linkFor();
    const page = await ana.visitor.browser.open(link);
    expect(page.text).not.toContain('owner-');
    const { email, password } = ana.person;
    const refused = await ana.visitor.browser.submit(page, 'action=enter', { email, password });
    expect([refused.status, refused.headers.get('refresh'), refused.text]).toEqual([
      403,
      null,
      expect.stringContaining('Only the person who requested this link'),
    ]);
  });

  test('a wrong password leads nowhere, and can be corrected', async () => {
    const { visitor, linkFor, person } = await newShopOwner();
    const page = await visitor.browser.open(await linkFor());
    const wrong = await visitor.browser.submit(page, 'action=enter', {
      email: person.email,
      password: 'not it',
    });
    expect([wrong.status, wrong.headers.get('refresh')]).toEqual([401, null]);
    const right = await visitor.browser.submit(wrong, 'action=enter', {
      email: person.email,
      password: person.password,
    });
    expect(right.headers.get('refresh')).toContain(google.url);
  });

  test('a client with a session begins without another sign-in, and a key can not', async () => {
    const { rest, linkFor, visitor, sheets, person } = await newShopOwner();
    const link = new URL(await linkFor({ return_to: '/sheets' }));
    const { status, body, headers } = await rest('POST', link.pathname, { body: {} });
    expect([status, headers.getSetCookie()]).toEqual([
      200,
      [expect.stringMatching(/^stallhand_connect_google=.+HttpOnly; SameSite=Lax/)],
    ]);
    const back = await visitor.decide(String(body['url']), 'allow', { file: 'stock-book' });
    const cookie = String(headers.getSetCookie()[0]).split(';')[0] ?? '';
    const arrived = await fetch(back, { headers: { cookie }, redirect: 'manual' });
    const [sheet] = await sheets();
    expect([arrived.status, arrived.headers.get('location')]).toEqual([
      303,
      `/sheets#connected=${sheet?.['id']}`,
    ]);
    const [account] = await app.database.sql`
      select m.account_id as id from memberships m join users u on u.id = m.user_id where u.email = ${person.email}`;
    const { key } = await app.keys.create(String(account?.['id']), 'a key', ['sync:write'], null);
    const refused = await useRest(app.url, key)('POST', new URL(await linkFor()).pathname, { body: {} });
    expect([refused.status, refused.body['code']]).toEqual([403, 'forbidden']);
  });

  test('access that the person removed at Google says so and asks to connect again, which repairs the sheet', async () => {
    const { connect, sheets, rest } = await newShopOwner();
    await connect();
    const [sheet] = await sheets();
    google.removeAccess(google.state.user);
    const tested = await rest('POST', `/sync/sheet/${sheet?.['id']}/test`);
    expect([tested.status, tested.body['code'], tested.body['detail']]).toEqual([
      422,
      'sheet_unauthorized',
      expect.stringContaining(`Google ended the access that ${google.state.user} had given`),
    ]);
    expect((await sheets())[0]).toMatchObject({ status: 'reconnect_required' });
    expect((await connect({ sheet_id: sheet?.['id'] })).status).toBe(200);
    expect(await sheets()).toMatchObject([{ id: sheet?.['id'], status: 'connected' }]);
  });

  test('disconnecting revokes the access at Google with the last sheet that used it', async () => {
    const { connect, sheets, rest } = await newShopOwner();
    await connect();
    const [sheet] = await sheets();
    expect(google.hasAccess(google.state.user)).toBe(true);
    expect((await rest('DELETE', `/sync/sheet/${sheet?.['id']}`)).body).toEqual({ deleted: true });
    expect(google.hasAccess(google.state.user)).toBe(false);
  });

  test('what Google does not revoke now is revoked later', async () => {
    const { connect, sheets, rest } = await newShopOwner();
    await connect();
    const [sheet] = await sheets();
    google.state.down = true;
    expect((await rest('DELETE', `/sync/sheet/${sheet?.['id']}`)).body).toEqual({ deleted: true });
    google.state.down = false;
    expect(google.hasAccess(google.state.user)).toBe(true);
    await app.sync.sweep();
    expect(google.hasAccess(google.state.user)).toBe(false);
  });

  test('access of the same Google account in another account here is not revoked along', async () => {
    const ana = await newShopOwner();
    await ana.connect();
    const user = google.state.user;
    people += 1;
    const ben = await newShopOwner();
    google.state.user = user;
    await ben.connect();
    const [sheet] = await ben.sheets();
    await ben.rest('DELETE', `/sync/sheet/${sheet?.['id']}`);
    expect(google.hasAccess(user)).toBe(true);
  });

  test('pasted tokens that Google rejects leave the consent as it is', async () => {
    const { connect, sheets, rest } = await newShopOwner();
    await connect();
    const [sheet] = await sheets();
    const body = { access_token: 'ya29.pasted' };
    const refused = await rest('PATCH', `/sync/sheet/${sheet?.['id']}`, { body });
    expect(refused.body['code']).toBe('sheet_unauthorized');
    expect((await sheets())[0]).toMatchObject({
      status: 'connected',
      consent: { account: google.state.user },
    });
    expect(google.hasAccess(google.state.user)).toBe(true);
  });
});
