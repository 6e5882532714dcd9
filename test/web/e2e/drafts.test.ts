import { expect, test } from 'vitest';
import { useWeb } from './use-web.ts';

const web = useWeb();
const { person } = web;

/** The subject in the editor, once the draft of it has been read. */
async function subjectIs(text: string): Promise<void> {
  await person.page.waitForFunction(
    (wanted) => document.querySelector<HTMLInputElement>('label input')?.value === wanted,
    {},
    text,
  );
}

/** As a person does. `fill` empties a field by script, and a page that is drawn at that moment puts the old text back. */
async function retype(subject: string): Promise<void> {
  await person.page.locator('label input').click({ count: 3 });
  await person.page.keyboard.type(subject);
}

test('the last key before a page is left is kept, however slow the browser is', {
  timeout: 180_000,
}, async () => {
  await person.open('/templates/welcome');
  for (const subject of [
    'Parcels on Monday',
    'Parcels on Tuesday',
    'Parcels on Friday',
    'No parcels',
    'Parcels',
  ]) {
    await person.page.emulateCPUThrottling(6);
    await retype(subject);
    await person.page.goto(`${web.app.url}/templates/welcome`);
    await person.page.emulateCPUThrottling(null);
    await subjectIs(subject);
  }
  expect(person.complaints).toEqual([]);
});
