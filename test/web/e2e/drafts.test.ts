import { expect, test } from 'vitest';
import { typeOver } from './steps.ts';
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
    await typeOver(person.page, 'label input', subject);
    await person.page.goto(`${web.app.url}/templates/welcome`);
    await person.page.emulateCPUThrottling(null);
    await subjectIs(subject);
  }
  expect(person.complaints).toEqual([]);
});
