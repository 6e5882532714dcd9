import type { ElementHandle, Page } from 'puppeteer-core';
import type { Person } from './person.ts';

/**
 * Types over what a field has, as a person does. Puppeteer's `fill` empties the field by script, and a page that is drawn
 * before the first key puts the old text back.
 */
export async function typeOver(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).click();
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type(text);
}

/** What a person does on a page, by the names that they read or hear. */
export function stepsOf(person: Person) {
  const at = (name: string, role: string) => `::-p-aria([name="${name}"][role="${role}"])`;
  return {
    press: (name: string) => person.page.locator(at(name, 'button')).click(),
    follow: (name: string) => person.page.locator(at(name, 'link')).click(),
    /** A field by its label. */
    fill: (name: string, value: string) => typeOver(person.page, at(name, 'textbox'), value),
    /**
     * A field with suggestions, at once: the list that opens with the first key is a window of the browser, which takes the
     * keys that a test sends.
     */
    paste: (label: string, value: string) =>
      person.page.evaluate(
        (name, text) => {
          const field = document.querySelector<HTMLInputElement>(`input[aria-label="${name}"]`);
          field?.focus();
          field?.select();
          document.execCommand('insertText', false, text);
        },
        label,
        value,
      ),
    async choose(name: string, value: string): Promise<void> {
      const found = await person.page.evaluateHandle(
        (label) =>
          [...document.querySelectorAll('select')].find(
            (one) => one.ariaLabel === label || one.labels[0]?.textContent === label,
          ),
        name,
      );
      await (found as ElementHandle<HTMLSelectElement>).select(value);
    },
    see: (text: string) => person.page.waitForSelector(`::-p-text(${text})`),
    gone: (selector: string) =>
      person.page.waitForFunction((one) => document.querySelector(one) === null, {}, selector),
    at: (path: RegExp) =>
      person.page.waitForFunction((source) => new RegExp(source).test(location.pathname), {}, path.source),
    textOf: (selector: string) => person.page.$eval(selector, (element) => element.textContent ?? ''),
    /** Calls that openapi.json does not have, and what the browser complained of. */
    async wrongs(url: string): Promise<{ unknown: string[]; complaints: string[] }> {
      const { paths } = await (await fetch(`${url}/openapi.json`)).json();
      const known = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
        Object.keys(methods).map(
          (method) => new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '[^/]+')}$`),
        ),
      );
      const unknown = person.calls.filter((call) => !known.some((one) => one.test(call)));
      return { unknown, complaints: person.complaints };
    },
  };
}

export type Steps = ReturnType<typeof stepsOf>;
