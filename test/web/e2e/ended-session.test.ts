import { beforeEach, expect, test } from 'vitest';
import { accessibilityFaults, cutBoxes } from '../../support/look.ts';
import { newPerson, type Person } from './person.ts';
import { type Steps, stepsOf, typeOver } from './steps.ts';
import { useWebWithSignIn } from './use-web.ts';

const PASSWORD = 'clay on the wheel at nine';
const TYPED = 'Typed before the session ended';

const web = useWebWithSignIn();
let person: Person;
let steps: Steps;
let people = 0;

type Session = { readonly token: string; readonly user: { readonly id: string; readonly email: string } };

async function register(): Promise<Session> {
  people += 1;
  const answer = await fetch(`${web.app.url}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `ana${people}@fernandclay.example`, name: 'Ana', password: PASSWORD }),
  });
  expect(answer.status).toBe(201);
  return answer.json();
}

/** The editor with something typed and the dialog that saves it open, and then a session that has ended elsewhere. */
async function editUntilItEnds(language: 'en' | 'es', save: string, width: 1440 | 390 = 1440) {
  const session = await register();
  person = await newPerson(web.browser, web.app.url, { language, width });
  steps = stepsOf(person);
  await person.open('/login');
  await keep(session);
  await person.open('/templates/welcome');
  await typeOver(person.page, 'label:has(span) input', TYPED);
  await steps.press(save);
  await person.page.waitForSelector('[role=dialog] button[type=submit]');
  const headers = { authorization: `Bearer ${session.token}` };
  expect((await fetch(`${web.app.url}/api/v1/auth/logout`, { method: 'POST', headers })).status).toBe(200);
  person.calls.length = 0;
  await person.page.locator('[role=dialog] button[type=submit]').click();
  await person.page.waitForSelector('input[name=again]');
  return session;
}

const keep = ({ token, user }: Session, page = person.page) =>
  page.evaluate(
    (kept) => {
      for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value);
    },
    { user: JSON.stringify(user), token },
  );

const subjectOf = async (template: string, token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await (await fetch(`${web.app.url}/v1/templates/${template}?include=html`, { headers })).json())
    .subject;
};

const saves = () => person.calls.filter((call) => call === 'PATCH /v1/templates/welcome');

beforeEach(() => person?.leave());

test('G4: a session that ends in the midst of a form: who signs in again over it has saved what they typed', async () => {
  const { user } = await editUntilItEnds('en', 'Save version');
  expect([await accessibilityFaults(person.page), await cutBoxes(person.page)]).toEqual([[], []]);
  await steps.see(`Enter the password of ${user.email}`);
  await person.page.locator('input[name=again]').fill('another password entirely');
  await person.page.keyboard.press('Enter');
  await person.page.waitForSelector('[role=dialog] [role=alert]');
  await person.page.locator('input[name=again]').fill(PASSWORD);
  await person.page.keyboard.press('Enter');
  await steps.gone('[role=dialog]');
  const token = await person.page.evaluate(() => localStorage.getItem('token'));
  expect([await subjectOf('welcome', String(token)), saves().length]).toEqual([TYPED, 2]);
  // The refused calls are the only complaints.
  expect(person.complaints.filter((one) => !one.includes('401'))).toEqual([]);
});

test('G4: on a phone and in Spanish the same', async () => {
  await editUntilItEnds('es', 'Guardar versión', 390);
  expect([await accessibilityFaults(person.page), await cutBoxes(person.page)]).toEqual([[], []]);
  await person.page.locator('input[name=again]').fill(PASSWORD);
  await person.page.keyboard.press('Enter');
  await steps.gone('[role=dialog]');
  expect(saves()).toHaveLength(2);
});

test('G4: who leaves instead is at the sign-in, and is led back', async () => {
  await editUntilItEnds('en', 'Save version');
  await steps.press('Leave without signing in');
  await steps.at(/^\/login$/);
  expect(await person.page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  expect(saves()).toHaveLength(1);
});

test('a sign-in in another tab is enough', async () => {
  const { user } = await editUntilItEnds('en', 'Save version');
  const answer = await fetch(`${web.app.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: user.email, password: PASSWORD }),
  });
  const other = await person.page.browserContext().newPage();
  await other.goto(`${web.app.url}/pricing`);
  await keep(await answer.json(), other);
  await steps.gone('[role=dialog]');
  expect(saves()).toHaveLength(2);
});

test('what one person typed is never saved for another who signs in in another tab', async () => {
  await editUntilItEnds('en', 'Save version');
  const ben = await register();
  const other = await person.page.browserContext().newPage();
  await other.goto(`${web.app.url}/pricing`);
  await keep(ben, other);
  await steps.gone('[role=dialog]');
  await steps.see(ben.user.email);
  expect(saves()).toHaveLength(1);
  expect(await subjectOf('welcome', ben.token)).not.toBe(TYPED);
});
