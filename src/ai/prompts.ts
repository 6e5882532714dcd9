import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';

export type Prompts = {
  /** The prompt `<name>.hbs` with the data in it, as given: nothing is escaped, and texts in the data are never templates. */
  fill(name: string, data: Readonly<Record<string, unknown>>): string;
};

/** The prompts of a folder, each read once. */
export function createPrompts(folder: string): Prompts {
  const handlebars = Handlebars.create();
  const compiled = new Map<string, Handlebars.TemplateDelegate>();
  return {
    fill(name, data) {
      const kept = compiled.get(name);
      const prompt = kept ?? handlebars.compile(readPrompt(folder, name), { noEscape: true });
      compiled.set(name, prompt);
      return prompt(data);
    },
  };
}

function readPrompt(folder: string, name: string): string {
  return readFileSync(join(folder, `${name}.hbs`), 'utf8').trim();
}
