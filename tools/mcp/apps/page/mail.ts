import { button, type Child, choice, h, notice, show } from './dom.ts';
import type { Host, Opened } from './host.ts';
import { type Look, letterFrame } from './letter-frame.ts';
import type { Members } from './messages.ts';
import { start } from './start.ts';
import { bytes, t } from './texts.ts';
import { type Fields, fieldsOf, type Variable } from './variable-fields.ts';

/** A rendered email, at two widths and in two lights, with a form of its variables that renders it again. */

type Rendered = {
  readonly template?: string;
  readonly version?: string;
  readonly environment?: string;
  readonly branch?: string;
  readonly html: string;
  readonly text: string | null;
  readonly subject: string | null;
  readonly preheader: string | null;
  readonly missing_variables: readonly string[];
  readonly warnings: readonly { readonly message: string }[];
  readonly bytes: number;
};

/** What of a call of one of the three tools names the email and fills it. */
const TAKEN = [
  'template',
  'html',
  'subject',
  'schema',
  'format',
  'layout',
  'version',
  'environment',
  'branch',
  'locale',
  'on_missing',
  'inline_css',
  'data',
  'fixture',
];

function orderOf({ name, template = name, include: _include, ...input }: Members): Members {
  const order = Object.entries({ ...input, template }).filter(
    ([key, value]) => TAKEN.includes(key) && value !== undefined,
  );
  return Object.fromEntries(order);
}

/** Pixels below which the page itself is on a phone. */
const PHONE = 480;

start(async (host: Host, { input }: Opened) => {
  const order = orderOf(input);
  // get_template reads the head of main where nothing is named, and a rendering what customers see.
  const choiceNamed = ['version', 'environment', 'branch'].some((key) => key in order);
  const named = 'name' in input && !choiceNamed ? { ...order, branch: 'main' } : order;
  let mail = await host.read<Rendered>('render_template', named);
  const variables = await variablesOf(host, named);
  const fields = fieldsOf(variables, (named['data'] ?? {}) as Members);
  let look: Look = { width: window.innerWidth < PHONE ? 'phone' : 'desktop', light: 'light' };
  fields.isOpen = mail.missing_variables.length > 0;
  let plain = false;
  const stage = h('div', { class: 'letter' });
  const put = () => stage.replaceChildren(plain ? textOf(mail) : letterFrame(mail.html, look));
  const change = (next: Partial<Look>) => {
    look = { ...look, ...next };
    put();
  };
  const again = async () => {
    const { fixture: _fixture, ...rest } = named;
    mail = await host.read<Rendered>('render_template', { ...rest, data: fields.data() });
    draw();
  };
  function draw(): void {
    put();
    show(
      headOf(mail),
      h(
        'div',
        { class: 'bar' },
        choice(
          t('width'),
          [
            ['desktop', t('desktop')],
            ['phone', t('phone')],
          ],
          look.width,
          (width) => change({ width }),
        ),
        choice(
          t('light_and_dark'),
          [
            ['light', t('light')],
            ['dark', t('dark')],
          ],
          look.light,
          (light) => change({ light }),
        ),
        mail.text !== null &&
          choice(
            t('form'),
            [
              ['html', t('html')],
              ['text', t('plain_text')],
            ],
            plain ? 'text' : 'html',
            (form) => {
              plain = form === 'text';
              put();
            },
          ),
      ),
      stage,
      findingsOf(mail),
      variables.length > 0 && formOf(fields, again),
      h('p', { class: 'small' }, t('pictures_elsewhere')),
    );
  }
  return draw;
});

function headOf({
  subject,
  preheader,
  template,
  version,
  environment,
  branch,
  bytes: size,
}: Rendered): HTMLElement {
  const place = [template, version, environment ?? branch, bytes(size)].filter((part) => part !== undefined);
  return h(
    'header',
    {},
    h('h1', { class: 'subject' }, subject ?? t('no_subject')),
    preheader !== null && preheader !== '' && h('p', { class: 'small' }, preheader),
    h('p', { class: 'small mono' }, place.join(' · ')),
  );
}

function textOf({ text }: Rendered): HTMLElement {
  return h('pre', { tabindex: 0, 'aria-label': t('plain_text') }, text);
}

function findingsOf({ missing_variables: missing, warnings }: Rendered): Child {
  const items = [
    ...(missing.length > 0 ? [t('missing', { names: missing.join(', ') })] : []),
    ...warnings.map(({ message }) => message),
  ];
  if (items.length === 0) return false;
  return notice(
    'warn',
    t('findings'),
    h(
      'ul',
      {},
      items.map((item) => h('li', {}, item)),
    ),
  );
}

function formOf(fields: Fields, again: () => Promise<void>): HTMLElement {
  return h(
    'details',
    {
      open: fields.isOpen,
      toggle: (event: Event) => fields.keepOpen((event.target as HTMLDetailsElement).open),
    },
    h('summary', {}, t('variables')),
    h('div', { class: 'fields' }, fields.elements()),
    button(t('render_again'), again, { kind: 'next' }),
  );
}

/** A key that may only render does not read what the template takes; the email is there without it. */
async function variablesOf(
  host: Host,
  { template, version, environment, branch, schema }: Members,
): Promise<readonly Variable[]> {
  if (template === undefined) return (schema as { variables?: Variable[] } | undefined)?.variables ?? [];
  const named = { version, environment, branch };
  const choices = Object.entries(named).filter(([, value]) => value !== undefined);
  const input = {
    template,
    ...(choices.length > 0 ? Object.fromEntries(choices) : { environment: 'production' }),
  };
  const read = host.read<{ variables: readonly Variable[] }>('get_template', input);
  return read.then(({ variables }) => variables).catch(() => []);
}
