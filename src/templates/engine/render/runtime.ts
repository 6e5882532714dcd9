import { createRequire } from 'node:module';
import type Handlebars from 'handlebars';
import { placeHelpers, vettedHelpers } from '../vocabulary/helpers.ts';
import { Meter } from './meter.ts';
import { plainText } from './rich-text.ts';

/** A template's function, as Handlebars makes it from a specification. */
export type TemplateFunction = (context: unknown, options?: object) => string;

/** HTML is escaped; the other fields are text as it is. */
export type Mode = 'html' | 'plain';

/** What Handlebars hands to every function of a template: one object for each template, so what is changed in it is not shared. */
type Container = {
  escapeExpression(value: unknown): string;
  invokePartial(partial: unknown, context: unknown, options: unknown): unknown;
};

type Part = (container: Container, ...rest: unknown[]) => unknown;

/** Earlier versions let a template reach code; see the advisories of 4.7.9 and 4.7.10. */
const OLDEST = [4, 7, 10];

/** Counts every render of this process: a render is synchronous, so there is one at a time. */
export const meter = new Meter();

// The runtime alone has no compiler, so nothing that reaches it at render can become code. It has no typings of its own.
const runtime: typeof Handlebars = createRequire(import.meta.url)('handlebars/runtime.js');

const environment = createEnvironment();

/** Evaluates what the compiler wrote, and counts each of its functions. */
export function createTemplate(code: string, mode: Mode): TemplateFunction {
  // Not `node:vm`, which never lets go of a script it has run.
  const specification: Record<string, unknown> = new Function(`return (${code})`)();
  const adopt = createAdopter(mode);
  for (const [key, part] of Object.entries(specification)) {
    // `main` and the numbered blocks are the functions that print; the others set up inline partials.
    const prints = typeof part === 'function' && !key.endsWith('_d');
    if (prints) specification[key] = counted(part as Part, adopt);
  }
  return environment.template(specification);
}

export function isSupported(version: string): boolean {
  const numbers = version.split('.').map(Number);
  const index = OLDEST.findIndex((oldest, at) => numbers[at] !== oldest);
  return index < 0 || (numbers[index] ?? 0) > (OLDEST[index] ?? 0);
}

function createEnvironment(): typeof Handlebars {
  if (!isSupported(runtime.VERSION)) {
    throw new Error(
      `Handlebars ${runtime.VERSION} is not safe for other people's templates: install ${OLDEST.join('.')} or later`,
    );
  }
  const created = runtime.create();
  created.unregisterHelper('log');
  for (const [name, helper] of Object.entries({ ...vettedHelpers(meter), ...placeHelpers(meter) })) {
    created.registerHelper(name, helper);
  }
  for (const name of ['if', 'unless']) created.registerHelper(name, asGiven(created.helpers[name]));
  return created;
}

/**
 * The only function a template can name is `@partial-block`. Handlebars would print the content, without its data, to see
 * whether it is empty; here content counts as given.
 */
function asGiven(helper: Handlebars.HelperDelegate | undefined): Handlebars.HelperDelegate {
  if (!helper) throw new Error('Handlebars has lost a helper of its own.');
  return function test(this: unknown, value, ...rest) {
    return helper.call(this, typeof value === 'function' || value, ...rest);
  };
}

/**
 * Everything that repeats or multiplies in a template runs through one of its functions: a loop's pass, a block, a partial. So a
 * step is counted there, and the true size of the output is known where a function returns.
 */
function counted(part: Part, adopt: (container: Container) => void): Part {
  const code = part.toString().length;
  return function count(container, context, helpers, partials, data, blockParams, depths) {
    adopt(container);
    meter.step(code);
    const before = meter.size;
    const printed = part(container, context, helpers, partials, data, blockParams, depths);
    const text = typeof printed === 'string' ? printed : plainText(printed, meter);
    meter.settle(before + text.length);
    return text;
  };
}

/** Replaces, once for each container, the two functions through which values and partials are printed. */
function createAdopter(mode: Mode): (container: Container) => void {
  let adopted: Container | null = null;
  return (container) => {
    if (adopted === container) return;
    adopted = container;
    const { invokePartial } = container;
    container.escapeExpression = mode === 'html' ? printEscaped : printPlain;
    container.invokePartial = (partial, context, options) => {
      meter.enterPartial();
      const printed = invokePartial.call(container, partial, context, options);
      meter.leavePartial();
      return printed;
    };
  };
}

function printEscaped(value: unknown): string {
  const text = typeof value === 'string' ? value : plainText(value, meter);
  meter.checkTimeFor(text.length);
  const escaped = escapeHtml(text);
  meter.add(escaped.length);
  return escaped;
}

function printPlain(value: unknown): string {
  const text = plainText(value, meter);
  meter.add(text.length);
  return text;
}

const SPECIAL = /[&<>"'`=]/;
const LAST_SPECIAL = '`'.charCodeAt(0);
const SHORT = 64;

/** Escapes exactly what Handlebars escapes. Values are mostly short, where a loop costs a third of a replace with a callback. */
function escapeHtml(text: string): string {
  if (text.length > SHORT && !SPECIAL.test(text)) return text;
  let escaped = '';
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Most are letters.
    const entity = code > LAST_SPECIAL ? '' : entityOf(code);
    if (entity === '') continue;
    escaped += text.slice(copied, at) + entity;
    copied = at + 1;
  }
  return copied === 0 ? text : escaped + text.slice(copied);
}

function entityOf(code: number): string {
  switch (code) {
    case 38:
      return '&amp;';
    case 60:
      return '&lt;';
    case 62:
      return '&gt;';
    case 34:
      return '&quot;';
    case 39:
      return '&#x27;';
    case 96:
      return '&#x60;';
    case 61:
      return '&#x3D;';
    default:
      return '';
  }
}
