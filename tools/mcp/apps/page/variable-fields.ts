import { h } from './dom.ts';
import type { Members } from './messages.ts';
import { t } from './texts.ts';

/** A variable of a template, as get_template describes it. */
export type Variable = {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default?: unknown;
  readonly description?: string;
};

export type Fields = {
  isOpen: boolean;
  keepOpen(open: boolean): void;
  elements(): readonly HTMLElement[];
  /** What the form says, as the data of a rendering; an empty field is left out. @throws Error for broken JSON */
  data(): Members;
};

/** A form with one field per variable. Values that are no text are written as JSON. */
export function fieldsOf(variables: readonly Variable[], given: Members): Fields {
  // A variable such as order.total is part of one value.
  const roots = variables.filter(({ name }) => !/[.[]/.test(name));
  const controls = new Map(
    roots.map((variable) => [variable.name, controlOf(variable, given[variable.name])]),
  );
  return {
    isOpen: false,
    keepOpen(open) {
      this.isOpen = open;
    },
    elements: () => roots.map((variable) => fieldOf(variable, controls.get(variable.name))),
    data() {
      const filled = roots.flatMap(({ name, type }) => {
        const value = filledIn(controls.get(name), name, type);
        return value === undefined ? [] : [[name, value] as const];
      });
      return { ...given, ...Object.fromEntries(filled) };
    },
  };
}

type Control = HTMLInputElement | HTMLTextAreaElement;

const isJson = (type: string) => type === 'array' || type === 'object';

function controlOf({ name, type, default: usual }: Variable, value: unknown): Control {
  const shared = { id: `v-${name}`, autocomplete: 'off', spellcheck: 'false' };
  if (type === 'boolean') return h('input', { ...shared, type: 'checkbox', checked: value === true });
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const hint = usual === undefined ? undefined : typeof usual === 'string' ? usual : JSON.stringify(usual);
  if (isJson(type) || text.includes('\n')) {
    const area = h('textarea', { ...shared, placeholder: hint });
    area.value = text;
    return area;
  }
  const input = h('input', {
    ...shared,
    type: 'text',
    inputmode: type === 'number' ? 'decimal' : undefined,
    placeholder: hint,
  });
  input.value = text;
  return input;
}

function fieldOf({ name, type, required, description }: Variable, control: Control | undefined): HTMLElement {
  const missing = required && control !== undefined && control.type !== 'checkbox' && control.value === '';
  return h(
    'div',
    { class: isJson(type) ? 'wide' : '' },
    h('label', { for: `v-${name}` }, name, ' ', missing && h('em', {}, t('required'))),
    control,
    description !== undefined && h('p', { class: 'small' }, description),
  );
}

function filledIn(control: Control | undefined, name: string, type: string): unknown {
  if (!control) return undefined;
  if (control instanceof HTMLInputElement && control.type === 'checkbox') return control.checked;
  if (control.value === '') return undefined;
  if (type === 'string') return control.value;
  try {
    return JSON.parse(control.value);
  } catch {
    if (isJson(type) || type === 'number') throw new Error(t('not_json', { name }));
    return control.value;
  }
}
