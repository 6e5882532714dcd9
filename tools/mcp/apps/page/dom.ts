import { type TextKey, t } from './texts.ts';

export type Child = Node | string | number | false | null | undefined;
type Properties = Readonly<Record<string, unknown>>;

/**
 * An element. Functions listen, booleans switch attributes, everything else is an attribute. Strings become text and never
 * HTML, so nothing that a template, a store or a model wrote can be more than a text in this page.
 */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties = {},
  ...children: readonly (Child | readonly Child[])[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === 'function') element.addEventListener(key, value as EventListener);
    else if (typeof value === 'boolean') element.toggleAttribute(key, value);
    else if (value !== undefined && value !== null) element.setAttribute(key, String(value));
  }
  element.append(...present(children.flat()));
  return element;
}

function present(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) =>
    child === false || child === null || child === undefined || child === ''
      ? []
      : [typeof child === 'number' ? String(child) : child],
  );
}

/** The page's own part of the document. */
function root(): HTMLElement {
  const found = document.querySelector('main');
  if (!found) throw new Error('The page has no main.');
  return found;
}

/** Puts these in place of what the page shows. Who was on a button stays on it, or on the page where it is gone. */
export function show(...children: readonly Child[]): void {
  const page = root();
  const left = page.contains(document.activeElement) ? document.activeElement : null;
  page.setAttribute('aria-busy', 'false');
  page.replaceChildren(...present(children));
  if (!left) return;
  const same = [...page.querySelectorAll('button, input, select, textarea, summary')].find(
    (one) => one.tagName === left.tagName && labelOf(one) === labelOf(left),
  );
  (same instanceof HTMLElement ? same : page).focus({ preventScroll: true });
}

const labelOf = (control: Element) => control.id || control.getAttribute('aria-label') || control.textContent;

/** A few choices; one is selected. */
export function choice<Value extends string>(
  label: string,
  values: readonly (readonly [Value, string])[],
  chosen: Value,
  choose: (value: Value) => void,
): HTMLElement {
  const buttons = values.map(([value, text]) =>
    h(
      'button',
      {
        type: 'button',
        'aria-pressed': String(value === chosen),
        'data-value': value,
        click: () => pick(value),
      },
      text,
    ),
  );
  const pick = (value: Value) => {
    for (const button of buttons)
      button.setAttribute('aria-pressed', String(button.dataset['value'] === value));
    choose(value);
  };
  return h('div', { class: 'choice', role: 'group', 'aria-label': label }, ...buttons);
}

/** A button that is busy while its work lasts, and says below it why the work failed. */
export function button(
  text: string,
  work: () => Promise<unknown>,
  { kind = 'plain', label }: { readonly kind?: 'next' | 'plain' | 'quiet'; readonly label?: string } = {},
): HTMLElement {
  const failure = h('p', { class: 'failure', role: 'alert' });
  const control = h('button', { type: 'button', class: kind, 'aria-label': label, click }, text);
  async function click() {
    if (control.getAttribute('aria-disabled') === 'true') return;
    control.setAttribute('aria-disabled', 'true');
    failure.textContent = '';
    await work().catch((error: unknown) => {
      failure.textContent = messageOf(error);
    });
    control.removeAttribute('aria-disabled');
  }
  return h('span', { class: 'act' }, control, failure);
}

/** What happened and what it means, in a frame of its color. */
export function notice(kind: 'ok' | 'warn' | 'bad', title: string, ...more: readonly Child[]): HTMLElement {
  return h(
    'div',
    { class: `notice ${kind}`, role: kind === 'bad' ? 'alert' : 'status' },
    h('strong', {}, title),
    ...more,
  );
}

export function waiting(key: TextKey): HTMLElement {
  return h('p', { class: 'waiting', role: 'status' }, t(key));
}

/** The old value struck through, the new one beside it. */
export function wasNow(was: Child, now: Child): HTMLElement {
  const none = (value: Child) => value === null || value === undefined || value === '';
  return h(
    'span',
    { class: 'wasnow' },
    !none(was) && h('s', { class: 'was' }, h('span', { class: 'hidden' }, `${t('was')} `), was),
    h('b', { class: 'now' }, none(now) ? t('nothing') : now),
  );
}

export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message === '' ? t('failed') : message;
}
